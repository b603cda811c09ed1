/** A plan as changes of a YAML file of Megatron's options: what a script would pass, under the file's own keys. */
import { completeSetup } from '../../plan/complete';
import { SetupBuilder } from '../../setup/setup';
import { wishes } from '../megatron/desired';
import type { Writing } from '../placeChanges';
import type { Change } from '../treeEdits';
import { type ConfigNode, type Scalar } from '../tree';
import { type YamlFlag, yamlArgs } from './flags';
import { flagsOf, readMegatronYaml } from './read';

export function writeMegatronYaml({ root, plan, cluster }: Writing): Change[] {
  const flags = flagsOf(root).filter(({ path }) => path !== undefined);
  const { setup } = readMegatronYaml('', root, []);
  if (setup === null) return [];
  const builder = new SetupBuilder(setup);
  Object.assign(builder.cluster, cluster);
  const wanted = wishes(yamlArgs(flags, root.source), completeSetup(builder.build()), plan, new Set());
  return wanted.flatMap(({ flag, value }) => change(flags, flag, value));
}

/** An option that is not passed is false where it is a switch, and null else. */
function change(flags: readonly YamlFlag[], flag: string, value: string | boolean): Change[] {
  const present = flags.findLast(({ name }) => name === flag);
  const path = present?.path ?? placeFor(flags, flag);
  if (path === null || (present === undefined && value === false)) return [];
  return [{ path, value: value === false ? absent(present?.node) : scalar(value) }];
}

function absent(node: ConfigNode | undefined): Scalar {
  return node?.kind === 'scalar' && typeof node.value === 'boolean' ? false : null;
}

function scalar(value: string | boolean): Scalar {
  return typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
}

/** Options beside which a new one stands, the first that the file has. */
const ANCHORS: readonly string[] = [
  'tensor-model-parallel-size',
  'pipeline-model-parallel-size',
  'micro-batch-size',
  'num-layers',
];

/** The path of an option that the file does not have, in the way in which it writes the others. */
function placeFor(flags: readonly YamlFlag[], flag: string): readonly string[] | null {
  const anchor = ANCHORS.flatMap(name => flags.filter(each => each.name === name))[0];
  const key = anchor?.path?.at(-1);
  if (anchor?.path === undefined || key === undefined) return null;
  const name = key.startsWith('--') ? `--${flag}` : key.includes('-') ? flag : flag.replaceAll('-', '_');
  return [...anchor.path.slice(0, -1), name];
}

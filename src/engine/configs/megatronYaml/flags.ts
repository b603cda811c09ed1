/**
 * Megatron's options out of a YAML tree: one flat list, as if they stood on a command line, so that scripts and YAML
 * files mean the same.
 */
import type { Problem, SourceRange } from '../../problem';
import { SetupBuilder } from '../../setup/setup';
import { MegatronArgs } from '../megatron/args';
import { readModel } from '../megatron/model';
import { PLAN_FLAGS, readPlan } from '../megatron/plan';
import { megatronProblems } from '../megatron/rules';
import type { Flag, FlagWord } from '../shell/flags';
import type { ShellCommand } from '../shell/script';
import type { ConfigNode, ScalarNode } from '../tree';
import { zooVocabulary } from '../zooModel';

const NO_JSON = { stage: null, offload: null, offloadDevice: null };

/** An option with the key that gives it, which problems name. */
export interface YamlFlag {
  readonly name: string;
  readonly key: string;
  readonly node: ConfigNode;
  /** Where it stands in the file; absent where a table or another file gives it. */
  readonly path?: readonly string[];
}

/** A scalar at a place, for options that a file gives in other words. */
export function scalarAt(source: SourceRange, value: string | number | boolean): ScalarNode {
  return { kind: 'scalar', value, source };
}

/** Reads options of Megatron into a setup; `kind` is the framework whose file it is. */
export function readFlags(
  flags: readonly YamlFlag[],
  kind: string,
  source: SourceRange,
): { builder: SetupBuilder; problems: Problem[] } {
  const args = yamlArgs(flags, source);
  const builder = new SetupBuilder();
  builder.kinds.push(kind);
  readModel(args, builder);
  readTokenizer(args, builder);
  readCluster(args, builder);
  readPlan(args, builder, NO_JSON);
  noteUnknown(flags, builder);
  if (!args.has('global-batch-size')) builder.state('accumulation', 1, null);
  const broken = megatronProblems(args, builder.build());
  return { builder, problems: [...args.problems, ...broken].map(found => named(found, flags)) };
}

/** The options as those of a command. */
export function yamlArgs(flags: readonly YamlFlag[], source: SourceRange): MegatronArgs {
  const command: ShellCommand = {
    source,
    program: 'yaml',
    flags: flags.flatMap(toFlag),
    words: [],
    settings: [],
    environment: new Map(),
  };
  return new MegatronArgs(command);
}

/** Degrees and batches that the file leaves to a variable take no default. */
function noteUnknown(flags: readonly YamlFlag[], builder: SetupBuilder): void {
  for (const [key, name] of Object.entries({ ...PLAN_FLAGS, ...CHUNKS })) {
    const node = flags.findLast(flag => flag.name === name)?.node;
    if (node?.kind !== 'scalar' || node.missing === undefined) continue;
    builder.setPlan(key as keyof typeof PLAN_FLAGS, null, 'default');
    builder.unknown.add(`plan.${key as keyof typeof PLAN_FLAGS}`);
  }
}

const CHUNKS = { vpp: 'num-layers-per-virtual-pipeline-stage' } as const;

/** A switch that is on has no value; one that is off is not passed. */
function toFlag({ name, node }: YamlFlag): Flag[] {
  const scalars = node.kind === 'list' ? node.items : [node];
  const words = scalars.flatMap(item => (item.kind === 'scalar' ? [word(item)] : []));
  const [first] = scalars;
  if (first?.kind === 'scalar' && first.missing === undefined && (first.value === null || first.value === false))
    return [];
  const isSwitch = first?.kind === 'scalar' && first.value === true;
  return [
    { name, source: node.source, words: isSwitch ? [] : words, end: node.source, depends: null, launcher: false },
  ];
}

function word({ value, missing, source }: ScalarNode): FlagWord {
  const reason = missing === undefined ? null : ({ kind: 'environment', name: missing } as const);
  return { text: reason === null ? String(value) : null, reason, levels: [[source]] };
}

/** The vocabulary of the model whose tokenizer is named, where the options do not give it. */
function readTokenizer(args: MegatronArgs, builder: SetupBuilder): void {
  const read = args.text('tokenizer-model') ?? args.text('tokenizer-type');
  padAlone(args, builder);
  const vocab = read === null || builder.sizes.vocab !== null ? null : zooVocabulary(read.value);
  if (typeof vocab !== 'number' || read === null) return;
  builder.setModel('vocab', vocab, 'zoo', read.source);
  const at = args.problems.findIndex(({ args: about }) => about.key === 'model.vocab');
  if (at !== -1) args.problems.splice(at, 1);
}

/** Where tp is unknown, the padding that one rank needs is the least. */
function padAlone(args: MegatronArgs, builder: SetupBuilder): void {
  const divisor = args.integer('make-vocab-size-divisible-by')?.value ?? 128;
  const { vocab } = builder.sizes;
  const unknown = args.has('tensor-model-parallel-size') && args.integer('tensor-model-parallel-size') === null;
  if (!unknown || vocab === null || vocab % divisor === 0) return;
  const source = builder.fields.get('model.vocab')?.source ?? null;
  builder.setModel('vocab', Math.ceil(vocab / divisor) * divisor, 'derived', source);
}

function readCluster(args: MegatronArgs, builder: SetupBuilder): void {
  const perNode = args.integer('nproc-per-node', 1, 2 ** 20);
  const nodes = args.integer('nnodes', 1, 2 ** 20);
  if (perNode !== null) builder.setCluster('gpusPerNode', perNode.value, 'file', perNode.source);
  if (nodes !== null) builder.setCluster('nodes', nodes.value, 'file', nodes.source);
  if (perNode !== null && nodes !== null) builder.setCluster('gpus', perNode.value * nodes.value, 'derived');
}

/** A problem about an option, under the key by which the file gives it. */
function named(found: Problem, flags: readonly YamlFlag[]): Problem {
  const args = { ...found.args };
  for (const key of ['key', 'name', 'needs', 'because'] as const) {
    const value = args[key];
    if (typeof value !== 'string' || !value.startsWith('--')) continue;
    const [option, ...rest] = value.split(' ');
    const written = flags.find(({ name }) => `--${name}` === option);
    if (written !== undefined) args[key] = [written.key, ...rest].join(' ');
  }
  return { ...found, args };
}

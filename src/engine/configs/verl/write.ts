/**
 * A plan as changes of verl's YAML or of the settings of its command: the actor's own degrees and batch. Where the
 * reference model states the actor's degree it goes along, as both share one engine; the rollout's degrees are its own.
 */
import type { TextEdit } from '../../problem';
import { placeChanges, setPlace, type Target, type Writing } from '../placeChanges';
import { type Path, pathOf, type Place } from '../places';
import { optionEdits, pythonWord } from '../shell/optionEdits';
import { optionTree } from '../shell/optionTree';
import { readScript, type ShellCommand } from '../shell/script';
import type { Change } from '../treeEdits';
import { nodeAt, plainValue } from '../tree';
import * as keys from './keys';
import { isReinforcement, trainsByMegatron, verlCommand } from './read';

const MICRO: Place = { key: 'microBatch', at: [`${keys.ACTOR}.ppo_micro_batch_size_per_gpu`] };

export function writeVerl(writing: Writing): Change[] {
  return changesOf(writing, trainsByMegatron(writing.root, ''));
}

/** The same as settings of the command that starts verl. */
export function writeVerlScript(target: Target, next: Omit<Writing, 'root'>): TextEdit[] {
  const { file, text, beside = [] } = target;
  const command = verlCommand(readScript(file, text, beside).commands);
  if (command === undefined) return [];
  const root = optionTree(command);
  const changes = changesOf({ ...next, root }, isReinforcement(root) && trainsByMegatron(root, configName(command)));
  return optionEdits(target, changes, { pick: verlCommand, word, switches: false });
}

const configName = ({ flags }: ShellCommand): string =>
  flags.find(({ name }) => name === 'config-name')?.words[0]?.text ?? '';

/** Keys of Megatron's own config are not in the schema: two pluses add or replace them. */
function word(path: Path, value: string | number | boolean): string {
  const plus = path.includes('override_transformer_config') ? '++' : '';
  return `${plus}${path.join('.')}=${pythonWord(value)}`;
}

function changesOf(writing: Writing, core: boolean): Change[] {
  const places = core ? keys.MEGATRON : [...keys.FSDP, keys.RESHARD];
  const isActor = isReinforcement(writing.root);
  const fits = (name: string) => name.startsWith('actor_rollout_ref.') === isActor;
  // A supervised run has names of its own.
  const own = [...places, keys.OPTIMIZER]
    .map(place => ({ ...place, at: place.at.filter(fits) }))
    .filter(({ at }) => at.length > 0);
  const changes = isActor
    ? [...placeChanges(writing, [...own, MICRO]), ...actorBatch(writing)]
    : placeChanges(writing, [...keys.SUPERVISED, ...own]);
  const more = core ? sequenceParallel(writing) : isActor ? shards(writing) : [];
  const all = [...changes.filter(({ path }) => core || path.at(-1) !== 'reshard_after_forward'), ...more];
  return [...all, ...(core ? withReference(writing, all) : [])];
}

function sequenceParallel({ root, plan, changed }: Writing): Change[] {
  if (!changed.has('sp') || plan.sp === null) return [];
  const stated = plainValue(nodeAt(root, ...pathOf(keys.SEQUENCE_PARALLEL)));
  // It is on by default, and off by itself without tensor parallelism.
  if (plan.sp ? stated !== false : (plan.tp ?? 1) === 1) return [];
  return [{ path: pathOf(keys.SEQUENCE_PARALLEL), value: plan.sp }];
}

function shards({ root, plan, changed }: Writing): Change[] {
  if (!changed.has('sharding') && !changed.has('shardSize')) return [];
  const path = pathOf(keys.FSDP_SIZE);
  if (plan.sharding === 'hsdp') return plan.shardSize === null ? [] : [{ path, value: plan.shardSize }];
  const whole: Change[] = nodeAt(root, ...path) === null ? [] : [{ path, value: -1 }];
  return [...whole, ...setPlace(root, keys.RESHARD, plan.sharding)];
}

/** A mini-batch counts prompts, each with its answers. */
function actorBatch({ root, plan, changed }: Writing): Change[] {
  const answers = plainValue(nodeAt(root, 'actor_rollout_ref', 'rollout', 'n')) ?? 1;
  if (!changed.has('globalBatch') || plan.globalBatch === null || typeof answers !== 'number') return [];
  const prompts = plan.globalBatch / answers;
  return Number.isInteger(prompts) ? [{ path: pathOf(`${keys.ACTOR}.ppo_mini_batch_size`), value: prompts }] : [];
}

/** Degrees that the reference model states as the actor has them now. */
function withReference({ root }: Writing, changes: readonly Change[]): Change[] {
  return changes.flatMap(({ path, value }) => {
    const at = path.indexOf('actor');
    if (at === -1 || !path.includes('megatron') || typeof value !== 'number') return [];
    const reference = path.map((key, index) => (index === at ? 'ref' : key));
    const present = plainValue(nodeAt(root, ...reference));
    const own = plainValue(nodeAt(root, ...path)) ?? 1;
    return present === own ? [{ path: reference, value }] : [];
  });
}

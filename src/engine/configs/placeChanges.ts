/** A plan's changed keys as changes of a file, by the places that its reader uses. */
import type { Plan, PlanKey, PlanValue } from '../plan/keys';
import type { Cluster } from '../setup/setup';
import type { TextFile } from './beside';
import { typed } from './interpolate';
import { pathOf, type Place, presentPath } from './places';
import type { Change } from './treeEdits';
import { type ConfigNode, nodeAt, plainValue, type Scalar } from './tree';

/** A text to edit. */
export interface Target extends TextFile {
  /** Files that it sources or imports: edits may stand in them. */
  readonly beside?: readonly TextFile[];
}

/** What a writer works from: the plan to write, and which of its keys are new. */
export interface Writing {
  readonly root: ConfigNode;
  readonly plan: Plan;
  readonly cluster: Cluster;
  readonly changed: ReadonlySet<PlanKey>;
}

/** Changes for the places of changed keys. A key that the file leaves at the framework's default is added only if it must. */
export function placeChanges(writing: Writing, places: readonly Place[]): Change[] {
  return places.flatMap(place => placeChange(writing, place));
}

function placeChange({ root, plan, changed }: Writing, place: Place): Change[] {
  const key = place.key as PlanKey;
  if (!changed.has(key) || plan[key] === undefined) return [];
  return setPlace(root, place, plan[key]);
}

/** The change that makes a place hold a value of ours. */
export function setPlace(root: ConfigNode, place: Place, value: PlanValue): Change[] {
  const path = presentPath(root, place);
  if (value === null || Array.isArray(value)) return [];
  if (path === undefined && value === place.absent) return [];
  const written = wordFor(root, place, value as Exclude<Scalar, null>);
  const target = path ?? pathOf(place.at[0] ?? '');
  return written === undefined ? [] : [{ path: target, value: written }];
}

/** The file's own word for a value: the present one where it means that already. */
function wordFor(root: ConfigNode, place: Place, value: Exclude<Scalar, null>): Scalar | undefined {
  const { words } = place;
  if (words === undefined) return value;
  const path = presentPath(root, place);
  const present = path === undefined ? null : (plainValue(nodeAt(root, ...path)) as Scalar);
  const word = String(present);
  if (path !== undefined && Object.hasOwn(words, word) && words[word] === value) return present;
  const found = Object.keys(words).find(name => words[name] === value && sameType(name, present));
  const any = found ?? Object.keys(words).find(name => words[name] === value);
  return any === undefined ? undefined : typed(any);
}

/** A number for a number, a name for a name. */
function sameType(word: string, present: Scalar): boolean {
  return present === null || typeof typed(word) === typeof present;
}

/** Micro-batches that a rank accumulates, where they are whole. */
export function accumulation({ microBatch, globalBatch, dp }: Plan): number | null {
  const steps = microBatch === null || globalBatch === null || dp === null ? NaN : globalBatch / (microBatch * dp);
  return Number.isInteger(steps) && steps >= 1 ? steps : null;
}

const BATCH_KEYS: readonly PlanKey[] = ['microBatch', 'globalBatch', 'dp'];

/** The accumulation that keeps the global batch, where the batch or dp changes. */
export function accumulationChange(writing: Writing, place: Place): Change[] {
  const steps = accumulation(writing.plan);
  if (steps === null || !BATCH_KEYS.some(key => writing.changed.has(key))) return [];
  return setPlace(writing.root, place, steps);
}

/** Which files of a folder make one setup. */
import type { FileReading } from '../setup/setup';

const MODEL_KINDS: readonly string[] = ['hf'];
/** Kinds that say only how a training file's run is sharded. */
const LAUNCH_KINDS: readonly string[] = ['deepspeed', 'accelerate'];

const isModel = ({ kind }: FileReading): boolean => kind !== null && MODEL_KINDS.includes(kind);
const isTraining = ({ kind }: FileReading): boolean => kind !== null && !MODEL_KINDS.includes(kind);

/**
 * The primary file with what belongs to it: the files that it names and those that name it; then a training config takes
 * the folder's model, a model the folder's training config, each only where there is exactly one, so that nothing is
 * guessed. GPT-NeoX's model files take the folder's one file without a model.
 */
export function belongTogether(primary: FileReading, others: readonly FileReading[]): FileReading[] {
  if (primary.kind === null) return [primary];
  const named = others.filter(other => refersTo(primary, other));
  const naming = others.filter(other => refersTo(other, primary));
  const group = naming.length === 1 ? [...naming, primary] : [primary, ...named];
  const rest = others.filter(other => !group.includes(other));
  const wanted = rest.filter(isModel(primary) ? standsAlone : isModel);
  if (wanted.length === 1) group.push(...wanted);
  if (primary.kind === 'gpt-neox') group.push(...neoxPart(primary, rest));
  return [primary, ...group.filter(reading => reading !== primary)];
}

/** A training config that is not a part of another file's. */
function standsAlone(reading: FileReading): boolean {
  return isTraining(reading) && !LAUNCH_KINDS.includes(reading.kind ?? '');
}

/** Whether a file names another, by a path that ends like the other's. */
function refersTo({ refers = [] }: FileReading, { file, kind }: FileReading): boolean {
  if (kind === null) return false;
  const path = plainPath(file);
  return refers.some(name => {
    const wanted = plainPath(name);
    return path === wanted || path.endsWith(`/${wanted}`) || wanted.endsWith(`/${path}`) || baseName(path) === wanted;
  });
}

/** Without leading dots, and with one kind of slash. */
function plainPath(path: string): string {
  return path.replaceAll('\\', '/').replace(/^(\.{0,2}\/)+/, '');
}

function baseName(path: string): string {
  return path.split('/').at(-1) ?? path;
}

/** The one other file of GPT-NeoX that has no model where this one has, or the reverse. */
function neoxPart(primary: FileReading, others: readonly FileReading[]): FileReading[] {
  const hasModel = ({ setup }: FileReading) => setup?.fields.has('model.layers') === true;
  const parts = others.filter(other => other.kind === 'gpt-neox' && hasModel(other) !== hasModel(primary));
  return parts.length === 1 ? parts : [];
}

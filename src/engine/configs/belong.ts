/** Which files of a folder make one setup. */
import type { FileReading } from '../setup/setup';
import { baseName, type Candidates, candidatePaths } from './beside';

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
  const including = others.filter(other => includes(other, primary));
  // A script that another one sources says what the two say together.
  if (including.length === 1) {
    const [whole] = including;
    const rest = others.filter(other => other !== whole);
    return [partOf(primary, whole), ...belongTogether(whole, rest)];
  }
  if (primary.kind === null) return [primary];
  const named = namedBy(primary, others);
  const naming = others.filter(other => refersTo(other, primary));
  const group = naming.length === 1 ? [...naming, primary] : [primary, ...named];
  const rest = others.filter(other => !group.includes(other) && !includes(primary, other));
  const hasModel = group.some(reading => reading !== primary && isModel(reading));
  const wanted = hasModel ? [] : rest.filter(isModel(primary) ? standsAlone : isModel);
  if (wanted.length === 1) group.push(...wanted);
  if (primary.kind === 'gpt-neox') group.push(...neoxPart(primary, rest));
  return [primary, ...group.filter(reading => reading !== primary)];
}

/** Without the setups of files whose text another one of them includes: they count once. */
export function withoutParts(readings: readonly FileReading[]): FileReading[] {
  return readings.map((reading, at) => {
    const whole = readings.find(
      (other, index) => index !== at && includes(other, reading) && !(index > at && includes(reading, other)),
    );
    return whole === undefined ? reading : partOf(reading, whole);
  });
}

function partOf(part: FileReading, whole: FileReading): FileReading {
  return { ...part, kind: part.kind ?? whole.kind, setup: null, problems: [] };
}

/** What a reading names, and what that names. */
function namedBy(reading: FileReading, others: readonly FileReading[]): FileReading[] {
  const found = [reading];
  // The loop goes on through what it adds.
  for (const from of found) found.push(...others.filter(other => !found.includes(other) && refersTo(from, other)));
  return found.slice(1);
}

/** Paths of files that readings name or include and that are not given, the likeliest first for each. */
export function wantedFiles(readings: readonly FileReading[], given: readonly string[]): Candidates[] {
  const known = new Set(given.map(plainPath));
  const wanted = readings.flatMap(({ file, includes: parts = [], refers = [] }) => [
    ...parts,
    ...refers.map(name => candidatePaths(file, name)),
  ]);
  const open = wanted.filter(paths => paths.length > 0 && !paths.some(path => known.has(plainPath(path))));
  return [...new Map(open.map(paths => [paths.join('\n'), paths])).values()];
}

/** A training config that is not a part of another file's. */
function standsAlone(reading: FileReading): boolean {
  return isTraining(reading) && !LAUNCH_KINDS.includes(reading.kind ?? '');
}

/** Whether a file names another: by one of the paths that a name may mean, or by a path that ends alike. */
function refersTo({ file: from, refers = [] }: FileReading, { file, kind }: FileReading): boolean {
  if (kind === null) return false;
  const path = plainPath(file);
  return refers.some(name => {
    if (candidatePaths(from, name).some(candidate => plainPath(candidate) === path)) return true;
    const wanted = plainPath(name);
    // Every model's file has the same name.
    if (baseName(wanted) === 'config.json') return path.endsWith(`/${wanted}`);
    return path.endsWith(`/${wanted}`) || wanted.endsWith(`/${path}`) || baseName(path) === wanted;
  });
}

function includes({ includes: parts = [] }: FileReading, { file }: FileReading): boolean {
  const path = plainPath(file);
  return parts.some(paths => paths.some(candidate => plainPath(candidate) === path));
}

/** Without leading dots, and with one kind of slash. */
function plainPath(path: string): string {
  return path.replaceAll('\\', '/').replace(/^(\.{0,2}\/)+/, '');
}

/** The one other file of GPT-NeoX that has no model where this one has, or the reverse. */
function neoxPart(primary: FileReading, others: readonly FileReading[]): FileReading[] {
  const hasModel = ({ setup }: FileReading) => setup?.fields.has('model.layers') === true;
  const parts = others.filter(other => other.kind === 'gpt-neox' && hasModel(other) !== hasModel(primary));
  return parts.length === 1 ? parts : [];
}

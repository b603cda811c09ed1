/**
 * Where the keys of a setup stand in a framework's file: data that its reader and its writer share.
 */
import { SIZE_LIMITS } from '../model/sizes';
import { PLAN_KEYS, type PlanKey, type PlanValue } from '../plan/keys';
import { problem } from '../problem';
import { isClusterKey, isFieldPath, isModelKey, type StatedKey } from '../setup/setup';
import { typed } from './interpolate';
import type { ConfigReader, Read } from './reader';
import { type ConfigNode, nodeAt, type Scalar } from './tree';

export interface Place {
  /** A key of the plan, the model (`model.layers`), the cluster (`cluster.gpus`) or a stated value. */
  readonly key: string;
  /** Paths with dots, of which the first that holds a value counts. */
  readonly at: readonly string[];
  /** The file's words for values of ours, by their text; null: the word says nothing. */
  readonly words?: Readonly<Record<string, PlanValue>>;
  /** What the framework takes where the key is absent. */
  readonly absent?: PlanValue;
  /** The least number that states something: 0 for frameworks that write 0 for none. */
  readonly min?: number;
}

export type Path = readonly string[];

export const pathOf = (dotted: string): Path => dotted.split('.');

/** The path of a place that the file holds, or undefined. */
export function presentPath(root: ConfigNode | null, { at }: Pick<Place, 'at'>): Path | undefined {
  return at.map(pathOf).find(path => {
    const node = nodeAt(root, ...path);
    return node !== null && !(node.kind === 'scalar' && node.value === null && node.missing === undefined);
  });
}

/** Reads every place into the setup. */
export function readPlaces(reader: ConfigReader, places: readonly Place[]): void {
  for (const place of places) readPlace(reader, place);
}

function readPlace(reader: ConfigReader, place: Place): void {
  const path = presentPath(reader.root, place);
  if (path === undefined) {
    if (place.absent !== undefined) assign(reader, place.key, place.absent, 'default', null);
    return;
  }
  reader.fields.set(path.join('.'), fieldOf(place.key));
  const read = place.words === undefined ? readTyped(reader, path, place) : readWord(reader, path, place.words);
  if (read !== null) assign(reader, place.key, read.value, 'file', read.source);
  else {
    const field = fieldOf(place.key);
    if (isFieldPath(field)) reader.builder.unknown.add(field);
  }
}

/** The field that a place fills. */
const fieldOf = (key: string): string => (key.includes('.') ? key : `plan.${key}`);

function readWord(reader: ConfigReader, path: Path, words: NonNullable<Place['words']>): Read<PlanValue> | null {
  const read = reader.word(path);
  if (read === null) return null;
  if (Object.hasOwn(words, read.value)) return { value: words[read.value] ?? null, source: read.source };
  // Of names frameworks have more than a table knows; switches and numbers have no others.
  if (Object.keys(words).some(word => typeof typed(word) === 'string')) {
    reader.problems.push(
      problem(
        'not-modelled',
        { what: 'word', name: read.value.slice(0, 60), key: path.join('.') },
        { source: read.source },
      ),
    );
    return null;
  }
  const expected = Object.keys(words).join(' | ');
  reader.problems.push(
    problem(
      'value-invalid',
      { key: path.join('.'), expected, value: read.value.slice(0, 60) },
      { source: read.source },
    ),
  );
  return null;
}

function readTyped(reader: ConfigReader, path: Path, { key, min }: Place): Read<Scalar> | null {
  const [part, name = ''] = key.split('.') as [string, string | undefined];
  if (part === 'model' && isModelKey(name)) {
    if (name === 'name') return reader.text(path);
    if (name === 'tied' || name === 'gatedMlp') return reader.boolean(path);
    return reader.integer(path, min ?? 1, SIZE_LIMITS[name]);
  }
  if (part === 'cluster' || !Object.hasOwn(PLAN_KEYS, key)) return reader.integer(path, min ?? 1, 2 ** 24);
  const { type, max } = PLAN_KEYS[key as PlanKey];
  if (type === 'boolean') return reader.boolean(path);
  if (type === 'text' || type === 'enum') return reader.text(path);
  return reader.integer(path, min ?? 1, max ?? 2 ** 32);
}

function assign(
  reader: ConfigReader,
  key: string,
  value: PlanValue,
  origin: 'file' | 'default',
  source: Read<0>['source'] | null,
) {
  const { builder } = reader;
  if (value === null) return;
  const [part, name = ''] = key.split('.') as [string, string | undefined];
  if (part === 'model' && isModelKey(name)) builder.setModel(name, value as never, origin, source);
  else if (part === 'cluster' && isClusterKey(name)) builder.setCluster(name, value as never, origin, source);
  else if (Object.hasOwn(PLAN_KEYS, key)) {
    // Frameworks that write 0 for none mean 1.
    const plain = value === 0 && PLAN_KEYS[key as PlanKey].min === 1 ? 1 : value;
    builder.setPlan(key as PlanKey, plain, origin, source);
  } else if (typeof value === 'number') builder.state(key as StatedKey, value, source);
}

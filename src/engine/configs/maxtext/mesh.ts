/** The degrees of MaxText's mesh: each axis is the product of its links inside a slice and between slices. */
import type { SourceRange } from '../../problem';
import type { ConfigReader } from '../reader';
import { nodeAt, plainValue } from '../tree';
import { AXES, type Axis, FILLED_BY_DEFAULT } from './keys';

export const LINKS = ['ici', 'dcn'] as const;

export interface Degree {
  /** The product of what is stated; -1 counts as 1. */
  readonly stated: number;
  /** One of its keys is -1: it takes what the other axes leave. */
  readonly fills: boolean;
  /** The key that states it, if one alone is not 1. */
  readonly source: SourceRange | null;
  readonly isKnown: boolean;
}

/** The keys of an axis, inside a slice first. */
export const keysOf = (axis: Axis): string[] =>
  LINKS.flatMap(link => AXES[axis].map(name => `${link}_${name}_parallelism`));

export function degreeOf(reader: ConfigReader, axis: Axis): Degree {
  let [stated, fills, isKnown] = [1, false, true];
  const sources: SourceRange[] = [];
  const ones: SourceRange[] = [];
  for (const key of keysOf(axis)) {
    const node = nodeAt(reader.root, key);
    const read = node === null ? null : reader.integer([key], -1, 2 ** 20);
    if (node !== null && (read === null || read.value === 0)) isKnown = false;
    const value = read?.value ?? (FILLED_BY_DEFAULT.includes(key) ? -1 : 1);
    if (value === -1) fills = true;
    else if (value > 1) {
      stated *= value;
      if (read !== null) sources.push(read.source);
    } else if (read !== null) ones.push(read.source);
  }
  const source = sources.length === 1 ? sources[0] : sources.length === 0 ? (ones[0] ?? null) : null;
  return { stated, fills, isKnown, source: source ?? null };
}

/** Axes that are -1 for a kind of link: at most one may be (max_utils.py, fill_unspecified_mesh_axes). */
export function filled(reader: ConfigReader, link: (typeof LINKS)[number]): { key: string; source: SourceRange }[] {
  return (Object.keys(AXES) as Axis[]).flatMap(axis =>
    keysOf(axis)
      .filter(key => key.startsWith(link) && plainValue(nodeAt(reader.root, key)) === -1)
      .map(key => ({ key, source: nodeAt(reader.root, key)?.source as SourceRange })),
  );
}

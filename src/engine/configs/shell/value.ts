/**
 * What a word of a shell script stands for: a rope of literals, expansions and alternatives in which every literal
 * knows its place. Values share their parts, so that appending to a variable costs no copy.
 */
import { LineIndex } from '../tree';

/** One file of a script. */
export class ShellText {
  readonly lines: LineIndex;

  constructor(
    readonly file: string,
    readonly text: string,
  ) {
    this.lines = new LineIndex(file, text);
  }
}

/** A stretch of a file, in offsets, end exclusive. */
export interface Place {
  readonly text: ShellText;
  readonly from: number;
  readonly to: number;
}

/** Why a value cannot be known from the script. */
export interface Reason {
  readonly kind: 'environment' | 'argument' | 'command' | 'branch' | 'loop' | 'expression' | 'size';
  /** The variable, argument or condition to blame. */
  readonly name: string;
}

export type ShellValue =
  /** `exact`: character i stands at place.from + i. */
  | { readonly kind: 'text'; readonly text: string; readonly place: Place; readonly exact: boolean }
  /** `unset`: a variable of the environment or an argument, which a plain run does not give. */
  | { readonly kind: 'unknown'; readonly reason: Reason; readonly place: Place; readonly unset: boolean }
  /** The expansion of a variable at a place. */
  | { readonly kind: 'use'; readonly place: Place; readonly value: ShellValue }
  | { readonly kind: 'quoted'; readonly value: ShellValue }
  | { readonly kind: 'join'; readonly parts: readonly ShellValue[] }
  /** An array. */
  | { readonly kind: 'list'; readonly items: readonly ShellValue[] }
  | { readonly kind: 'choice'; readonly reason: Reason; readonly variants: readonly ShellValue[] };

export const EMPTY: ShellValue = { kind: 'join', parts: [] };

/** Texts longer than this are never compared or counted with. */
const LONGEST_TEXT = 4096;

const known = new WeakMap<ShellValue, string | null>();

/** The text of a value, or null where it is unknown, differs by branch or is very long. */
export function textOf(value: ShellValue): string | null {
  if (value.kind === 'text') return value.text.length <= LONGEST_TEXT ? value.text : null;
  if (value.kind === 'unknown') return null;
  const cached = known.get(value);
  if (cached !== undefined) return cached;
  const text = computeText(value);
  const result = text !== null && text.length <= LONGEST_TEXT ? text : null;
  known.set(value, result);
  return result;
}

function computeText(value: Exclude<ShellValue, { kind: 'text' | 'unknown' }>): string | null {
  switch (value.kind) {
    case 'use':
    case 'quoted':
      return textOf(value.value);
    case 'join':
      return joinTexts(value.parts, '');
    case 'list':
      return joinTexts(value.items, ' ');
    case 'choice': {
      const texts = value.variants.map(textOf);
      return texts.every(text => text !== null && text === texts[0]) ? (texts[0] ?? null) : null;
    }
  }
}

function joinTexts(parts: readonly ShellValue[], between: string): string | null {
  let result = '';
  for (const [index, part] of parts.entries()) {
    const text = textOf(part);
    if (text === null || result.length > LONGEST_TEXT) return null;
    result += index === 0 ? text : between + text;
  }
  return result;
}

/** Values nest no deeper in any launch script: what lines build up without end is data, and is not followed. */
const DEEPEST_VALUE = 800;

const depths = new WeakMap<ShellValue, number>();

/** The value, or an unknown one in its place where it nests too deep for those that walk through it. */
export function bounded(value: ShellValue): ShellValue {
  if (depthOf(value) <= DEEPEST_VALUE) return value;
  return { kind: 'unknown', reason: { kind: 'size', name: '' }, place: placeIn(value), unset: false };
}

function depthOf(value: ShellValue): number {
  if (value.kind === 'text' || value.kind === 'unknown') return 0;
  const known = depths.get(value);
  if (known !== undefined) return known;
  const depth = partsOf(value).reduce((deepest, part) => Math.max(deepest, 1 + depthOf(part)), 0);
  depths.set(value, depth);
  return depth;
}

function partsOf(value: ShellValue): readonly ShellValue[] {
  switch (value.kind) {
    case 'text':
    case 'unknown':
      return [];
    case 'use':
    case 'quoted':
      return [value.value];
    case 'join':
      return value.parts;
    case 'list':
      return value.items;
    case 'choice':
      return value.variants;
  }
}

/** The place of the first part that has one; a value that nests has parts, and the innermost of them has one. */
function placeIn(value: ShellValue): Place {
  const waiting = [value];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if ('place' in next) return next.place;
    waiting.push(...partsOf(next));
  }
  return NO_PLACE;
}

const NO_PLACE: Place = { text: new ShellText('', ''), from: 0, to: 0 };

/** The first reason for which a value is unknown. */
export function reasonOf(value: ShellValue): Reason | null {
  switch (value.kind) {
    case 'text':
      return null;
    case 'unknown':
      return value.reason;
    case 'use':
    case 'quoted':
      return reasonOf(value.value);
    case 'join':
    case 'list': {
      const parts = value.kind === 'join' ? value.parts : value.items;
      const blamed = parts.find(part => textOf(part) === null);
      return blamed === undefined ? null : reasonOf(blamed);
    }
    case 'choice':
      return textOf(value) === null ? value.reason : null;
  }
}

/** A value without the wrappers that say where and how it was expanded. */
export function bare(value: ShellValue): ShellValue {
  let at = value;
  for (;;) {
    if (at.kind === 'use' || at.kind === 'quoted') at = at.value;
    else if (at.kind === 'join' && at.parts.length === 1) at = at.parts[0];
    else return at;
  }
}

/** Whether a value is a variable or argument that a plain run leaves unset. */
export function isUnset(value: ShellValue): boolean {
  const inner = bare(value);
  return inner.kind === 'unknown' && inner.unset;
}

/**
 * One value from those that a variable has after each branch. What all branches share (the value before them) is
 * kept outside the choice: `options="$options --fp16"` in a branch leaves the options before it known.
 */
export function mergeValues(reason: Reason, before: ShellValue, values: readonly ShellValue[]): ShellValue {
  const first = values[0] ?? before;
  if (values.every(value => value === first)) return first;
  const splits = values.map(value => splitAround(value, before));
  if (before !== EMPTY && splits.every(split => split !== null)) {
    const list = splits.some(split => split.list);
    const join = (parts: readonly ShellValue[]): ShellValue =>
      list ? { kind: 'list', items: parts } : { kind: 'join', parts };
    const side = (parts: readonly (readonly ShellValue[])[]): ShellValue[] =>
      parts.every(part => part.length === 0) ? [] : [{ kind: 'choice', reason, variants: parts.map(join) }];
    return join([...side(splits.map(split => split.left)), before, ...side(splits.map(split => split.right))]);
  }
  return { kind: 'choice', reason, variants: values };
}

interface Split {
  readonly left: readonly ShellValue[];
  readonly right: readonly ShellValue[];
  readonly list: boolean;
}

/** What stands left and right of a part inside a value, or null where it is not in it. Other variables are not entered. */
function splitAround(value: ShellValue, part: ShellValue): Split | null {
  if (value === part || (value.kind === 'use' && value.value === part)) {
    return { left: [], right: [], list: part.kind === 'list' };
  }
  if (value.kind === 'quoted') return splitAround(value.value, part);
  if (value.kind !== 'join' && value.kind !== 'list') return null;
  const parts = value.kind === 'join' ? value.parts : value.items;
  for (const [index, item] of parts.entries()) {
    const inner = splitAround(item, part);
    if (inner === null) continue;
    return {
      left: [...parts.slice(0, index), ...inner.left],
      right: [...inner.right, ...parts.slice(index + 1)],
      list: value.kind === 'list' || inner.list,
    };
  }
  return null;
}

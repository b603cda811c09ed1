/**
 * `${…}` in config files: keys of the same file (OmegaConf, absolute or relative), arithmetic of NeMo's launcher,
 * variables of the environment with a default. What the file does not determine is marked as missing, never guessed.
 */
import { type Problem, problem, type SourceRange } from '../problem';
import { type ConfigNode, type Entry, nodeAt, type Scalar, type ScalarNode } from './tree';

/** Texts longer than this are not values of a plan; it also ends texts that refer to themselves many times. */
const LONGEST = 1000;
const DEEPEST = 50;

export interface Interpolated {
  readonly root: ConfigNode;
  /** Variables of the environment whose default counts. */
  readonly problems: readonly Problem[];
}

/** The tree with every reference replaced that the file determines. */
export function interpolate(root: ConfigNode): Interpolated {
  const resolver = new Resolver(root);
  return { root: resolver.tree(root, []), problems: resolver.problems };
}

type Value = { readonly value: Scalar; readonly missing?: string };

class Resolver {
  readonly problems: Problem[] = [];
  private depth = 0;
  private readonly reported = new Set<string>();
  private readonly resolved = new Map<ConfigNode, Value>();

  constructor(private readonly root: ConfigNode) {}

  tree(node: ConfigNode, path: readonly string[]): ConfigNode {
    switch (node.kind) {
      case 'scalar':
        return this.scalar(node, path);
      case 'list':
        return { ...node, items: node.items.map(item => this.tree(item, path)) };
      case 'map': {
        const entries = new Map<string, Entry>();
        for (const [key, entry] of node.entries) {
          entries.set(key, { ...entry, node: this.tree(entry.node, [...path, key]) });
        }
        return { ...node, entries };
      }
    }
  }

  private scalar(node: ScalarNode, path: readonly string[]): ScalarNode {
    if (node.value === '???') return { ...node, value: null, missing: '???' };
    if (typeof node.value !== 'string' || !node.value.includes('${')) return node;
    const { value, missing } = this.text(node.value, path, node.source);
    return missing === undefined ? { ...node, value } : { ...node, value: null, missing };
  }

  /** A text in which each reference is replaced; one that is a single reference keeps the type of its target. */
  private text(text: string, path: readonly string[], source: SourceRange): Value {
    let result = '';
    let at = 0;
    for (let start = text.indexOf('${'); start !== -1; start = text.indexOf('${', at)) {
      const end = closing(text, start + 2);
      if (end === -1) return { value: null, missing: text.slice(start, start + 40) };
      const found = this.reference(text.slice(start + 2, end), path, source);
      if (found.missing !== undefined) return found;
      if (start === 0 && end === text.length - 1) return found;
      result += text.slice(at, start) + String(found.value);
      at = end + 1;
      if (result.length > LONGEST) return { value: null, missing: text.slice(0, 40) };
    }
    return { value: typed(result + text.slice(at)) };
  }

  private reference(inner: string, path: readonly string[], source: SourceRange): Value {
    if (this.depth >= DEEPEST) return { value: null, missing: inner.slice(0, 40) };
    this.depth++;
    const colon = inner.indexOf(':');
    const isCall = colon > 0 && !inner.slice(0, colon).includes('${');
    const found = isCall
      ? this.call(inner.slice(0, colon), inner.slice(colon + 1), path, source)
      : this.lookUp(inner, path, source);
    this.depth--;
    return found;
  }

  /** A key of this file: from its root, or with leading dots from the map that holds the reference. */
  private lookUp(name: string, path: readonly string[], source: SourceRange): Value {
    const dots = name.length - name.replace(/^\.+/, '').length;
    const base = dots === 0 ? [] : path.slice(0, Math.max(0, path.length - dots));
    const target = [...base, ...name.slice(dots).split('.')];
    const node = nodeAt(this.root, ...target);
    if (node === null || node.kind !== 'scalar') return { value: null, missing: name.slice(0, 60) };
    if (node.value === '???') return { value: null, missing: name.slice(0, 60) };
    if (typeof node.value !== 'string' || !node.value.includes('${')) return { value: node.value };
    const known = this.resolved.get(node);
    if (known !== undefined) return known;
    // Until it is resolved: a text that refers to itself finds nothing.
    this.resolved.set(node, { value: null, missing: name.slice(0, 60) });
    const value = this.text(node.value, target, source);
    this.resolved.set(node, value);
    return value;
  }

  private call(name: string, rest: string, path: readonly string[], source: SourceRange): Value {
    const args = splitArgs(rest);
    if (name === 'oc.env' || name === 'env') return this.environment(args[0] ?? '', args[1], path, source);
    if (/^[A-Z_][A-Z0-9_]*$/.test(name)) return this.environment(name, rest.replace(/^-/, ''), path, source);
    if (name === 'oc.select') {
      const found = this.lookUp(args[0] ?? '', path, source);
      return found.missing !== undefined && args[1] !== undefined ? this.text(args[1], path, source) : found;
    }
    const combine = Object.hasOwn(ARITHMETIC, name) ? ARITHMETIC[name] : undefined;
    if (combine === undefined) return { value: null, missing: `${name}:` };
    const values = args.map(arg => this.text(arg, path, source));
    const unknown = values.find(({ missing }) => missing !== undefined);
    if (unknown !== undefined) return unknown;
    const numbers = values.map(({ value }) => Number(value));
    const result = numbers.length === 0 ? NaN : numbers.reduce(combine);
    return Number.isFinite(result) ? { value: result } : { value: null, missing: name };
  }

  private environment(name: string, fallback: string | undefined, path: readonly string[], source: SourceRange): Value {
    if (fallback === undefined || fallback === '') return { value: null, missing: name };
    const found = this.text(fallback, path, source);
    if (found.missing === undefined && !this.reported.has(name)) {
      this.reported.add(name);
      this.problems.push(problem('environment-default', { name, value: String(found.value) }, { source }));
    }
    return found;
  }
}

const ARITHMETIC: Readonly<Record<string, (a: number, b: number) => number>> = {
  multiply: (a, b) => a * b,
  mul: (a, b) => a * b,
  add: (a, b) => a + b,
  sum: (a, b) => a + b,
  subtract: (a, b) => a - b,
  divide: (a, b) => a / b,
  divide_floor: (a, b) => Math.floor(a / b),
  divide_ceil: (a, b) => Math.ceil(a / b),
};

/** The index of the brace that closes one opened before `from`, or -1. */
function closing(text: string, from: number): number {
  let depth = 1;
  for (let i = from; i < text.length; i++) {
    if (text[i] === '{') depth++;
    else if (text[i] === '}' && --depth === 0) return i;
  }
  return -1;
}

/** Arguments at commas outside of braces. */
function splitArgs(text: string): string[] {
  const args = [''];
  let depth = 0;
  for (const next of text) {
    if (next === '{') depth++;
    if (next === '}') depth--;
    if (next === ',' && depth === 0) args.push('');
    else args[args.length - 1] += next;
  }
  return args.map(arg => arg.trim());
}

/** A text as YAML would read it where it stands for a number, a boolean or nothing. */
export function typed(text: string): Scalar {
  const clean = text.trim();
  if (clean === 'true' || clean === 'True') return true;
  if (clean === 'false' || clean === 'False') return false;
  if (clean === 'null' || clean === 'None' || clean === '~') return null;
  const number = clean === '' ? NaN : Number(clean);
  return Number.isFinite(number) ? number : text;
}

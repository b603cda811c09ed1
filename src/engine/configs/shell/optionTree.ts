/**
 * The options of a command as a config tree, so that a script is read like a file: `--a.b 1`, `--a_b`, and Hydra's
 * `a.b=1`. Dashes count as underscores; an option without a value is true.
 */
import { typed } from '../interpolate';
import type { ConfigNode, Entry, MapNode } from '../tree';
import type { Flag, FlagWord } from './flags';
import type { ShellCommand } from './script';

type Branch = MapNode & { readonly entries: Map<string, Entry> };

/** Keys nest no deeper in any framework. */
const DEEPEST = 12;

export function optionTree({ flags, settings, source }: ShellCommand): MapNode {
  const root: Branch = { kind: 'map', entries: new Map(), source };
  for (const flag of [...flags, ...settings]) {
    const path = flag.name.replaceAll('-', '_').split('.').slice(0, DEEPEST);
    const last = path.pop();
    if (last === undefined) continue;
    let at = root;
    for (const key of path) {
      const there = at.entries.get(key)?.node;
      const next: Branch =
        there?.kind === 'map' ? (there as Branch) : { kind: 'map', entries: new Map(), source: flag.source };
      at.entries.set(key, { key: flag.source, node: next });
      at = next;
    }
    at.entries.set(last, { key: flag.source, node: valueOf(flag) });
  }
  return root;
}

function valueOf({ words, source, depends }: Flag): ConfigNode {
  if (depends !== null) return { kind: 'scalar', value: null, source, missing: depends.name.slice(0, 60) };
  const [word] = words;
  if (word === undefined) return { kind: 'scalar', value: true, source };
  if (words.length === 1) return scalar(word, source);
  return { kind: 'list', items: words.map(each => scalar(each, source)), source };
}

/** The literal that determines a value is its place. */
function scalar({ text, reason, levels }: FlagWord, flag: Flag['source']): ConfigNode {
  const source = levels[0]?.[0] ?? flag;
  if (text === null) return { kind: 'scalar', value: null, source, missing: (reason?.name ?? '').slice(0, 60) };
  return { kind: 'scalar', value: typed(text), source };
}

/** What a Python function returns as the tree on which the readers of data formats work. */
import type { ConfigNode, Entry } from '../tree';
import type { PythonValue } from './value';

/** Objects nest no deeper than this in any config. */
const DEEPEST = 40;

/** Objects become maps of their fields, symbols and unknown values scalars; what is unknown says what is missing. */
export function toConfigNode(value: PythonValue, depth = 0): ConfigNode {
  const { source } = value;
  switch (value.kind) {
    case 'literal':
      return { kind: 'scalar', value: value.value, source };
    case 'symbol':
      return { kind: 'scalar', value: value.name, source };
    case 'unknown':
      return { kind: 'scalar', value: null, source, missing: value.reason };
    case 'list':
      return {
        kind: 'list',
        items: depth > DEEPEST ? [] : value.items.map(item => toConfigNode(item, depth + 1)),
        source,
      };
    case 'object': {
      const entries = new Map<string, Entry>();
      if (depth <= DEEPEST) {
        for (const [key, field] of value.fields)
          entries.set(key, { key: source, node: toConfigNode(field, depth + 1) });
      }
      return { kind: 'map', entries, source };
    }
  }
}

/** A map of nodes that stand in several places of a file. */
export function mapOf(source: ConfigNode['source'], nodes: Readonly<Record<string, ConfigNode | null>>): ConfigNode {
  const entries = new Map<string, Entry>();
  for (const [key, node] of Object.entries(nodes)) if (node !== null) entries.set(key, { key: node.source, node });
  return { kind: 'map', entries, source };
}

/** A plan as changes of GPT-NeoX's YAML, under the keys as the file spells them, with dashes or underscores. */
import { writeDeepSpeed } from '../deepspeed/write';
import { placeChanges, type Writing } from '../placeChanges';
import type { Change } from '../treeEdits';
import { CHOICES, DEGREES } from './keys';
import { withUnderscores } from './read';

export function writeGptNeox(writing: Writing): Change[] {
  const plain: Writing = { ...writing, root: withUnderscores(writing.root) };
  const changes = [
    ...placeChanges(plain, [...DEGREES, ...CHOICES]),
    ...writeDeepSpeed({ ...plain, changed: withoutDegrees(plain) }),
  ];
  const { root } = writing;
  const keys = root.kind === 'map' ? [...root.entries.keys()] : [];
  const dashed = keys.some(key => key.includes('-'));
  return changes.map(({ path: [first = '', ...rest], value }) => {
    const written = keys.find(key => key.replaceAll('-', '_') === first);
    return { path: [written ?? (dashed ? first.replaceAll('_', '-') : first), ...rest], value };
  });
}

/** NeoX has keys of its own for what DeepSpeed calls autotp and sequence parallelism. */
function withoutDegrees({ changed }: Writing): Writing['changed'] {
  return new Set([...changed].filter(key => key !== 'tp' && key !== 'cp'));
}

/** Python's truth of a value. */
import { isTrue } from './operators';
import type { PythonValue } from './value';

/** Whether a value counts as true, or null where that is unknown. */
export function truthOf(value: PythonValue): boolean | null {
  switch (value.kind) {
    case 'literal':
      return isTrue(value.value);
    case 'list':
      return value.items.length > 0;
    case 'object':
      return value.callee === 'dict' ? value.fields.size > 0 : null;
    case 'symbol':
    case 'unknown':
      return null;
  }
}

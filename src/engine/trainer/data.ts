/** The data of a run: the bytes of a text as tokens, the same batch at each step. */
import { type Problem, problem } from '../problem';
import type { Batch } from './state';

/** A text for when nobody gives one: enough of a pattern for the loss to fall. */
const DEFAULT_TEXT =
  'Many ranks share one model: each holds its slice, computes its part, and talks to the others. ' +
  'What the parallel program computes must be what one device alone would have computed.\n';

/** Sequence i begins at byte i · s; the text goes round. */
export function textBatch(text: Uint8Array, seqLen: number): Batch {
  return { token: (sequence, position) => text[(sequence * seqLen + position) % text.length] };
}

/** The bytes of the default text; they are all ASCII. */
export function defaultText(): Uint8Array {
  return Uint8Array.from(DEFAULT_TEXT, character => character.charCodeAt(0));
}

/** What is wrong with a text without a byte, from which no batch can be made. */
export function emptyText(): Problem {
  return problem('value-invalid', { key: 'data', value: '', expected: 'a file with text' });
}

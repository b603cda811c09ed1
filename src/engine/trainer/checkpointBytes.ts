/**
 * A checkpoint as bytes and back: the length of a JSON header (32 bits, little endian), the header with steps and the
 * lists of tensors, padding to 8 bytes, then the numbers of all tensors in f64, little endian, one after the other.
 */
import { invariant } from '../problem';
import type { Checkpoint } from './checkpoint';

interface Header {
  readonly format: typeof FORMAT;
  readonly steps: number;
  /** Names and lengths: the weights, then each moment. */
  readonly lists: readonly (readonly (readonly [string, number])[])[];
}

const FORMAT = 'meshlens-checkpoint/1';

export function encodeCheckpoint({ steps, weights, moments }: Checkpoint): Uint8Array {
  const lists = [weights, ...moments];
  const names = lists.map(list => [...list].map(([name, { length }]) => [name, length] as const));
  const header: Header = { format: FORMAT, steps, lists: names };
  // Escaped, so that every character is a byte.
  const text = JSON.stringify(header).replace(
    /[^\x20-\x7e]/g,
    c => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const first = Math.ceil((4 + text.length) / 8) * 8;
  const length = names.flat().reduce((sum, [, n]) => sum + n, 0);
  const bytes = new Uint8Array(first + 8 * length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, text.length, true);
  for (let i = 0; i < text.length; i++) bytes[4 + i] = text.charCodeAt(i);
  let at = first;
  for (const list of lists)
    for (const values of list.values())
      for (const value of values) {
        view.setFloat64(at, value, true);
        at += 8;
      }
  return bytes;
}

/** Null where the bytes are no checkpoint, or a part of one. */
export function decodeCheckpoint(bytes: Uint8Array): Checkpoint | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const header = headerOf(bytes, view);
  if (header === null) return null;
  let at = Math.ceil((4 + view.getUint32(0, true)) / 8) * 8;
  const length = header.lists.flat().reduce((sum, [, n]) => sum + n, 0);
  if (bytes.byteLength !== at + 8 * length) return null;
  const lists = header.lists.map(names => {
    const list = new Map<string, Float64Array>();
    for (const [name, n] of names) {
      const values = new Float64Array(n);
      for (let i = 0; i < n; i++, at += 8) values[i] = view.getFloat64(at, true);
      list.set(name, values);
    }
    return list;
  });
  const [weights, ...moments] = lists;
  invariant(weights !== undefined, 'a checkpoint without weights');
  return { steps: header.steps, weights, moments };
}

function headerOf(bytes: Uint8Array, view: DataView): Header | null {
  if (bytes.byteLength < 4) return null;
  const end = 4 + view.getUint32(0, true);
  if (end > bytes.byteLength) return null;
  let text = '';
  for (let i = 4; i < end; i++) text += String.fromCharCode(bytes[i]);
  try {
    const header = JSON.parse(text) as Header;
    return header.format === FORMAT && header.lists.length > 0 ? header : null;
  } catch {
    return null;
  }
}

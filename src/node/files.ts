/** Config files from the disk. */
import { closeSync, openSync, readFileSync, renameSync, writeFileSync, fsyncSync } from 'node:fs';

/** A file's text: UTF-8, or UTF-16 where a byte order mark says so; the mark is left out. */
export function readText(file: string): string {
  return decodeText(readFileSync(file));
}

function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return new TextDecoder('utf-8').decode(bytes);
}

/** Replaces a file as a whole: either the old text stays or the new one is there. A byte order mark is kept. */
export function replaceText(file: string, text: string): void {
  const hadMark = readFileSync(file)
    .subarray(0, 3)
    .equals(Buffer.from([0xef, 0xbb, 0xbf]));
  const temporary = `${file}.meshlens-${process.pid}`;
  const handle = openSync(temporary, 'wx');
  try {
    writeFileSync(handle, hadMark ? `\uFEFF${text}` : text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(temporary, file);
}

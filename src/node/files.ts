/** Config files from the disk. */
import {
  closeSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
  fsyncSync,
} from 'node:fs';
import { dirname, relative, isAbsolute } from 'node:path';

/** A file's text: UTF-8, or UTF-16 where a byte order mark says so; the mark is left out. */
export function readText(file: string): string {
  return decodeText(readFileSync(file));
}

/** A file larger than this is no config that another one names. */
const LARGEST_BYTES = 1_000_000;

/**
 * The text of the first of some paths that is a file in the working folder or beside `from`; null where there is none.
 * What a link leads to counts, so that nothing outside is opened.
 */
export function readNamed(from: string, paths: readonly string[]): { file: string; text: string } | null {
  const folders = [process.cwd(), realpathSync(dirname(from))];
  for (const file of paths) {
    try {
      const real = realpathSync(file);
      const { size } = statSync(real);
      const inside = folders.some(folder => isInside(folder, real));
      if (inside && size <= LARGEST_BYTES) return { file, text: readText(real) };
    } catch {
      // No such file, or none that can be read: the next path may be one.
    }
  }
  return null;
}

function isInside(folder: string, file: string): boolean {
  const path = relative(folder, file);
  return path !== '' && !path.startsWith('..') && !isAbsolute(path);
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

/** Config files from the disk. */
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  fsyncSync,
} from 'node:fs';
import { basename, dirname, isAbsolute, join, relative } from 'node:path';

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
      const found = statSync(real);
      const inside = folders.some(folder => isInside(folder, real));
      // A pipe or a device has no size, and reading it may never end.
      if (inside && found.isFile() && found.size <= LARGEST_BYTES) return { file, text: readText(real) };
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

/** Writes new files into a folder, which need not be there; the first that is there already, or null after writing all. */
export function createTexts(folder: string, files: readonly { name: string; text: string }[]): string | null {
  const paths = files.map(({ name, text }) => ({ path: join(folder, name), text }));
  const taken = paths.find(({ path }) => existsSync(path));
  if (taken !== undefined) return taken.path;
  for (const { path, text } of paths) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { flag: 'wx' });
  }
  return null;
}

/** The calls that a replacement makes, which tests let fail. */
export interface WriteCalls {
  readonly open: (file: string, flags: 'wx', mode: number) => number;
  readonly write: (handle: number, data: string | Uint8Array) => void;
  readonly sync: (handle: number) => void;
  readonly close: (handle: number) => void;
  readonly rename: (from: string, to: string) => void;
}

const DISK: WriteCalls = {
  open: openSync,
  write: writeFileSync,
  sync: fsyncSync,
  close: closeSync,
  rename: renameSync,
};

/** Replaces a text as `replaceFile` does; a byte order mark is kept. */
export function replaceText(file: string, text: string, disk: WriteCalls = DISK): void {
  const hadMark = readFileSync(file)
    .subarray(0, 3)
    .equals(Buffer.from([0xef, 0xbb, 0xbf]));
  replaceFile(file, hadMark ? `\uFEFF${text}` : text, disk);
}

/**
 * Writes a file as a whole: either what was there stays or the new is there. The mode of a file that was there is kept,
 * and a link leads on to its file. What an interrupted replacement has left beside the file is removed.
 */
export function replaceFile(file: string, data: string | Uint8Array, disk: WriteCalls = DISK): void {
  const isThere = existsSync(file);
  // A device or a pipe is written into, and nothing put in its place.
  if (isThere && !statSync(file).isFile()) return writeFileSync(file, data);
  const real = isThere ? realpathSync(file) : file;
  removeLeftovers(real);
  const temporary = `${real}${LEFTOVER}${process.pid}`;
  try {
    const handle = disk.open(temporary, 'wx', isThere ? statSync(real).mode & 0o777 : 0o666);
    try {
      disk.write(handle, data);
      disk.sync(handle);
    } finally {
      disk.close(handle);
    }
    disk.rename(temporary, real);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Ends with the number of the process that writes. */
const LEFTOVER = '.meshlens-';

function removeLeftovers(file: string): void {
  const prefix = `${basename(file)}${LEFTOVER}`;
  for (const name of readdirSync(dirname(file))) {
    const process_ = Number(name.slice(prefix.length));
    if (name.startsWith(prefix) && Number.isInteger(process_) && !isRunning(process_))
      rmSync(join(dirname(file), name), { force: true });
  }
}

/** Another process may be writing the same file now. */
function isRunning(id: number): boolean {
  if (id === process.pid) return false;
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

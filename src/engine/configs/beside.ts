/** Files beside the one that is read: which paths a name in a file may mean, and which of the given files it is. */

/** A file with its text; names have one root, such as the workspace's folder. */
export interface TextFile {
  readonly file: string;
  readonly text: string;
}

/** Paths where a named file may lie, the likeliest first. */
export type Candidates = readonly string[];

/** Folders above a file in which a name may stand: launch scripts are run from the root of their repository. */
const MOST_FOLDERS = 12;

/** Names longer than this, or with these characters, are no paths of files that we would look for. */
const LONGEST_NAME = 300;
const NO_PATH = /[\0\n*?"<>|$`{}]|^~|:\/\//;

/**
 * A name in a file as paths: from the file's own folder, then from each folder above it. Empty where the name is no
 * path. Paths that leave the root start with `..`; absolute names are taken from each folder without their slash, so
 * that none leaves it.
 */
export function candidatePaths(from: string, name: string): Candidates {
  const wanted = name.trim().replaceAll('\\', '/').replace(/^\/+/, '');
  if (wanted === '' || wanted.length > LONGEST_NAME || NO_PATH.test(wanted)) return [];
  const folders = from.replaceAll('\\', '/').split('/').slice(0, -1);
  const nearest = folders.map((_, above) => folders.slice(0, folders.length - above));
  const paths = [...nearest, []].slice(0, MOST_FOLDERS).map(folder => plain([...folder, ...wanted.split('/')]));
  return [...new Set(paths)].filter(path => path !== '' && path !== '/');
}

/** A path without `.` and without the `..` that a folder before it settles. */
function plain(parts: readonly string[]): string {
  const result: string[] = [];
  for (const [at, part] of parts.entries()) {
    const last = result.at(-1);
    if (part === '..' && last !== undefined && last !== '..' && last !== '') result.pop();
    else if (part !== '.' && (part !== '' || at === 0)) result.push(part);
  }
  return result.join('/');
}

/** The files that a reading may look into, with the memory of what it asked for. */
export class Beside {
  /** What was asked for, found or not. */
  readonly named: Candidates[] = [];
  private readonly byPath: ReadonlyMap<string, TextFile>;

  constructor(private readonly files: readonly TextFile[]) {
    this.byPath = new Map(files.map(file => [plain(file.file.replaceAll('\\', '/').split('/')), file]));
  }

  /** The Python module that a file imports: `.common` beside it, `package.module` under a folder above it. */
  findModule(from: string, name: string): TextFile | undefined {
    const dots = /^\.*/.exec(name)?.[0].length ?? 0;
    const path = `${name.slice(dots).replaceAll('.', '/')}.py`;
    const relative = candidatePaths(from, `${'../'.repeat(Math.max(0, dots - 1))}${path}`);
    const candidates = dots > 0 ? relative.slice(0, 1) : relative;
    if (path === '.py' || candidates.length === 0) return undefined;
    if (!this.named.some(known => known[0] === candidates[0])) this.named.push(candidates);
    const found = candidates.find(candidate => this.byPath.has(candidate));
    return found === undefined ? undefined : this.byPath.get(found);
  }

  /** The file that another one names: at one of its candidates, else the only one of that base name. */
  find(from: string, name: string): TextFile | undefined {
    const candidates = candidatePaths(from, name);
    if (candidates.length === 0) return undefined;
    this.named.push(candidates);
    const path = candidates.find(candidate => this.byPath.has(candidate));
    if (path !== undefined) return this.byPath.get(path);
    const alike = this.files.filter(({ file }) => baseName(file) === baseName(name));
    return alike.length === 1 ? alike[0] : undefined;
  }
}

export function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

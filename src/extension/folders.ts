/**
 * Files beside an open config, from open documents where they are open and from the disk elsewhere: the other configs
 * of its folder, and files that it names. Nothing outside the workspace's folders is looked at but the folder itself.
 */
import * as vscode from 'vscode';
import { ENDINGS } from './signs';
import { diskText, mayBeNamed, openText } from './texts';

export interface FolderFile {
  readonly uri: vscode.Uri;
  readonly text: string;
}

const MOST_FILES = 100;

export class Folders implements vscode.Disposable {
  /** Texts that the disk held when they were last asked for; null: no file that we read. */
  private readonly texts = new Map<string, Promise<string | null>>();
  private readonly folders = new Map<string, Promise<vscode.Uri[]>>();
  private readonly watcher = vscode.workspace.createFileSystemWatcher(`**/*.{${ENDINGS.join(',')}}`);
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  /** A file that was looked at, or looked for, has changed on the disk. */
  readonly onDidChange = this.changed.event;

  constructor(private readonly accepts: (path: string, text: string) => boolean) {
    const forget = (uri: vscode.Uri): void => {
      const hadText = this.texts.delete(uri.toString());
      if (hadText || this.folders.has(folderOf(uri).toString())) this.changed.fire(uri);
    };
    this.watcher.onDidChange(forget);
    for (const listed of [this.watcher.onDidCreate, this.watcher.onDidDelete]) {
      listed(uri => {
        const hadFolder = this.folders.delete(folderOf(uri).toString());
        if (this.texts.delete(uri.toString()) || hadFolder) this.changed.fire(uri);
      });
    }
  }

  /** The other configs beside a file. */
  async beside(uri: vscode.Uri): Promise<FolderFile[]> {
    const folder = folderOf(uri);
    const listed = this.folders.get(folder.toString()) ?? list(folder);
    this.folders.set(folder.toString(), listed);
    const others = (await listed).filter(other => other.toString() !== uri.toString());
    const files = await Promise.all(others.map(other => this.file(other)));
    return files.filter(file => file !== null).filter(({ uri: { path }, text }) => this.accepts(path, text));
  }

  /** The first of some paths, as `asRelativePath` writes them, that is a file in the workspace folder of `from`. */
  async find(from: vscode.Uri, paths: readonly string[]): Promise<FolderFile | null> {
    for (const path of paths) {
      const uri = inWorkspace(from, path);
      const file = uri === null || !(await mayBeNamed(from, uri)) ? null : await this.file(uri);
      if (file !== null) return file;
    }
    return null;
  }

  /** A file's present text; null where there is no such file, or one too large. */
  async file(uri: vscode.Uri): Promise<FolderFile | null> {
    const key = uri.toString();
    const open = openText(uri);
    if (open !== undefined) return { uri, text: open };
    const read = this.texts.get(key) ?? diskText(uri);
    // What the watcher does not see is read each time.
    if (ENDINGS.some(ending => uri.path.endsWith(`.${ending}`))) this.texts.set(key, read);
    const text = await read;
    return text === null ? null : { uri, text };
  }

  dispose(): void {
    this.watcher.dispose();
    this.changed.dispose();
  }
}

async function list(folder: vscode.Uri): Promise<vscode.Uri[]> {
  try {
    return (await vscode.workspace.fs.readDirectory(folder))
      .filter(([name, type]) => type === vscode.FileType.File && ENDINGS.some(ending => name.endsWith(`.${ending}`)))
      .slice(0, MOST_FILES)
      .map(([name]) => vscode.Uri.joinPath(folder, name));
  } catch {
    // A folder that cannot be listed (an untitled document's, say) has no companions.
    return [];
  }
}

/** A relative path under the workspace folder of a file, or null where it would leave it. */
function inWorkspace(from: vscode.Uri, path: string): vscode.Uri | null {
  const folder = vscode.workspace.getWorkspaceFolder(from);
  const parts = path.split('/');
  if (folder === undefined || path.startsWith('/') || parts.includes('..')) return null;
  const hasName = (vscode.workspace.workspaceFolders?.length ?? 0) > 1;
  if (hasName && parts[0] !== folder.name) return null;
  return vscode.Uri.joinPath(folder.uri, ...(hasName ? parts.slice(1) : parts));
}

function folderOf(uri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(uri, '..');
}

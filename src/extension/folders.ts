/** Configs that lie in one folder, from open documents where they are open and from the disk elsewhere. */
import * as vscode from 'vscode';
import { ENDINGS } from './signs';

interface FolderFile {
  readonly uri: vscode.Uri;
  readonly text: string;
}

const MOST_FILES = 100;
const LARGEST_BYTES = 1_000_000;

export class Folders implements vscode.Disposable {
  private readonly known = new Map<string, Promise<FolderFile[]>>();
  private readonly watcher = vscode.workspace.createFileSystemWatcher(`**/*.{${ENDINGS.join(',')}}`);
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  /** A file of a folder that was looked at has changed on the disk. */
  readonly onDidChange = this.changed.event;

  constructor(private readonly accepts: (path: string, text: string) => boolean) {
    const forget = (uri: vscode.Uri): void => {
      if (this.known.delete(folderOf(uri).toString())) this.changed.fire(uri);
    };
    this.watcher.onDidChange(forget);
    this.watcher.onDidCreate(forget);
    this.watcher.onDidDelete(forget);
  }

  /** The other configs beside a file. */
  async beside(uri: vscode.Uri): Promise<FolderFile[]> {
    const folder = folderOf(uri);
    const key = folder.toString();
    let files = this.known.get(key);
    if (files === undefined) {
      files = this.read(folder);
      this.known.set(key, files);
    }
    const open = new Map(vscode.workspace.textDocuments.map(document => [document.uri.toString(), document]));
    return (await files)
      .filter(file => file.uri.toString() !== uri.toString())
      .map(file => ({ uri: file.uri, text: open.get(file.uri.toString())?.getText() ?? file.text }));
  }

  dispose(): void {
    this.watcher.dispose();
    this.changed.dispose();
  }

  private async read(folder: vscode.Uri): Promise<FolderFile[]> {
    try {
      const names = (await vscode.workspace.fs.readDirectory(folder))
        .filter(([name, type]) => type === vscode.FileType.File && ENDINGS.some(ending => name.endsWith(`.${ending}`)))
        .slice(0, MOST_FILES);
      const files = await Promise.all(names.map(([name]) => this.readFile(vscode.Uri.joinPath(folder, name))));
      return files.filter(file => file !== null);
    } catch {
      // A folder that cannot be listed (an untitled document's, say) has no companions.
      return [];
    }
  }

  private async readFile(uri: vscode.Uri): Promise<FolderFile | null> {
    const { size } = await vscode.workspace.fs.stat(uri);
    if (size > LARGEST_BYTES) return null;
    const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
    return this.accepts(uri.path, text) ? { uri, text } : null;
  }
}

function folderOf(uri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(uri, '..');
}

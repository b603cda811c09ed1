/**
 * The `meshlens.json` files of the workspace: which one speaks of a config, open or on the disk, and the hardware file
 * that it names.
 */
import * as vscode from 'vscode';
import { readWorkspaceFile, WORKSPACE_FILE } from '../engine/configs/workspaceFile';
import type { EngineInput } from '../protocol/engine';
import { diskText, mayBeNamed, openText } from './texts';

export class WorkspaceFiles implements vscode.Disposable {
  /** Texts by address; null where there is no such file. */
  private readonly known = new Map<string, Promise<string | null>>();
  /** Hardware files that were asked for, with what watches over them. */
  private readonly hardware = new Map<string, vscode.FileSystemWatcher>();
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly subscriptions: vscode.Disposable[];
  readonly onDidChange = this.changed.event;

  constructor(private readonly nameOf: (uri: vscode.Uri) => string) {
    const watcher = vscode.workspace.createFileSystemWatcher(`**/${WORKSPACE_FILE}`);
    this.subscriptions = [
      this.changed,
      this.follow(watcher),
      vscode.workspace.onDidChangeTextDocument(({ document: { uri } }) => {
        if (uri.path.endsWith(`/${WORKSPACE_FILE}`) || this.hardware.has(uri.toString())) this.changed.fire();
      }),
    ];
  }

  dispose(): void {
    for (const watcher of this.hardware.values()) watcher.dispose();
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  /** The file in the config's folder, else in the next one above that, up to the workspace's. */
  async nearest(config: vscode.Uri): Promise<EngineInput['workspace']> {
    const top = vscode.workspace.getWorkspaceFolder(config)?.uri;
    if (top === undefined) return null;
    for (let folder = above(config); folder.path.startsWith(top.path); folder = above(folder)) {
      const uri = vscode.Uri.joinPath(folder, WORKSPACE_FILE);
      const text = await this.textOf(uri);
      if (text !== null) {
        const file = this.nameOf(uri);
        const name = config.path.slice(folder.path.replace(/\/$/, '').length + 1);
        return { file, text, config: name, hardware: await this.hardwareFile(config, folder, file, text, name) };
      }
      if (folder.path === top.path || folder.path === '/') return null;
    }
    return null;
  }

  /** The hardware file that the text names for the config; null where there is none, or it is not in the workspace. */
  private async hardwareFile(config: vscode.Uri, folder: vscode.Uri, file: string, text: string, name: string) {
    const path = readWorkspaceFile(file, text, name).hardware?.path;
    if (path === undefined) return null;
    const uri = vscode.Uri.joinPath(folder, path);
    if (!(await mayBeNamed(config, uri))) return null;
    const key = uri.toString();
    if (!this.hardware.has(key)) {
      const pattern = new vscode.RelativePattern(above(uri), uri.path.slice(uri.path.lastIndexOf('/') + 1));
      this.hardware.set(key, this.follow(vscode.workspace.createFileSystemWatcher(pattern)));
    }
    const found = await this.textOf(uri);
    return found === null ? null : { file: this.nameOf(uri), text: found };
  }

  private follow(watcher: vscode.FileSystemWatcher): vscode.FileSystemWatcher {
    const forget = (uri: vscode.Uri): void => {
      this.known.delete(uri.toString());
      this.changed.fire();
    };
    watcher.onDidChange(forget);
    watcher.onDidCreate(forget);
    watcher.onDidDelete(forget);
    return watcher;
  }

  private textOf(uri: vscode.Uri): Promise<string | null> {
    const key = uri.toString();
    const open = openText(uri);
    if (open !== undefined) return Promise.resolve(open);
    let text = this.known.get(key);
    if (text === undefined) {
      text = diskText(uri);
      this.known.set(key, text);
    }
    return text;
  }
}

function above(uri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(uri, '..');
}

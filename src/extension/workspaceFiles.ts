/** The `meshlens.json` files of the workspace: which one speaks of a config, open or on the disk. */
import * as vscode from 'vscode';
import { WORKSPACE_FILE } from '../engine/configs/workspaceFile';
import type { EngineInput } from '../protocol/engine';
import { diskText, openText } from './texts';

export class WorkspaceFiles implements vscode.Disposable {
  /** Texts by address; null where there is no such file. */
  private readonly known = new Map<string, Promise<string | null>>();
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly subscriptions: vscode.Disposable[];
  readonly onDidChange = this.changed.event;

  constructor(private readonly nameOf: (uri: vscode.Uri) => string) {
    const watcher = vscode.workspace.createFileSystemWatcher(`**/${WORKSPACE_FILE}`);
    const forget = (uri: vscode.Uri): void => {
      this.known.delete(uri.toString());
      this.changed.fire();
    };
    this.subscriptions = [
      this.changed,
      watcher,
      watcher.onDidChange(forget),
      watcher.onDidCreate(forget),
      watcher.onDidDelete(forget),
      vscode.workspace.onDidChangeTextDocument(
        ({ document }) => document.uri.path.endsWith(`/${WORKSPACE_FILE}`) && this.changed.fire(),
      ),
    ];
  }

  dispose(): void {
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
        return { file: this.nameOf(uri), text, config: config.path.slice(folder.path.replace(/\/$/, '').length + 1) };
      }
      if (folder.path === top.path || folder.path === '/') return null;
    }
    return null;
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

/** What the suites share: the product behind the extension, waiting for its events, the command line beside it. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { EstimateDocument } from '../../src/documents/types';
import type { Api } from '../../src/extension/extension';
import type { DashboardPanel } from '../../src/extension/panel';
import type { Product } from '../../src/extension/product';
import { askCommandLine } from './commandLine';

const EXTENSION = 'meshlens.meshlens';

export function extension(): vscode.Extension<Api> {
  const found = vscode.extensions.getExtension<Api>(EXTENSION);
  assert.ok(found !== undefined, 'the extension is installed');
  return found;
}

export async function product(): Promise<Product> {
  return (await extension().activate()).product();
}

export function workspaceFile(...parts: string[]): vscode.Uri {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(folder !== undefined, 'a workspace is open');
  return vscode.Uri.joinPath(folder.uri, ...parts);
}

export async function open(...parts: string[]): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(workspaceFile(...parts));
  await vscode.window.showTextDocument(document);
  return document;
}

/** Titles of our lenses, as the editor would ask for them. */
export async function lensTitles(uri: vscode.Uri): Promise<string[]> {
  const lenses =
    (await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri, 20)) ?? [];
  return lenses.flatMap(({ command }) => (command?.command.startsWith('meshlens.') === true ? [command.title] : []));
}

/** Resolves with the first value that is not undefined, looked for now and at each event. */
export function until<T>(look: () => T | undefined, ...events: vscode.Event<unknown>[]): Promise<T> {
  return new Promise((resolve, reject) => {
    const subscriptions: vscode.Disposable[] = [];
    const finish = (settle: () => void): void => {
      for (const subscription of subscriptions.splice(0)) subscription.dispose();
      clearTimeout(timer);
      settle();
    };
    const check = (): void => {
      const value = look();
      if (value !== undefined) finish(() => resolve(value));
    };
    // A guard against waiting for ever, not a pace: a test that passes never gets here.
    const timer = setTimeout(() => finish(() => reject(new Error(`still waiting for: ${look.toString()}`))), 20_000);
    for (const event of events) subscriptions.push(event(check));
    check();
  });
}

/** Replaces the first occurrence of a text in a document, as typing would. */
export async function replace(document: vscode.TextDocument, from: string, to: string): Promise<void> {
  const offset = document.getText().indexOf(from);
  assert.ok(offset >= 0, `${from} stands in the file`);
  const edit = new vscode.WorkspaceEdit();
  edit.replace(
    document.uri,
    new vscode.Range(document.positionAt(offset), document.positionAt(offset + from.length)),
    to,
  );
  assert.ok(await vscode.workspace.applyEdit(edit));
}

/** What the command line says of the same files. */
export function commandLine(...args: string[]): EstimateDocument {
  return askCommandLine(extension().extensionPath, args);
}

/**
 * Until a dashboard has all that it loads. VS Code 1.100 serves each webview by a service worker of its own; closing a
 * page in the midst of a load keeps the old one busy for 30 s, and the next webview stays blank as long.
 */
export async function loaded(panel: DashboardPanel): Promise<void> {
  await until(() => (panel.report?.['engine'] === 'loaded' ? true : undefined), panel.onDidReport);
}

export async function closeAll(): Promise<void> {
  const panels = extension().isActive ? (await product()).openPanels() : [];
  for (const panel of panels) if (panel.isVisible) await loaded(panel);
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
}

/** "Export to Another Framework": new files in a folder of their own beside the config, so that nothing is written over. */
import * as vscode from 'vscode';
import { EXPORT_KINDS, type ExportKind, isExportKind } from '../engine/configs/export/targets';
import { EXPORT_WORDS } from '../words/export';
import { pick } from './ask';
import type { EngineClient } from './engineClient';
import type { Setups } from './setups';
import { KIND_NAMES } from './settingsTable';
import { applyOrSay } from './writing';

/** Asks for the framework where the caller names none; gives the files that it wrote. */
export async function exportTo(
  uri: vscode.Uri,
  setups: Setups,
  engine: EngineClient,
  wanted: unknown,
): Promise<readonly vscode.Uri[]> {
  const to = typeof wanted === 'string' && isExportKind(wanted) ? wanted : await askKind();
  if (to === undefined) return [];
  const document = await vscode.workspace.openTextDocument(uri);
  const input = await setups.input(document);
  const { files, notCarried, problems } = await engine.ask<'export'>(
    { type: 'export', ...input, to },
    document.version,
  );
  const [main] = files;
  if (main === undefined) {
    const messages = problems.filter(({ severity }) => severity === 'error').map(({ message }) => message);
    void vscode.window.showWarningMessage(`MeshLens: ${EXPORT_WORDS.refused(messages.join(' '))}`);
    return [];
  }
  const folder = await freeFolder(vscode.Uri.joinPath(uri, '..'), to);
  const written = files.map(({ name }) => vscode.Uri.joinPath(folder, name));
  const edit = new vscode.WorkspaceEdit();
  for (const [at, { text }] of files.entries()) {
    const target = written[at];
    if (target !== undefined) edit.createFile(target, { contents: new TextEncoder().encode(text), overwrite: false });
  }
  if (!(await applyOrSay(edit))) return [];
  const [first] = written;
  if (first !== undefined) await vscode.window.showTextDocument(first);
  const names = written.map(target => vscode.workspace.asRelativePath(target));
  const losses = notCarried.map(({ message }) => message);
  const { done, lost, allCarried } = EXPORT_WORDS;
  const said = losses.length === 0 ? [allCarried] : [`${lost(losses.length)}: ${losses.join('; ')}`];
  void vscode.window.showInformationMessage(`MeshLens: ${[done(names), ...said].join(' · ')}`);
  return written;
}

async function askKind(): Promise<ExportKind | undefined> {
  const items = EXPORT_KINDS.map(kind => ({
    label: KIND_NAMES[kind],
    kind: vscode.QuickPickItemKind.Default,
    to: kind,
  }));
  return (await pick(items, EXPORT_WORDS.title))?.to;
}

/** `axolotl`, or `axolotl-2` where that folder is there. */
async function freeFolder(parent: vscode.Uri, name: string): Promise<vscode.Uri> {
  for (let count = 1; ; count++) {
    const folder = vscode.Uri.joinPath(parent, count === 1 ? name : `${name}-${count}`);
    const isFree = await vscode.workspace.fs.stat(folder).then(
      () => false,
      () => true,
    );
    if (isFree) return folder;
  }
}

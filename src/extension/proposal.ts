/** A plan that is about to be written: first shown as a difference, then written as one undoable edit. */
import * as vscode from 'vscode';
import { applyEdits } from '../engine/configs/edits';
import type { TextEdit } from '../engine/problem';
import type { EngineClient } from './engineClient';
import type { Setups } from './setups';

const SCHEME = 'meshlens-proposed';
const PENDING = 'meshlens.proposalPending';

interface Pending {
  readonly uri: vscode.Uri;
  readonly version: number;
  readonly edits: readonly TextEdit[];
  readonly shown: vscode.Uri;
}

export class Proposals implements vscode.Disposable, vscode.TextDocumentContentProvider {
  private pending: Pending | undefined;
  private proposedText = '';
  private count = 0;
  private readonly registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);

  constructor(
    private readonly engine: EngineClient,
    private readonly setups: Setups,
  ) {}

  provideTextDocumentContent(): string {
    return this.proposedText;
  }

  /** Shows what the plan changes in the file that holds it. */
  async show(uri: vscode.Uri, planString: string): Promise<void> {
    const view = this.setups.view(uri);
    const writable = view?.answer.files.find(file => file.writable);
    const target = writable === undefined ? undefined : this.setups.uriOf(writable.file);
    if (writable === undefined || target === undefined) {
      void vscode.window.showWarningMessage(
        'MeshLens: no file of this setup can be written. Open the training config beside the model.',
      );
      return;
    }
    const document = await vscode.workspace.openTextDocument(target);
    const input = await this.setups.input(document);
    const answer = await this.engine.ask<'apply'>(
      { type: 'apply', ...input, target: writable.file, planString },
      document.version,
    );
    const [problem] = answer.problems.filter(({ severity }) => severity === 'error');
    if (problem !== undefined || answer.edits.length === 0) {
      void vscode.window.showInformationMessage(`MeshLens: ${problem?.message ?? 'the file already holds this plan.'}`);
      return;
    }
    await this.open(document, answer.edits);
  }

  /** Writes what is shown, unless the file has changed since. */
  async write(): Promise<boolean> {
    const { pending } = this;
    if (pending === undefined) return false;
    const document = await vscode.workspace.openTextDocument(pending.uri);
    if (document.version !== pending.version) {
      void vscode.window.showWarningMessage('MeshLens: the file has changed since the plan was shown. Apply it again.');
      await this.discard();
      return false;
    }
    const edit = new vscode.WorkspaceEdit();
    for (const { line, column, endLine, endColumn, newText } of pending.edits) {
      edit.replace(pending.uri, new vscode.Range(line - 1, column - 1, endLine - 1, endColumn - 1), newText);
    }
    const written = await vscode.workspace.applyEdit(edit);
    await this.discard();
    if (written) await vscode.window.showTextDocument(document, { viewColumn: columnOf(document) });
    return written;
  }

  async discard(): Promise<void> {
    const shown = this.pending?.shown.toString();
    this.pending = undefined;
    await vscode.commands.executeCommand('setContext', PENDING, false);
    const tabs = vscode.window.tabGroups.all.flatMap(group => group.tabs);
    const diff = tabs.find(
      ({ input }) => input instanceof vscode.TabInputTextDiff && input.modified.toString() === shown,
    );
    if (diff !== undefined) await vscode.window.tabGroups.close(diff);
  }

  dispose(): void {
    this.registration.dispose();
  }

  private async open(document: vscode.TextDocument, edits: readonly TextEdit[]): Promise<void> {
    this.proposedText = applyEdits(document.getText(), edits);
    const name = vscode.workspace.asRelativePath(document.uri);
    const shown = vscode.Uri.from({ scheme: SCHEME, path: document.uri.path, query: String(++this.count) });
    this.pending = { uri: document.uri, version: document.version, edits, shown };
    await vscode.commands.executeCommand('setContext', PENDING, true);
    await vscode.commands.executeCommand('vscode.diff', document.uri, shown, `${name}: the proposed plan`, {
      preview: true,
    });
    const write = 'Write it';
    void vscode.window
      .showInformationMessage(`Write this plan into ${name}? It can be undone.`, write, 'Discard')
      .then(choice => {
        if (choice === write) void this.write();
        else if (choice !== undefined) void this.discard();
      });
  }
}

/** Where the document is shown already, so that it does not cover the dashboard. */
function columnOf(document: vscode.TextDocument): vscode.ViewColumn {
  const shown = vscode.window.visibleTextEditors.find(editor => editor.document === document);
  return shown?.viewColumn ?? vscode.ViewColumn.One;
}

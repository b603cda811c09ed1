/** A plan that is about to be written: first shown as a difference, then written as one undoable edit. */
import * as vscode from 'vscode';
import { applyEdits } from '../engine/configs/edits';
import type { TextEdit } from '../engine/problem';
import { PROPOSAL_WORDS } from '../words/editor';
import type { EngineClient } from './engineClient';
import type { Setups } from './setups';
import { applyOrSay } from './writing';

const SCHEME = 'meshlens-proposed';
const PENDING = 'meshlens.proposalPending';

/** What changes in one file. */
interface Change {
  readonly uri: vscode.Uri;
  /** null: there is no such file yet. */
  readonly document: vscode.TextDocument | null;
  readonly version: number;
  readonly edits: readonly TextEdit[];
  /** The text after the edits, as a document to look at. */
  readonly shown: vscode.Uri;
}

/** A file with the whole text that it is to have. */
export interface ProposedText {
  readonly uri: vscode.Uri;
  readonly text: string;
}

interface Asking {
  readonly title: (file: string) => string;
  readonly question: (files: readonly string[]) => string;
  /** Done once all is written. */
  readonly written?: () => Promise<void>;
}

export class Proposals implements vscode.Disposable, vscode.TextDocumentContentProvider {
  private pending: readonly Change[] = [];
  private asking: Asking = PROPOSAL_WORDS;
  private count = 0;
  private readonly registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);

  constructor(
    private readonly engine: EngineClient,
    private readonly setups: Setups,
  ) {}

  provideTextDocumentContent(uri: vscode.Uri): string {
    const change = this.pending.find(({ shown }) => shown.toString() === uri.toString());
    return change === undefined ? '' : applyEdits(change.document?.getText() ?? '', change.edits);
  }

  /** Shows what the plan changes in the file that holds it. */
  async show(uri: vscode.Uri, planString: string): Promise<void> {
    const view = this.setups.view(uri);
    const writable = view?.answer.files.find(file => file.writable);
    const target = writable === undefined ? undefined : this.setups.uriOf(writable.file);
    if (writable === undefined || target === undefined) {
      void vscode.window.showWarningMessage(PROPOSAL_WORDS.noFile);
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
      void vscode.window.showInformationMessage(`MeshLens: ${problem?.message ?? PROPOSAL_WORDS.nothingToWrite}`);
      return;
    }
    await this.open(await this.changes(answer.edits), PROPOSAL_WORDS);
  }

  /** Shows files as they are to become; those that there are not yet beside nothing. */
  async showTexts(texts: readonly ProposedText[], asking: Asking): Promise<void> {
    const changes = texts.map(async ({ uri, text }) => {
      const document = await vscode.workspace.openTextDocument(uri).then(undefined, () => null);
      const end = document?.lineAt(document.lineCount - 1).range.end ?? new vscode.Position(0, 0);
      const whole = { file: uri.toString(), line: 1, column: 1, endLine: end.line + 1, endColumn: end.character + 1 };
      return this.change(uri, document, [{ ...whole, newText: text }]);
    });
    await this.open(await Promise.all(changes), asking);
  }

  /** Writes what is shown, unless a file has changed since. */
  async write(): Promise<boolean> {
    const { pending, asking } = this;
    const [first] = pending;
    if (first === undefined) return false;
    if (pending.some(({ document, version }) => document !== null && document.version !== version)) {
      void vscode.window.showWarningMessage(PROPOSAL_WORDS.changed);
      await this.discard();
      return false;
    }
    const edit = new vscode.WorkspaceEdit();
    for (const { uri, document, edits } of pending) {
      if (document === null) {
        edit.createFile(uri, { contents: new TextEncoder().encode(applyEdits('', edits)) });
        continue;
      }
      for (const { line, column, endLine, endColumn, newText } of edits)
        edit.replace(uri, new vscode.Range(line - 1, column - 1, endLine - 1, endColumn - 1), newText);
    }
    const written = await applyOrSay(edit);
    await this.discard();
    if (!written) return false;
    await asking.written?.();
    const document = first.document ?? (await vscode.workspace.openTextDocument(first.uri));
    await vscode.window.showTextDocument(document, { viewColumn: columnOf(document) });
    return true;
  }

  async discard(): Promise<void> {
    const shown = new Set(this.pending.map(change => change.shown.toString()));
    this.pending = [];
    await vscode.commands.executeCommand('setContext', PENDING, false);
    const tabs = vscode.window.tabGroups.all.flatMap(group => group.tabs);
    const diffs = tabs.filter(
      ({ input }) => input instanceof vscode.TabInputTextDiff && shown.has(input.modified.toString()),
    );
    if (diffs.length > 0) await vscode.window.tabGroups.close(diffs);
  }

  dispose(): void {
    this.registration.dispose();
  }

  /** Edits by the file in which they stand: a script's values may stand in one that it sources. */
  private async changes(edits: readonly TextEdit[]): Promise<Change[]> {
    const names = [...new Set(edits.map(({ file }) => file))];
    const changes = names.map(async name => {
      const uri = this.setups.uriOf(name);
      if (uri === undefined) throw new Error(`no document has the name ${name}`);
      const document = await vscode.workspace.openTextDocument(uri);
      return this.change(
        uri,
        document,
        edits.filter(({ file }) => file === name),
      );
    });
    return Promise.all(changes);
  }

  private change(uri: vscode.Uri, document: vscode.TextDocument | null, edits: readonly TextEdit[]): Change {
    return { uri, document, version: document?.version ?? 0, edits, shown: this.virtual(uri) };
  }

  private virtual(uri: vscode.Uri): vscode.Uri {
    return vscode.Uri.from({ scheme: SCHEME, path: uri.path, query: String(++this.count) });
  }

  private async open(changes: readonly Change[], asking: Asking): Promise<void> {
    this.pending = changes;
    this.asking = asking;
    await vscode.commands.executeCommand('setContext', PENDING, true);
    const names = changes.map(({ uri }) => vscode.workspace.asRelativePath(uri));
    for (const [at, { uri, document, shown }] of changes.entries()) {
      const present = document === null ? this.virtual(uri) : uri;
      await vscode.commands.executeCommand('vscode.diff', present, shown, asking.title(names[at] ?? ''), {
        preview: changes.length === 1,
      });
    }
    const { write, discard } = PROPOSAL_WORDS;
    void vscode.window.showInformationMessage(asking.question(names), write, discard).then(choice => {
      // The question may be answered late, when this plan was written by other means or another one is shown.
      if (this.pending !== changes) return;
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

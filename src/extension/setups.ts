/**
 * The setup of each open config: asked from the engine when its text, its companions or the settings change, kept with
 * the last good answer while the text is damaged.
 */
import * as vscode from 'vscode';
import type { EstimateDocument } from '../documents/types';
import type { EngineInput, EstimateAnswer } from '../protocol/engine';
import { type EngineClient, EngineLost } from './engineClient';
import type { FolderFile, Folders } from './folders';
import { Pauses } from './pauses';
import { clusterValues, costs, excluded, kindEnabled } from './settings';
import { WorkspaceFiles } from './workspaceFiles';

export interface SetupView {
  readonly uri: vscode.Uri;
  readonly version: number;
  /** The last answer for a text that could be read, and what it answers. */
  readonly answer: EstimateAnswer;
  readonly input: EngineInput;
  /** The text is damaged since. */
  readonly stale: boolean;
}

/** Typing pauses longer than this ask the engine; well under the pause after which the editor asks for lenses. */
const PAUSE = 120;

const ANSWERS = 'meshlens.answers';
const FILES = 'meshlens.files';

/** A file names a file that names a file: no further. */
const MOST_ROUNDS = 4;

export class Setups implements vscode.Disposable {
  private readonly views = new Map<string, SetupView>();
  private readonly pauses = new Pauses(PAUSE, document => this.paused(document));
  private readonly running = new Map<string, Promise<void>>();
  /** Texts that a worker was lost over, by document: asked once more, alone, so that one of them fails no other. */
  private readonly askedAgain = new Map<string, number>();
  private again: Promise<void> = Promise.resolve();
  private readonly names = new Map<string, vscode.Uri>();
  /** Files elsewhere in the workspace that a document's setup names, by the document. */
  private readonly named = new Map<string, Map<string, vscode.Uri>>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly subscriptions: vscode.Disposable[];
  private readonly workspaceFiles = new WorkspaceFiles(uri => this.nameOf(uri));
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly engine: EngineClient,
    private readonly folders: Folders,
    private readonly memory: vscode.Memento,
    private readonly looksLikeConfig: (document: vscode.TextDocument) => boolean,
  ) {
    this.subscriptions = [
      this.changed,
      this.pauses,
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.pauses.touched(document)),
      vscode.workspace.onDidOpenTextDocument(document => this.pauses.touched(document)),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.forget(uri)),
      vscode.workspace.onDidChangeConfiguration(event => event.affectsConfiguration('meshlens') && this.refreshAll()),
      folders.onDidChange(() => this.refreshAll()),
      this.workspaceFiles,
      this.workspaceFiles.onDidChange(() => this.refreshAll()),
    ];
    vscode.workspace.textDocuments.forEach(document => this.pauses.touched(document));
  }

  view(uri: vscode.Uri): SetupView | undefined {
    return this.views.get(uri.toString());
  }

  all(): SetupView[] {
    return [...this.views.values()];
  }

  /** The document behind a name that the engine was given. */
  uriOf(name: string): vscode.Uri | undefined {
    return this.names.get(name);
  }

  /** The view of a document, computed if there is none yet. */
  async ensure(document: vscode.TextDocument): Promise<SetupView | undefined> {
    if (this.views.get(document.uri.toString()) === undefined && this.accepts(document)) await this.refresh(document);
    return this.view(document.uri);
  }

  /** What the engine says of a file that need not be open; null where it is none of ours. */
  async look(uri: vscode.Uri, text: string): Promise<EstimateDocument | null> {
    const open = this.view(uri);
    if (open !== undefined) return open.answer.document;
    const answer = await this.engine.ask<'estimate'>({ type: 'estimate', ...(await this.inputOf(uri, text)) }, 0);
    const kind = answer.files[0]?.kind ?? null;
    return kind === null || !kindEnabled(kind, uri) ? null : answer.document;
  }

  /** Remembers a value that the user was asked for, for this file in this workspace. */
  async remember(uri: vscode.Uri, values: Readonly<Record<string, string>>): Promise<void> {
    const all = this.memory.get<Record<string, Record<string, string>>>(ANSWERS, {});
    await this.memory.update(ANSWERS, { ...all, [uri.toString()]: { ...all[uri.toString()], ...values } });
    await this.refreshAll();
  }

  /** Remembers which files make a document's setup; null: what they name and what lies beside them. */
  async choose(uri: vscode.Uri, files: readonly vscode.Uri[] | null): Promise<void> {
    const { ...chosen } = this.memory.get<Record<string, string[]>>(FILES, {});
    if (files === null) delete chosen[uri.toString()];
    else chosen[uri.toString()] = files.map(String);
    await this.memory.update(FILES, chosen);
    await this.refreshAll();
  }

  /** What the engine needs to know of a document: its text, files beside it, the user's own choices and values. */
  async input(document: vscode.TextDocument): Promise<EngineInput> {
    return this.inputOf(document.uri, document.getText());
  }

  /** The same for a text that need not be open. */
  async inputOf(uri: vscode.Uri, text: string): Promise<EngineInput> {
    const key = uri.toString();
    const chosen = this.memory.get<Record<string, string[]>>(FILES, {})[key] ?? null;
    const elsewhere = [
      ...(chosen ?? []).map(other => vscode.Uri.parse(other)),
      ...(this.named.get(key)?.values() ?? []),
    ];
    const others = await Promise.all(elsewhere.map(other => this.folders.file(other)));
    const found = [{ uri, text }, ...others, ...(await this.folders.beside(uri))].filter(file => file !== null);
    const files = [...new Map(found.reverse().map(file => [file.uri.toString(), file])).values()].reverse();
    const answers = this.memory.get<Record<string, Record<string, string>>>(ANSWERS, {})[key] ?? {};
    return {
      files: files.map(file => ({ file: this.nameOf(file.uri), text: file.text })),
      values: clusterValues(uri),
      workspace: await this.workspaceFiles.nearest(uri),
      answers: Object.entries(answers),
      costs: costs(uri),
      chosen: chosen?.map(other => this.nameOf(vscode.Uri.parse(other))) ?? null,
    };
  }

  nameOf(uri: vscode.Uri): string {
    const name = vscode.workspace.asRelativePath(uri);
    this.names.set(name, uri);
    return name;
  }

  async refreshAll(): Promise<void> {
    await Promise.all(
      vscode.workspace.textDocuments.filter(document => this.isOurs(document)).map(document => this.refresh(document)),
    );
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private accepts(document: vscode.TextDocument): boolean {
    return this.looksLikeConfig(document) && !excluded(document);
  }

  private isOurs(document: vscode.TextDocument): boolean {
    return this.views.has(document.uri.toString()) || this.accepts(document);
  }

  private paused(document: vscode.TextDocument): void {
    if (this.isOurs(document)) void this.refresh(document);
    for (const other of this.companions(document)) void this.refresh(other);
  }

  /** Open configs whose setup an edit of a document may change: those of its folder, and those that name it. */
  private companions(document: vscode.TextDocument): vscode.TextDocument[] {
    return vscode.workspace.textDocuments.filter(
      other => other !== document && this.views.has(other.uri.toString()) && this.mayUse(other.uri, document.uri),
    );
  }

  private mayUse(uri: vscode.Uri, other: vscode.Uri): boolean {
    const folder = (file: vscode.Uri) => vscode.Uri.joinPath(file, '..').toString();
    const key = uri.toString();
    const chosen = this.memory.get<Record<string, string[]>>(FILES, {})[key] ?? [];
    const named = this.named.get(key)?.has(other.toString()) === true;
    return folder(uri) === folder(other) || named || chosen.includes(other.toString());
  }

  /** One question at a time for a document; a change meanwhile asks again. */
  private async refresh(document: vscode.TextDocument): Promise<void> {
    const key = document.uri.toString();
    const before = this.running.get(key) ?? Promise.resolve();
    const next = before.then(() => this.ask(document));
    this.running.set(key, next);
    await next;
    if (this.running.get(key) === next) this.running.delete(key);
  }

  private async ask(document: vscode.TextDocument): Promise<void> {
    const { version, uri } = document;
    if (document.isClosed) return;
    if (excluded(document)) return this.forget(uri);
    try {
      const { answer, input } = await this.answer(document, version);
      this.askedAgain.delete(uri.toString());
      if (document.version === version && !document.isClosed) this.accept(uri, version, answer, input);
    } catch (error) {
      if (error instanceof EngineLost) this.askAgain(document);
      else if (!(error instanceof vscode.CancellationError)) console.error('MeshLens:', error);
    }
  }

  private askAgain(document: vscode.TextDocument): void {
    const key = document.uri.toString();
    if (this.askedAgain.get(key) === document.version) return;
    this.askedAgain.set(key, document.version);
    this.again = this.again.then(() => this.refresh(document));
  }

  /** The answer once every file that the setup names has been looked for. */
  private async answer(
    document: vscode.TextDocument,
    version: number,
  ): Promise<{ readonly answer: EstimateAnswer; readonly input: EngineInput }> {
    const key = document.uri.toString();
    for (let round = 1; ; round++) {
      const input = await this.input(document);
      const answer = await this.engine.ask<'estimate'>({ type: 'estimate', ...input }, version);
      const looked = await Promise.all(answer.wanted.map(paths => this.folders.find(document.uri, paths)));
      const found = looked.filter((file): file is FolderFile => file !== null);
      const named = new Map(this.named.get(key));
      for (const { uri } of found) named.set(uri.toString(), uri);
      if (round >= MOST_ROUNDS || named.size === (this.named.get(key)?.size ?? 0)) return { answer, input };
      this.named.set(key, named);
    }
  }

  /** A damaged text keeps the last good answer and marks it; a file that is not ours any more loses its view. */
  private accept(uri: vscode.Uri, version: number, answer: EstimateAnswer, input: EngineInput): void {
    const key = uri.toString();
    const last = this.views.get(key);
    const primary = answer.files[0];
    if (primary?.damaged === true) {
      if (last !== undefined) this.views.set(key, { ...last, version, stale: true });
    } else if (primary === undefined || primary.kind === null || !kindEnabled(primary.kind, uri))
      this.views.delete(key);
    else this.views.set(key, { uri, version, answer, input, stale: false });
    if (this.views.get(key) !== last) this.changed.fire(uri);
  }

  private forget(uri: vscode.Uri): void {
    const key = uri.toString();
    this.pauses.forget(uri);
    this.named.delete(key);
    this.askedAgain.delete(key);
    if (this.views.delete(key)) this.changed.fire(uri);
  }
}

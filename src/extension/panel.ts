/** One dashboard panel a setup. It is sent complete snapshots; what it sends back is checked. */
import * as v from 'valibot';
import * as vscode from 'vscode';
import { type DashboardState, FromDashboard, type SearchState, type ToDashboard } from '../protocol/dashboard';
import { PLAIN_SEARCH, type SearchAsk } from '../protocol/searchAsk';
import { COMMAND_WORDS } from '../words/commands';
import { estimateMarkdown } from '../words/markdown';
import { reportHtml } from '../words/report';
import type { Benchmark } from './benchmark';
import type { OwnMeasurements } from '../documents/ownMeasurements';
import type { Calibration } from './calibration';
import type { EngineClient } from './engineClient';
import type { Measurements } from './measurements';
import { pageHtml } from './page';
import { ProofRun } from './proofRun';
import type { SetupView, Setups } from './setups';
import { saveOrSay } from './writing';

export interface PanelActions {
  readonly apply: (uri: vscode.Uri, planString: string) => Promise<void>;
  readonly chooseFiles: (uri: vscode.Uri) => Promise<void>;
  readonly chooseCluster: (uri: vscode.Uri) => Promise<void>;
  readonly askValues: (uri: vscode.Uri) => Promise<void>;
}

export const VIEW_TYPE = 'meshlens.dashboard';

export class DashboardPanel implements vscode.Disposable {
  /** What the page says it shows, for tests. */
  report: Readonly<Record<string, string>> | undefined;
  /** What the page was sent last, for tests. */
  state: DashboardState | undefined;
  private readonly reported = new vscode.EventEmitter<void>();
  readonly onDidReport = this.reported.event;
  private readonly sent = new vscode.EventEmitter<DashboardState>();
  readonly onDidSend = this.sent.event;
  private search: SearchState = { phase: 'idle' };
  /** What the search was asked, as JSON. */
  private searched: string | null = null;
  private searching: vscode.CancellationTokenSource | undefined;
  /** Open for tests and for the command. */
  readonly proof: ProofRun;
  /** The setup whose proof runs or is shown. */
  private provedSetup = '';
  private snapshot = 0;
  private wantedSection: string | undefined;
  private lastView: SetupView | undefined;
  private readonly subscriptions: vscode.Disposable[];

  constructor(
    readonly uri: vscode.Uri,
    private readonly panel: vscode.WebviewPanel,
    extensionUri: vscode.Uri,
    private readonly engine: EngineClient,
    private readonly setups: Setups,
    private readonly benchmark: Benchmark,
    private readonly measurements: Measurements,
    private readonly calibration: Calibration,
    private readonly actions: PanelActions,
  ) {
    const root = vscode.Uri.joinPath(extensionUri, 'dist', 'webview');
    this.proof = new ProofRun(extensionUri, () => this.send());
    panel.webview.options = { enableScripts: true, localResourceRoots: [root] };
    this.subscriptions = [
      this.reported,
      this.sent,
      this.proof,
      panel.webview.onDidReceiveMessage((message: unknown) => this.receive(message)),
      panel.onDidChangeViewState(() => panel.visible && this.send()),
      setups.onDidChange(changed => this.setupChanged(changed)),
      benchmark.onDidChange(() => this.send()),
      vscode.workspace.onDidSaveTextDocument(
        saved => saved.uri.toString() === uri.toString() && void measurements.compare(uri),
      ),
      calibration.onDidChange(() => this.send()),
      measurements.onDidChange(changed => changed.toString() === uri.toString() && this.send()),
      panel.onDidDispose(() => this.dispose()),
    ];
    void measurements.compare(uri);
    panel.webview.html = pageHtml(panel.webview, root);
  }

  get onDidDispose(): vscode.Event<void> {
    return this.panel.onDidDispose;
  }

  /** What the search has found, for tests and for commands that follow it. */
  get searchState(): SearchState {
    return this.search;
  }

  /** Listeners that it holds on others, for tests: none once it is closed. */
  get listeners(): number {
    return this.subscriptions.length;
  }

  get isVisible(): boolean {
    return this.panel.visible;
  }

  reveal(): void {
    this.panel.reveal();
  }

  /** Brings a section into view, once the page is there. */
  revealSection(section: string): void {
    this.panel.reveal();
    this.wantedSection = section;
    if (this.report !== undefined) this.scroll();
  }

  private scroll(): void {
    if (this.wantedSection === undefined) return;
    const message: ToDashboard = { type: 'scrollTo', section: this.wantedSection };
    this.wantedSection = undefined;
    void this.panel.webview.postMessage(message);
  }

  dispose(): void {
    this.searching?.cancel();
    for (const subscription of this.subscriptions.splice(0)) subscription.dispose();
  }

  private setupChanged(changed: vscode.Uri): void {
    if (changed.toString() !== this.uri.toString()) return;
    const view = this.setups.view(this.uri);
    if (view !== undefined && !view.stale) this.forgetWhatIsOld(view);
    this.send();
  }

  /**
   * A search or proof of an older text is no answer for the new one. But a view may change without what was asked: the
   * first one may come while the search runs already, and files around it may have been looked at.
   */
  private forgetWhatIsOld({ input }: SetupView): void {
    // Logs are large: they are read again for a config that is saved, and not at each pause of its typing.
    if (!isDirty(this.uri)) void this.measurements.compare(this.uri);
    if (this.searched !== null && this.searched !== JSON.stringify(input)) {
      this.searched = null;
      this.searching?.cancel();
      this.search = { phase: 'idle' };
    }
    if (this.proof.state.phase !== 'idle' && this.setupText() !== this.provedSetup) this.proof.cancel();
  }

  private send(): void {
    const view = this.setups.view(this.uri) ?? this.lastView;
    if (view === undefined || !this.panel.visible) return;
    this.lastView = view;
    const { answer, stale } = view;
    this.state = {
      version: ++this.snapshot,
      uri: this.uri.toString(),
      files: answer.files.map(({ file }) => file),
      framework: answer.files.find(({ writable }) => writable)?.kind ?? null,
      stale,
      estimate: answer.document,
      setup: answer.setup,
      costs: answer.costs,
      fields: answer.fields,
      search: this.search,
      bench: this.benchmark.state,
      proof: this.proof.state,
      proofText: this.proof.text?.name ?? null,
      measured: this.measured(view),
    };
    const message: ToDashboard = { type: 'state', state: this.state };
    void this.panel.webview.postMessage(message);
    this.sent.fire(this.state);
  }

  private measured({ answer }: SetupView): OwnMeasurements {
    return {
      profile: answer.profile,
      runs: this.measurements.comparisons(this.uri),
      history: this.benchmark.history,
      kept: this.measurements.of(this.uri).map(({ name, format, records, date }) => ({ name, format, records, date })),
      canUndo: this.calibration.canUndo,
    };
  }

  private receive(raw: unknown): void {
    const parsed = v.safeParse(FromDashboard, raw);
    if (!parsed.success) {
      console.warn('MeshLens: the dashboard sent a message that is none of ours');
      return;
    }
    const message = parsed.output;
    switch (message.type) {
      case 'ready':
        this.send();
        return this.scroll();
      case 'search':
        return void this.startSearch(message.ask);
      case 'cancelSearch':
        return this.searching?.cancel();
      case 'prove':
        return void this.prove(message.planString);
      case 'chooseProofText':
        return void this.proof.chooseText();
      case 'ownProofText':
        return this.proof.forgetText();
      case 'cancelProof':
        return this.proof.cancel();
      case 'benchmark':
        return void this.benchmark.start();
      case 'cancelBenchmark':
        return this.benchmark.cancel();
      case 'apply':
        return void this.actions.apply(this.uri, message.planString);
      case 'chooseFiles':
        return void this.actions.chooseFiles(this.uri);
      case 'chooseCluster':
        return void this.actions.chooseCluster(this.uri);
      case 'askValues':
        return void this.actions.askValues(this.uri);
      case 'reveal':
        return void this.revealSource(message.file, message.line, message.column);
      case 'setPrice':
        return void vscode.commands.executeCommand('workbench.action.openSettings', 'meshlens.costs');
      case 'measurements':
        return void vscode.commands.executeCommand(`meshlens.${message.command}`, this.uri);
      case 'exportMarkdown':
        return void this.copyMarkdown();
      case 'save':
        return void this.saveFile(message.name, message.data);
      case 'report':
        this.report = message.figures;
        return this.reported.fire();
    }
  }

  async startSearch(ask: SearchAsk = PLAIN_SEARCH): Promise<void> {
    this.searching?.cancel();
    const source = new vscode.CancellationTokenSource();
    this.searching = source;
    this.show({ phase: 'running', candidates: 0, evaluated: 0 });
    try {
      const document = await vscode.workspace.openTextDocument(this.uri);
      const input = await this.setups.input(document);
      if (this.searching === source) this.searched = JSON.stringify(input);
      const found = await this.engine.ask<'search'>({ type: 'search', ...input, ask }, document.version, {
        token: source.token,
        onProgress: progress => !source.token.isCancellationRequested && this.show({ phase: 'running', ...progress }),
      });
      if (this.searching === source) this.show({ phase: 'done', document: found });
    } catch (error) {
      if (this.searching !== source) return;
      const cancelled = error instanceof vscode.CancellationError;
      this.show(
        cancelled
          ? { phase: 'idle' }
          : { phase: 'failed', message: error instanceof Error ? error.message : String(error) },
      );
    } finally {
      source.dispose();
    }
  }

  private setupText(): string {
    return JSON.stringify(this.setups.view(this.uri)?.answer.document.setup ?? null);
  }

  /** Proves the plan of the file, or the one given as a string. */
  prove(planString: string | null): Promise<void> {
    const input = async () => this.setups.input(await vscode.workspace.openTextDocument(this.uri));
    this.provedSetup = this.setupText();
    this.revealSection('proof');
    return this.proof.start(input(), planString);
  }

  private show(state: SearchState): void {
    this.search = state;
    this.send();
  }

  /** Asks where; the name that the page proposes is only its last part. */
  private async saveFile(name: string, data: Uint8Array): Promise<void> {
    const file = name.replace(/[^\w.-]/g, '-');
    const uri = await vscode.window.showSaveDialog({ defaultUri: vscode.Uri.joinPath(this.uri, '..', file) });
    if (uri !== undefined) await saveOrSay(uri, data);
  }

  /** The file's plan as one HTML file; what is tried out in the page is saved from there. */
  async saveReport(): Promise<void> {
    const view = this.setups.view(this.uri) ?? this.lastView;
    if (view === undefined) return;
    const { document, files } = view.answer;
    const names = files.map(({ file }) => file);
    const html = reportHtml(document, names, this.measured(view));
    await this.saveFile('report.html', new TextEncoder().encode(html));
  }

  private async copyMarkdown(): Promise<void> {
    if (this.lastView === undefined) return;
    const { document, files } = this.lastView.answer;
    await vscode.env.clipboard.writeText(
      estimateMarkdown(
        document,
        files.map(({ file }) => file),
        this.measured(this.lastView),
      ),
    );
    void vscode.window.setStatusBarMessage(COMMAND_WORDS.reportCopied, 4000);
  }

  private async revealSource(file: string, line: number, column: number): Promise<void> {
    const uri = this.setups.uriOf(file);
    if (uri === undefined) return;
    const position = new vscode.Position(line - 1, column - 1);
    await vscode.window.showTextDocument(uri, {
      selection: new vscode.Range(position, position),
      viewColumn: vscode.ViewColumn.One,
    });
  }
}

function isDirty(uri: vscode.Uri): boolean {
  return vscode.workspace.textDocuments.some(
    document => document.isDirty && document.uri.toString() === uri.toString(),
  );
}

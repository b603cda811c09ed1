/** Everything behind the thin entry: the engine's client, the setups, and what shows them. */
import * as vscode from 'vscode';
import { EDITOR_WORDS, isHideChoice } from '../words/editor';
import type { ToolName } from '../agents/tools';
import { COMMAND_WORDS } from '../words/commands';
import { useLanguage } from '../words/language';
import { missing } from '../words/lens';
import { onDidAsk } from './ask';
import { Calibration } from './calibration';
import { ClusterScripts } from './clusterScript';
import { MeasurementImport } from './importMeasurements';
import { Measurements } from './measurements';
import { ScriptPitfalls } from './scriptPitfalls';
import { MEASUREMENT_WORDS } from '../words/measurements';
import { Benchmark, benchChoice, benchmarkCommand } from './benchmark';
import type { CommandName } from './commandNames';
import { Diagnostics } from './diagnostics';
import { EngineClient, type EngineLost } from './engineClient';
import { chooseFiles } from './files';
import { Exercises } from './exercises';
import { Fixes } from './fixes';
import { Folders } from './folders';
import { LecturePanel } from './lecturePanel';
import { lensesOf } from './lens';
import { DashboardPanel, VIEW_TYPE } from './panel';
import { Proposals } from './proposal';
import { chooseCluster } from './chooseCluster';
import { exportTo } from './exporting';
import { hide, hideProblem } from './hide';
import { KeyHelp } from './keyHelp';
import { askValues } from './questions';
import type { McpServer } from './mcpApi';
import { mcpServers } from './mcpServer';
import { openSample } from './sample';
import { SavedPlans } from './savedPlans';
import { setting } from './settings';
import { Setups } from './setups';
import { SetupsView } from './setupsView';
import { CONFIG_FILES, mayBeConfig } from './signs';
import { StatusBar } from './statusBar';

type Accepts = (document: vscode.TextDocument) => boolean;

export function createProduct(
  context: vscode.ExtensionContext,
  changedLenses: vscode.EventEmitter<void>,
  accepts: Accepts,
): Product {
  return new Product(context, changedLenses, accepts);
}

export class Product {
  readonly setups: Setups;
  readonly engine: EngineClient;
  readonly benchmark: Benchmark;
  readonly plans: SavedPlans;
  readonly setupsView: SetupsView;
  readonly statusBar: StatusBar;
  readonly measurements: Measurements;
  private readonly imports: MeasurementImport;
  private readonly calibration: Calibration;
  private readonly scripts: ClusterScripts;
  /** Every question to the user, for tests. */
  readonly onDidAsk = onDidAsk;
  private readonly proposals: Proposals;
  private readonly exercises: Exercises;
  /** Open for tests. */
  readonly lecture: LecturePanel;
  private readonly panels = new Map<string, DashboardPanel>();
  /** Panels under way: one that is asked for meanwhile is the same. */
  private readonly opening = new Map<string, Promise<DashboardPanel>>();
  private hasTold = false;
  private readonly extensionUri: vscode.Uri;
  private readonly extension: vscode.Extension<unknown>;
  private readonly storage: vscode.Uri;

  constructor(context: vscode.ExtensionContext, changedLenses: vscode.EventEmitter<void>, accepts: Accepts) {
    const chosen = setting('language', undefined);
    useLanguage(chosen === 'auto' ? vscode.env.language : chosen);
    this.extensionUri = context.extensionUri;
    this.extension = context.extension;
    this.storage = context.globalStorageUri;
    this.engine = new EngineClient(context.extensionUri, { onLost: error => this.tellOnce(error) });
    const folders = new Folders(mayBeConfig);
    this.setups = new Setups(this.engine, folders, context.workspaceState, accepts);
    this.benchmark = new Benchmark(context.extensionUri, context.globalState);
    this.proposals = new Proposals(this.engine, this.setups);
    this.plans = new SavedPlans(context.workspaceState);
    this.setupsView = new SetupsView(this.setups);
    this.statusBar = new StatusBar(this.setups);
    this.measurements = new Measurements(context.workspaceState, this.engine, this.setups);
    this.imports = new MeasurementImport(this.engine, this.setups, this.measurements);
    this.calibration = new Calibration(
      this.engine,
      this.setups,
      this.measurements,
      this.proposals,
      context.workspaceState,
    );
    this.scripts = new ClusterScripts(this.engine, this.setups);
    const help = new KeyHelp(this.engine, this.setups);
    this.exercises = new Exercises(this.engine);
    this.lecture = new LecturePanel(context.extensionUri);
    context.subscriptions.push(
      this.engine,
      this.exercises,
      this.lecture,
      folders,
      this.setups,
      this.proposals,
      this.benchmark,
      this.plans,
      this.setupsView,
      this.statusBar,
      this.measurements,
      this.calibration,
      this.imports,
      new ScriptPitfalls(this.engine),
      new Diagnostics(this.setups),
      vscode.languages.registerHoverProvider(CONFIG_FILES, help),
      vscode.languages.registerCompletionItemProvider(CONFIG_FILES, help),
      vscode.languages.registerCodeActionsProvider(CONFIG_FILES, new Fixes(this.setups), {
        providedCodeActionKinds: Fixes.kinds,
      }),
      this.setups.onDidChange(() => changedLenses.fire()),
      new vscode.Disposable(() => this.panels.forEach(panel => panel.dispose())),
    );
  }

  async lenses(document: vscode.TextDocument, token: vscode.CancellationToken): Promise<vscode.CodeLens[]> {
    const lenses = await lensesOf(document, this.setups);
    return token.isCancellationRequested ? [] : lenses;
  }

  mcpServers(): McpServer[] {
    return mcpServers(this.extension);
  }

  /** The open panel of a document, for tests. */
  panel(uri: vscode.Uri): DashboardPanel | undefined {
    return this.panels.get(uri.toString());
  }

  /** All that are open, for tests. */
  openPanels(): DashboardPanel[] {
    return [...this.panels.values()];
  }

  async run(name: CommandName, args: readonly unknown[]): Promise<unknown> {
    if (name === 'writeProposal') return this.proposals.write();
    if (name === 'discardProposal') return this.proposals.discard();
    if (name === 'lecture') return this.lecture.show();
    if (name === 'exercise') return this.exercises.run(args[0]);
    if (name === 'benchmark') return this.measure(args[0]);
    if (name === 'openSample') return openSample(this.extensionUri, this.storage);
    if (name === 'refreshSetups') return this.setupsView.refresh();
    if (name === 'undoCalibration') return this.calibration.undo();
    if (name === 'deletePlan') return this.plans.removeNode(args[0]);
    const uri = await this.target(args[0]);
    if (uri === undefined) return undefined;
    switch (name) {
      case 'openDashboard':
        return void (await this.openDashboard(uri));
      case 'search':
        return (await this.openDashboard(uri)).startSearch();
      case 'prove':
        return (await this.openDashboard(uri)).prove(typeof args[1] === 'string' ? args[1] : null);
      case 'saveReport':
        return (await this.openDashboard(uri)).saveReport();
      case 'writeClusterScript':
        return this.scripts.write(uri);
      case 'runClusterScript':
        return this.measureCluster(uri, args[1]);
      case 'importMeasurements':
        return this.imports.run(uri, args[1]);
      case 'forgetMeasurements':
        return this.forget(uri);
      case 'calibrate':
        return this.calibration.run(uri);
      case 'compareRun':
        return (await this.openDashboard(uri)).revealSection('measured');
      case 'chooseCluster':
        return chooseCluster(uri);
      case 'chooseFiles':
        return chooseFiles(uri, this.setups);
      case 'askValues':
        return this.ask(uri);
      case 'hide':
        return hide(uri, this.setups, isHideChoice(args[1]) ? args[1] : undefined);
      case 'hideProblem':
        return typeof args[1] === 'string' ? hideProblem(uri, args[1]) : undefined;
      case 'exportTo':
        return exportTo(uri, this.setups, this.engine, args[1]);
      case 'savePlan':
        return this.plans.saveOf(uri, this.setups, args[1]);
      case 'applyPlan':
        return typeof args[1] === 'string' ? this.proposals.show(uri, args[1]) : undefined;
    }
  }

  async invokeTool(
    name: ToolName,
    input: unknown,
    token: vscode.CancellationToken,
  ): Promise<vscode.LanguageModelToolResult> {
    const { invokeTool } = await import('./agentTools');
    return invokeTool(name, input, token, this.engine, this.setups);
  }

  async restorePanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const remembered =
      typeof state === 'object' && state !== null && 'uri' in state && typeof state.uri === 'string' ? state.uri : null;
    const uri = remembered === null ? await this.target(undefined) : vscode.Uri.parse(remembered);
    // The file may be gone since, and its dashboard with it.
    if (uri === undefined) panel.dispose();
    else await this.adopt(uri, panel).then(undefined, () => void panel.dispose());
  }

  private async openDashboard(uri: vscode.Uri): Promise<DashboardPanel> {
    const open = this.panels.get(uri.toString());
    if (open !== undefined) {
      open.reveal();
      return open;
    }
    // Asked for twice before it stands, it is still one.
    let opening = this.opening.get(uri.toString());
    if (opening === undefined) {
      const title = `MeshLens: ${vscode.workspace.asRelativePath(uri)}`;
      const column = vscode.window.activeTextEditor === undefined ? vscode.ViewColumn.Active : vscode.ViewColumn.Beside;
      const made = this.adopt(uri, vscode.window.createWebviewPanel(VIEW_TYPE, title, column));
      opening = made.finally(() => this.opening.delete(uri.toString()));
      this.opening.set(uri.toString(), opening);
    }
    return opening;
  }

  private async adopt(uri: vscode.Uri, webview: vscode.WebviewPanel): Promise<DashboardPanel> {
    await this.setups.ensure(await vscode.workspace.openTextDocument(uri));
    const panel = new DashboardPanel(
      uri,
      webview,
      this.extensionUri,
      this.engine,
      this.setups,
      this.benchmark,
      this.measurements,
      this.calibration,
      {
        apply: (target, planString) => this.proposals.show(target, planString),
        chooseFiles: target => chooseFiles(target, this.setups),
        chooseCluster,
        askValues: target => this.ask(target),
      },
    );
    this.panels.set(uri.toString(), panel);
    panel.onDidDispose(() => this.panels.delete(uri.toString()));
    return panel;
  }

  /** Once a session: what failed says so itself, and the next worker answers. */
  private tellOnce({ message }: EngineLost): void {
    if (this.hasTold) return;
    this.hasTold = true;
    void vscode.window.showWarningMessage(COMMAND_WORDS.engineRestarted(message));
  }

  private async ask(uri: vscode.Uri): Promise<void> {
    const view = this.setups.view(uri);
    if (view !== undefined) await askValues(uri, missing(view.answer.document).keys, this.setups);
  }

  /** Runs the benchmark script of a config and takes its results in. */
  private async measureCluster(uri: vscode.Uri, options: unknown): Promise<unknown> {
    const results = await this.scripts.run(uri, options);
    return results === null ? null : this.imports.run(uri, results);
  }

  private async forget(uri: vscode.Uri): Promise<void> {
    const count = await this.measurements.forget(uri);
    void vscode.window.showInformationMessage(MEASUREMENT_WORDS.forgotten(count));
  }

  /** Measures this machine; there is a dashboard to show it in where a config is open. */
  private async measure(choice: unknown): Promise<void> {
    const uri = await this.openConfig();
    const showDashboard = async (target: vscode.Uri) => (await this.openDashboard(target)).revealSection('collectives');
    await benchmarkCommand(
      this.benchmark,
      benchChoice(choice),
      uri === undefined ? undefined : () => showDashboard(uri),
    );
  }

  /** The document that a command is about: its argument, the active editor, or the one config that is open. */
  private async target(argument: unknown): Promise<vscode.Uri | undefined> {
    if (argument instanceof vscode.Uri) return argument;
    // An entry of the view of setups.
    if (typeof argument === 'object' && argument !== null && 'uri' in argument && argument.uri instanceof vscode.Uri)
      return argument.uri;
    const found = await this.openConfig();
    if (found === undefined) void vscode.window.showInformationMessage(EDITOR_WORDS.noConfig);
    return found;
  }

  private async openConfig(): Promise<vscode.Uri | undefined> {
    const active = vscode.window.activeTextEditor?.document;
    if (active !== undefined && (await this.setups.ensure(active)) !== undefined) return active.uri;
    return this.setups.all()[0]?.uri;
  }
}

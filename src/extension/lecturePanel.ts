/** The page that replays the lecture. Its demonstrations run in a worker of its own, once each while the page is open. */
import * as v from 'valibot';
import * as vscode from 'vscode';
import { FromLecture, type LecturePageName, type LectureState, type ToLecture } from '../protocol/lecture';
import { COMMAND_WORDS } from '../words/commands';
import { EngineClient } from './engineClient';
import { pageHtml } from './page';

export class LecturePanel implements vscode.Disposable {
  /** The scene that the page says it shows, for tests. */
  report: string | undefined;
  private readonly reported = new vscode.EventEmitter<void>();
  readonly onDidReport = this.reported.event;
  private panel: vscode.WebviewPanel | undefined;
  private engine: EngineClient | undefined;
  private readonly states = new Map<LecturePageName, LectureState>();

  constructor(private readonly extensionUri: vscode.Uri) {}

  show(): void {
    if (this.panel !== undefined) return this.panel.reveal();
    const root = vscode.Uri.joinPath(this.extensionUri, 'dist', 'webview');
    const panel = vscode.window.createWebviewPanel(
      'meshlens.lecture',
      COMMAND_WORDS.lectureTitle,
      vscode.ViewColumn.Active,
      {
        enableScripts: true,
        localResourceRoots: [root],
      },
    );
    this.panel = panel;
    panel.webview.onDidReceiveMessage((message: unknown) => this.receive(message));
    panel.onDidDispose(() => this.close());
    panel.webview.html = pageHtml(panel.webview, root, 'lecture');
  }

  dispose(): void {
    this.panel?.dispose();
    this.reported.dispose();
  }

  private close(): void {
    this.panel = undefined;
    this.report = undefined;
    this.engine?.dispose();
    this.engine = undefined;
    this.states.clear();
  }

  private receive(raw: unknown): void {
    const parsed = v.safeParse(FromLecture, raw);
    if (!parsed.success) return console.warn('MeshLens: the lecture sent a message that is none of ours');
    const message = parsed.output;
    if (message.type === 'wanted') return void this.run(message.demo);
    this.report = message.scene;
    this.reported.fire();
  }

  private async run(demo: LecturePageName): Promise<void> {
    const known = this.states.get(demo);
    if (known !== undefined && known.phase !== 'failed') return this.send(known);
    this.engine ??= new EngineClient(this.extensionUri);
    this.send({ demo, phase: 'running' });
    try {
      this.send({ demo, phase: 'done', scenes: await this.engine.ask<'lecture'>({ type: 'lecture', demo }, 0) });
    } catch (error) {
      this.send({ demo, phase: 'failed', message: error instanceof Error ? error.message : String(error) });
    }
  }

  /** Nothing is sent to a page that has been closed meanwhile. */
  private send(state: LectureState): void {
    if (this.panel === undefined) return;
    this.states.set(state.demo, state);
    const message: ToLecture = { type: 'lecture', state };
    void this.panel.webview.postMessage(message);
  }
}

/** One entry of the status bar, while the config that is looked at has an answer. */
import * as vscode from 'vscode';
import { verdict } from '../words/editor';
import { lensTitle } from '../words/lens';
import { setting } from './settings';
import type { Setups } from './setups';

const ICONS = { good: 'pass', close: 'warning', bad: 'error', open: 'question' } as const;

export class StatusBar implements vscode.Disposable {
  readonly item = vscode.window.createStatusBarItem('meshlens.verdict', vscode.StatusBarAlignment.Right, 90);
  private readonly subscriptions: vscode.Disposable[];

  constructor(private readonly setups: Setups) {
    this.item.name = 'MeshLens';
    this.subscriptions = [
      this.item,
      setups.onDidChange(() => this.update()),
      vscode.window.onDidChangeActiveTextEditor(() => this.update()),
      vscode.workspace.onDidChangeConfiguration(event => event.affectsConfiguration('meshlens') && this.update()),
    ];
    this.update();
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private update(): void {
    const { activeTextEditor, visibleTextEditors } = vscode.window;
    // While the dashboard has the focus no text editor is active: a config beside it stays in view.
    const editors = activeTextEditor === undefined ? visibleTextEditors : [activeTextEditor];
    const [view] = editors.flatMap(({ document }) => this.setups.view(document.uri) ?? []);
    if (view === undefined || !setting('statusBar.enabled', view.uri)) return this.item.hide();
    const { document } = view.answer;
    const { text, severity, next } = verdict(document);
    this.item.text = `$(${ICONS[severity]}) ${text}`;
    this.item.tooltip = `MeshLens: ${lensTitle(document, view.stale)}`;
    this.item.accessibilityInformation = { label: `MeshLens: ${text}` };
    this.item.command = { command: `meshlens.${next}`, title: 'MeshLens', arguments: [view.uri] };
    this.item.show();
  }
}

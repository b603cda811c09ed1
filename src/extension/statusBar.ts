/** One entry of the status bar, while the config of the active editor has an answer. */
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
    const uri = vscode.window.activeTextEditor?.document.uri;
    const view = uri === undefined ? undefined : this.setups.view(uri);
    if (view === undefined || !setting('statusBar.enabled', uri)) return this.item.hide();
    const { document } = view.answer;
    const { text, severity } = verdict(document, vscode.env.language);
    this.item.text = `$(${ICONS[severity]}) ${text}`;
    this.item.tooltip = `MeshLens: ${lensTitle(document, view.stale, vscode.env.language)}`;
    this.item.accessibilityInformation = { label: `MeshLens: ${text}` };
    this.item.command = { command: 'meshlens.openDashboard', title: 'MeshLens', arguments: [view.uri] };
    this.item.show();
  }
}

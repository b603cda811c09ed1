/** Marks at what spoils a measurement, in Python files that measure collectives, while they are open. */
import * as vscode from 'vscode';
import { toDiagnostic } from './diagnostics';
import type { EngineClient } from './engineClient';
import { Pauses } from './pauses';
import { excluded, setting } from './settings';
import { measuresCollectives } from './signs';

/** As the configs' texts: typing pauses longer than this are used for a look. */
const PAUSE = 300;

export class ScriptPitfalls implements vscode.Disposable {
  private readonly collection = vscode.languages.createDiagnosticCollection('meshlens-pitfalls');
  private readonly pauses = new Pauses(PAUSE, document => void this.look(document));
  private readonly subscriptions: vscode.Disposable[];

  constructor(private readonly engine: EngineClient) {
    this.subscriptions = [
      this.collection,
      this.pauses,
      vscode.workspace.onDidOpenTextDocument(document => this.touched(document)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.touched(document)),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.collection.delete(uri)),
      vscode.workspace.onDidChangeConfiguration(
        event =>
          event.affectsConfiguration('meshlens') && vscode.workspace.textDocuments.forEach(one => this.touched(one)),
      ),
    ];
    vscode.workspace.textDocuments.forEach(document => this.touched(document));
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private touched(document: vscode.TextDocument): void {
    if (document.languageId === 'python') this.pauses.touched(document);
  }

  private async look(document: vscode.TextDocument): Promise<void> {
    const { uri, version } = document;
    const text = document.getText();
    const isWanted = setting('diagnostics.enabled', uri) && !excluded(document) && measuresCollectives(text);
    if (document.isClosed || !isWanted) return this.collection.delete(uri);
    const script = { file: vscode.workspace.asRelativePath(uri), text };
    const problems = await this.engine
      .ask<'pitfalls'>({ type: 'pitfalls', script }, version)
      .then(undefined, () => null);
    if (problems === null || document.isClosed || document.version !== version) return;
    const severities = setting('diagnostics.severity', uri);
    const shown = problems.flatMap(problem => {
      const severity = severities[problem.code] ?? problem.severity;
      return severity === 'off' ? [] : [toDiagnostic({ ...problem, severity })];
    });
    this.collection.set(uri, shown);
  }
}

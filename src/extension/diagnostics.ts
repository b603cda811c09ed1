/** Problems in the editor, at the keys that cause them, while their document is open. */
import * as vscode from 'vscode';
import type { ProblemDocument } from '../documents/types';
import { ruleAddress } from '../engine/plan/ruleSources';
import { setting } from './settings';
import type { Setups } from './setups';

const SEVERITIES = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  information: vscode.DiagnosticSeverity.Information,
} as const;

/** Questions are asked by the lens, and the editor's own JSON service shows damage: neither is repeated here. */
const ELSEWHERE: readonly string[] = ['value-unknown', 'cluster-unknown', 'syntax'];

export class Diagnostics implements vscode.Disposable {
  private readonly collection = vscode.languages.createDiagnosticCollection('meshlens');
  private readonly subscription: vscode.Disposable;

  constructor(private readonly setups: Setups) {
    this.subscription = setups.onDidChange(uri => this.update(uri));
    for (const { uri } of setups.all()) this.update(uri);
  }

  dispose(): void {
    this.subscription.dispose();
    this.collection.dispose();
  }

  private update(uri: vscode.Uri): void {
    const view = this.setups.view(uri);
    if (view === undefined || !setting('diagnostics.enabled', uri)) return this.collection.delete(uri);
    // Ranges of the last good text do not fit a damaged one.
    if (view.stale) return;
    const name = this.setups.nameOf(uri);
    const severities = setting('diagnostics.severity', uri);
    const shown = view.answer.document.problems.filter(
      ({ code, file }) => !ELSEWHERE.includes(code) && (file === name || file === null),
    );
    this.collection.set(
      uri,
      shown.flatMap(problem => {
        const severity = severities[problem.code] ?? problem.severity;
        return severity === 'off' ? [] : [toDiagnostic({ ...problem, severity })];
      }),
    );
  }
}

export function toDiagnostic({
  line,
  column,
  endLine,
  endColumn,
  message,
  severity,
  code,
  rule,
}: ProblemDocument): vscode.Diagnostic {
  const range = new vscode.Range(
    (line ?? 1) - 1,
    (column ?? 1) - 1,
    (endLine ?? line ?? 1) - 1,
    (endColumn ?? column ?? 1) - 1,
  );
  const address = rule === null ? null : ruleAddress(rule);
  const shown = rule === null || address !== null ? message : `${message} (${rule})`;
  const diagnostic = new vscode.Diagnostic(range, shown, SEVERITIES[severity]);
  diagnostic.source = 'MeshLens';
  // The code leads to the lines of the framework that enforce the rule.
  diagnostic.code = address === null ? code : { value: code, target: vscode.Uri.parse(address) };
  return diagnostic;
}

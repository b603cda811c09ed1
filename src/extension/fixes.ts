/** Quick fixes: the edits that a problem brings along. */
import * as vscode from 'vscode';
import type { ProblemDocument } from '../documents/types';
import { hideProblemTitle } from '../words/editor';
import { toDiagnostic } from './diagnostics';
import type { Setups } from './setups';

export class Fixes implements vscode.CodeActionProvider {
  static readonly kinds = [vscode.CodeActionKind.QuickFix];

  constructor(private readonly setups: Setups) {}

  provideCodeActions(document: vscode.TextDocument, range: vscode.Range): vscode.CodeAction[] {
    const view = this.setups.view(document.uri);
    if (view === undefined || view.stale || view.version !== document.version) return [];
    const name = this.setups.nameOf(document.uri);
    return view.answer.document.problems
      .filter(problem => problem.file === name && toDiagnostic(problem).range.intersection(range) !== undefined)
      .flatMap(problem => [...this.actionFor(problem), hideAction(document.uri, problem)]);
  }

  private actionFor(problem: ProblemDocument): vscode.CodeAction[] {
    const { fix } = problem;
    if (fix === null) return [];
    const edit = new vscode.WorkspaceEdit();
    for (const { file, line, column, endLine, endColumn, newText } of fix.edits) {
      const uri = this.setups.uriOf(file);
      if (uri === undefined) return [];
      edit.replace(uri, new vscode.Range(line - 1, column - 1, endLine - 1, endColumn - 1), newText);
    }
    const action = new vscode.CodeAction(fix.title, vscode.CodeActionKind.QuickFix);
    action.edit = edit;
    action.diagnostics = [toDiagnostic(problem)];
    action.isPreferred = true;
    return [action];
  }
}

function hideAction(uri: vscode.Uri, problem: ProblemDocument): vscode.CodeAction {
  const title = hideProblemTitle(problem.code);
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  action.command = { command: 'meshlens.hideProblem', title, arguments: [uri, problem.code] };
  action.diagnostics = [toDiagnostic(problem)];
  return action;
}

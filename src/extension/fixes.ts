/** Quick fixes: the edits that a problem brings along. */
import * as vscode from 'vscode';
import type { ProblemDocument } from '../documents/types';
import { EDITOR_WORDS } from '../words/editor';
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
      .flatMap(problem => [
        ...this.actionFor(problem),
        ...ignoreAction(document, problem),
        hideAction(document.uri, problem),
      ]);
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

/** A comment above the line, where the format has comments. */
function ignoreAction(document: vscode.TextDocument, problem: ProblemDocument): vscode.CodeAction[] {
  if (problem.line === null || !/\.(ya?ml|toml|sh|bash|slurm|sbatch|py)$/.test(document.uri.path)) return [];
  const line = document.lineAt(Math.min(problem.line, document.lineCount) - 1);
  const indent = line.text.slice(0, line.firstNonWhitespaceCharacterIndex);
  // A comment between lines that a backslash joins would cut a command in two.
  const isContinued =
    line.lineNumber > 0 &&
    document
      .lineAt(line.lineNumber - 1)
      .text.trimEnd()
      .endsWith('\\');
  if (isContinued) return [];
  const action = new vscode.CodeAction(EDITOR_WORDS.ignore(problem.code), vscode.CodeActionKind.QuickFix);
  action.edit = new vscode.WorkspaceEdit();
  action.edit.insert(document.uri, line.range.start, `${indent}# meshlens-disable-next-line ${problem.code}\n`);
  action.diagnostics = [toDiagnostic(problem)];
  return [action];
}

function hideAction(uri: vscode.Uri, problem: ProblemDocument): vscode.CodeAction {
  const title = EDITOR_WORDS.hideProblem(problem.code);
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  action.command = { command: 'meshlens.hideProblem', title, arguments: [uri, problem.code] };
  action.diagnostics = [toDiagnostic(problem)];
  return action;
}

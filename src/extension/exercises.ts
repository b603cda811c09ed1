/** The lecture's exercises: texts to fill in, graded by the engine. What is written in them is never run as code. */
import * as vscode from 'vscode';
import type { ExerciseDocument } from '../documents/exercise';
import type { ExerciseName } from '../engine/exercises/exercises';
import { COMMAND_WORDS } from '../words/commands';
import { EXERCISE_NAMES, EXERCISE_TITLES, exerciseOf, exerciseTemplate } from '../words/exercises';
import { pick } from './ask';
import type { EngineClient } from './engineClient';

export class Exercises implements vscode.Disposable {
  private readonly marks = vscode.languages.createDiagnosticCollection('meshlens-exercise');

  constructor(private readonly engine: EngineClient) {}

  /** Grades the exercise of the active editor; opens one where there is none. `name`: which one, without asking. */
  async run(name: unknown): Promise<ExerciseDocument | undefined> {
    const document = vscode.window.activeTextEditor?.document;
    const open = document === undefined ? null : exerciseOf(document.getText());
    const asked = EXERCISE_NAMES.find(known => known === name);
    if (document !== undefined && open !== null && asked === undefined) return this.grade(document, open);
    const chosen = asked ?? (await choose());
    if (chosen === undefined) return undefined;
    const text = await vscode.workspace.openTextDocument({ language: 'plaintext', content: exerciseTemplate(chosen) });
    const editor = await vscode.window.showTextDocument(text);
    const end = text.lineAt(text.lineCount - 1).range.end;
    editor.selection = new vscode.Selection(end, end);
    return undefined;
  }

  dispose(): void {
    this.marks.dispose();
  }

  private async grade(document: vscode.TextDocument, exercise: ExerciseName): Promise<ExerciseDocument> {
    const { version } = document;
    const graded = await this.engine.ask<'exercise'>({ type: 'exercise', exercise, text: document.getText() }, version);
    if (document.version !== version) return graded;
    this.marks.set(document.uri, mark(document, graded));
    const { passed, message } = graded;
    const said = `MeshLens: ${message}`;
    void (passed ? vscode.window.showInformationMessage(said) : vscode.window.showWarningMessage(said));
    return graded;
  }
}

/** At the statement that is wrong, or at the end where the whole is. */
function mark(document: vscode.TextDocument, { finding, message }: ExerciseDocument): vscode.Diagnostic[] {
  if (finding === null) return [];
  const line = Math.min(finding.line ?? document.lineCount, document.lineCount) - 1;
  const diagnostic = new vscode.Diagnostic(document.lineAt(line).range, message, vscode.DiagnosticSeverity.Warning);
  diagnostic.source = 'MeshLens';
  diagnostic.code = finding.code;
  return [diagnostic];
}

async function choose(): Promise<ExerciseName | undefined> {
  const items = EXERCISE_NAMES.map(name => ({ label: EXERCISE_TITLES[name], description: name, name }));
  return (await pick(items, COMMAND_WORDS.exerciseTitle))?.name;
}

/** `meshlens exercise NAME [FILE]`: grades a solution, or prints the text to fill in. */
import { exerciseDocument, type ExerciseDocument } from '../documents/exercise';
import { EXERCISES } from '../engine/exercises/exercises';
import { exerciseTemplate } from '../words/exercises';
import { readFile } from './inputs';
import { UsageError } from './usage';

/** Without a file the unsolved text is graded, which is what it then says. */
export function exerciseCommand(operands: readonly string[]): ExerciseDocument & { readonly template: string } {
  const [name, file] = operands;
  const exercise = EXERCISES.find(known => known === name);
  if (exercise === undefined || operands.length > 2)
    throw new UsageError('usage', `exercise needs one of: ${EXERCISES.join(', ')}, and the file of a solution.`);
  const template = exerciseTemplate(exercise);
  return { ...exerciseDocument(exercise, file === undefined ? template : readFile(file)), template };
}

export function exerciseText(document: ReturnType<typeof exerciseCommand>, file: string | undefined): string {
  if (file === undefined) return document.template;
  const { finding, message } = document;
  return `${finding?.line == null ? file : `${file}:${finding.line}`}: ${message}\n`;
}

/** What the grader says of a solution, as a document. */
import { type ExerciseName, gradeExercise } from '../engine/exercises/exercises';
import type { FindingCode } from '../engine/exercises/grade';
import type { Args } from '../engine/problem';
import { findingMessage, passed } from '../words/exercises';
import { SCHEMA } from './types';

export interface ExerciseDocument {
  readonly schema: typeof SCHEMA;
  readonly command: 'exercise';
  readonly exercise: ExerciseName;
  readonly passed: boolean;
  /** The first thing that is wrong; null where nothing is. */
  readonly finding: { readonly code: FindingCode; readonly line: number | null; readonly args: Args } | null;
  readonly message: string;
}

export function exerciseDocument(exercise: ExerciseName, text: string): ExerciseDocument {
  const finding = gradeExercise(exercise, text);
  const message = finding === null ? passed() : findingMessage(finding);
  return { schema: SCHEMA, command: 'exercise', exercise, passed: finding === null, finding, message };
}

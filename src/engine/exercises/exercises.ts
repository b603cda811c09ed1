/** The exercises that the lecture leaves, and the grader of each. */
import { gradeAlternateRing } from './alternateRing';
import { gradeBucketSize } from './bucketSize';
import type { Grade } from './grade';
import { gradePipelineBackward } from './pipelineBackward';
import { parseStatements, type Statement } from './statements';
import { gradeTensorBackward } from './tensorBackward';

export const EXERCISES = ['tensor-backward', 'pipeline-backward', 'alternate-ring', 'bucket-size'] as const;
export type ExerciseName = (typeof EXERCISES)[number];

const GRADERS: Readonly<Record<ExerciseName, (statements: readonly Statement[]) => Grade>> = {
  'tensor-backward': gradeTensorBackward,
  'pipeline-backward': gradePipelineBackward,
  'alternate-ring': gradeAlternateRing,
  'bucket-size': gradeBucketSize,
};

/** Carries the solution out on the simulated mesh; null where it is right. */
export function gradeExercise(name: ExerciseName, text: string): Grade {
  const statements = parseStatements(text);
  return 'code' in statements ? statements : GRADERS[name](statements);
}

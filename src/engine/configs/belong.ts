/** Which files of a folder make one setup. */
import type { FileReading } from '../setup/setup';

const MODEL_KINDS: readonly string[] = ['hf'];

const isModel = ({ kind }: FileReading): boolean => kind !== null && MODEL_KINDS.includes(kind);
const isTraining = ({ kind }: FileReading): boolean => kind !== null && !MODEL_KINDS.includes(kind);

/**
 * The primary file with what belongs to it: a training config takes the folder's model, a model the folder's training
 * config, each only where there is exactly one, so that nothing is guessed.
 */
export function belongTogether(primary: FileReading, others: readonly FileReading[]): FileReading[] {
  if (primary.kind === null) return [primary];
  const wanted = others.filter(isModel(primary) ? isTraining : isModel);
  return wanted.length === 1 ? [primary, ...wanted] : [primary];
}

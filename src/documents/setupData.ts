/** A setup as plain data, for messages: maps and sets become lists. */
import type { FieldOrigin, FieldPath, TrainingSetup } from '../engine/setup/setup';

export type SetupData = Omit<TrainingSetup, 'fields' | 'unknown'> & {
  readonly fields: readonly (readonly [FieldPath, FieldOrigin])[];
  readonly unknown: readonly FieldPath[];
};

export function packSetup({ fields, unknown, ...rest }: TrainingSetup): SetupData {
  return { ...rest, fields: [...fields], unknown: [...(unknown ?? [])] };
}

export function unpackSetup({ fields, unknown, ...rest }: SetupData): TrainingSetup {
  return { ...rest, fields: new Map(fields), unknown: new Set(unknown) };
}

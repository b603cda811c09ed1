/** A user's own values over what files say: `--set key=value`, settings, answers to questions. */
import { isAcceleratorId } from '../hardware/accelerators';
import { SIZE_LIMITS } from '../model/sizes';
import { isPlanKey, LARGEST_INTEGER, parsePlanValue } from '../plan/keys';
import { isClusterKey, isModelKey, SetupBuilder, type TrainingSetup } from './setup';

export type OverrideError = {
  readonly code: 'unknown-key' | 'unknown-value' | 'unknown-gpu';
  readonly key: string;
  readonly value: string;
};

/** The setup with `key` set by the user, or what is wrong with the key or value. */
export function override(setup: TrainingSetup, key: string, text: string): TrainingSetup | OverrideError {
  const builder = new SetupBuilder(setup);
  const refused = (code: OverrideError['code']): OverrideError => ({ code, key, value: text });
  if (isPlanKey(key)) {
    const value = parsePlanValue(key, text);
    if (value === undefined) return refused('unknown-value');
    builder.setPlan(key, value, 'user');
  } else if (key === 'gpu') {
    if (!isAcceleratorId(text)) return refused('unknown-gpu');
    builder.setCluster('gpu', text, 'user');
  } else if (isClusterKey(key)) {
    const value = positiveNumber(
      text,
      key === 'nicBytesPerSecond' || key === 'capacityBytes' ? LARGEST_INTEGER : 2 ** 24,
    );
    if (value === null) return refused('unknown-value');
    builder.setCluster(key, value, 'user');
  } else if (isModelKey(key)) {
    if (!setModel(builder, key, text)) return refused('unknown-value');
  } else return refused('unknown-key');
  return builder.build();
}

/** The setup under several values in their order; those that mean nothing are left out. */
export function withValues(
  setup: TrainingSetup,
  values: readonly (readonly [key: string, value: string])[],
): TrainingSetup {
  return values.reduce((result, [key, value]) => {
    const next = override(result, key, value);
    return 'code' in next ? result : next;
  }, setup);
}

function setModel(builder: SetupBuilder, key: Parameters<SetupBuilder['setModel']>[0], text: string): boolean {
  if (key === 'name') {
    builder.setModel('name', text, 'user');
    return true;
  }
  if (key === 'tied' || key === 'gatedMlp') {
    if (text !== 'true' && text !== 'false') return false;
    builder.setModel(key, text === 'true', 'user');
    return true;
  }
  const value = positiveNumber(text, SIZE_LIMITS[key]);
  if (value === null) return false;
  builder.setModel(key, value, 'user');
  return true;
}

function positiveNumber(text: string, most: number): number | null {
  const value = text.trim() === '' ? NaN : Number(text);
  return Number.isInteger(value) && value >= 1 && value <= most ? value : null;
}

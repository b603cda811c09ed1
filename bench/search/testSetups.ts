/** Setups for tests, from the keys that --set takes. */
import { override } from '../../src/engine/setup/override';
import { emptySetup, type TrainingSetup } from '../../src/engine/setup/setup';
import { invariant } from '../../src/engine/problem';

export function setupOf(
  values: Readonly<Record<string, string | number>>,
  base: TrainingSetup = emptySetup(),
): TrainingSetup {
  return Object.entries(values).reduce((setup, [key, value]) => {
    const next = override(setup, key, String(value));
    invariant(!('code' in next), `${key}=${value} is no value of a setup`);
    return next;
  }, base);
}

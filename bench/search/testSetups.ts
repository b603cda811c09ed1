/** Setups for tests, from the keys that --set takes. */
import { LLAMA_8B } from '../../test/fixtures/llama8b';
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

export function llama8bOn(values: Readonly<Record<string, string | number>>): TrainingSetup {
  const sizes = Object.entries(LLAMA_8B).map(([key, value]) => [key, String(value)]);
  return setupOf({ ...(Object.fromEntries(sizes) as Record<string, string>), gpu: 'h100-sxm', ...values });
}

/** What a search returns, whatever it yields on the way. */
export function toEnd<T>(run: Generator<unknown, T>): T {
  let step = run.next();
  while (step.done !== true) step = run.next();
  return step.value;
}

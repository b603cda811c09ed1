/** Models with their tables, kept while a user edits: an estimate after the first looks its tables up. */
import { calibrationWith } from '../hardware/profile';
import type { Model } from '../model/architecture';
import { countParameters, type Parameters } from '../model/parameters';
import { setupModel, type TrainingSetup } from '../setup/setup';
import { prepare, type Tables } from './prepare';

export interface Prepared {
  readonly model: Model;
  readonly parameters: Parameters;
  readonly tables: Tables;
}

const MOST_KEPT = 8;
const kept = new Map<string, Prepared | null>();

/** null where the model has unknown sizes. The longest unused of eight is forgotten. */
export function preparedOf(setup: TrainingSetup): Prepared | null {
  const key = JSON.stringify([setup.sizes, setup.traits, setup.cluster, setup.profile ?? null]);
  let found = kept.get(key);
  if (found === undefined) {
    const model = setupModel(setup);
    found =
      model === null
        ? null
        : {
            model,
            parameters: countParameters(model),
            tables: prepare(model, setup.cluster, calibrationWith(setup.profile ?? null)),
          };
  }
  kept.delete(key);
  kept.set(key, found);
  if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value ?? '');
  return found;
}

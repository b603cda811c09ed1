/** What a setup holds that is counted and not modelled, however its model was named. */
import { type Problem, problem } from '../problem';
import type { TrainingSetup } from './setup';

/** Layers with parts of their own (state spaces, linear attention, indexers): they are counted, their time is not. */
export function layerLimits({ traits, fields }: TrainingSetup): Problem[] {
  const used = new Set(traits.variantOf);
  const parts = traits.variants.flatMap(({ extra }, index) => (used.has(index) ? extra : []));
  if (parts.length === 0) return [];
  const name = [...new Set(parts.map(part => part.name))].join(', ');
  const source = (fields.get('model.name') ?? fields.get('model.layers'))?.source ?? null;
  return [problem('not-modelled', { what: 'layer-parts', name }, { source })];
}

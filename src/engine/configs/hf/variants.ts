/** Naming the kinds of layers of a hybrid, and which one each layer is. */
import type { CountedPart } from '../../model/layer';
import type { ModelSizes } from '../../model/sizes';
import type { LayerVariant, Traits } from '../../model/traits';
import type { Values } from './values';

export type Layers = Pick<Traits, 'variants' | 'variantOf'>;
export type Hybrid = (config: Values, sizes: ModelSizes) => Layers;

export const part = (name: string, parameters: number): CountedPart => ({ name, parameters });

export function variant(change: Partial<LayerVariant>): LayerVariant {
  return { attention: {}, feedForward: 'as-sizes', width: null, norms: 2, extra: [], ...change };
}

/** Layers of which the nth is the variant that `kindOf` names. */
export function assign(layers: number, kinds: Record<string, LayerVariant>, kindOf: (index: number) => string): Layers {
  const names = Object.keys(kinds);
  const variantOf = Array.from({ length: layers }, (_, index) => names.indexOf(kindOf(index)));
  return { variants: Object.values(kinds), variantOf };
}

/** Every layer has these parts beside its own. */
export function everyLayer(layers: number, extra: CountedPart[], change: Partial<LayerVariant> = {}): Layers {
  return assign(layers, { layer: variant({ ...change, extra }) }, () => 'layer');
}

export const typesOf = (config: Values): unknown[] => config.list('layer_types') ?? [];

/**
 * The weights of a network as data: names, shapes, and which slice of each a rank holds. Serial and parallel runs,
 * memory, traffic and checkpoints all read this table.
 *
 * Legend: a weight is (rows, cols) and multiplies from the right, y = x·W; split `cols` is column-parallel, `rows`
 * row-parallel (Megatron-LM, arXiv 1909.08053, section 3).
 */
import type { DecoderNetwork, Network } from './network';
import { hashName, normal } from './random';

export interface ParameterSpec {
  readonly name: string;
  readonly rows: number;
  readonly cols: number;
  /** How tp cuts it. */
  readonly split: 'none' | 'rows' | 'cols';
  /** The number of the expert that it belongs to. */
  readonly expert: number | null;
  /** Standard deviation at the start; null: ones, 0: zeros. */
  readonly std: number | null;
  /** Used on the tokens that sequence parallelism (`sp`) or the dealing of tokens to experts (`always`) leaves a rank. */
  readonly tokens: 'all' | 'sp' | 'always';
}

/** Weights that are gathered, reduced and stepped together. */
export interface UnitSpec {
  readonly name: string;
  readonly parameters: readonly ParameterSpec[];
  /** Routed experts live on the expert mesh. */
  readonly isExpert: boolean;
}

export interface Slice {
  readonly rowStart: number;
  readonly rows: number;
  readonly colStart: number;
  readonly cols: number;
}

type Extra = Partial<Omit<ParameterSpec, 'name' | 'rows' | 'cols'>>;

function matrix(name: string, rows: number, cols: number, extra: Extra = {}): ParameterSpec {
  return { name, rows, cols, split: 'none', expert: null, std: 1 / Math.sqrt(rows), tokens: 'all', ...extra };
}

function norm(name: string, { norm, hidden }: DecoderNetwork): ParameterSpec[] {
  const weight = matrix(`${name}.weight`, 1, hidden, { std: null, tokens: 'sp' });
  return norm === 'rms' ? [weight] : [weight, { ...weight, name: `${name}.shift`, std: 0 }];
}

/** The units of a network in the order of the model. */
export function unitsOf(network: Network): UnitSpec[] {
  const unit = (name: string, parameters: ParameterSpec[], isExpert = false): UnitSpec => ({
    name,
    parameters,
    isExpert,
  });
  const layers = Array.from({ length: network.layers }, (_, i) => `layers.${i}`);
  if (network.kind === 'mlp') {
    const { hidden } = network;
    return layers.map(name => unit(name, [matrix(`${name}.weight`, hidden, hidden, { split: 'cols' })]));
  }
  const { hidden, vocab, tied, positionRows } = network;
  const table = (name: string) => matrix(name, vocab, hidden, { split: 'rows', std: 0.02 });
  const positions = matrix('positions', positionRows, hidden, { std: 0.02, tokens: 'sp' });
  return [
    unit('embedding', [table('embedding'), ...(positionRows > 0 ? [positions] : [])]),
    ...layers.flatMap(name => {
      const routed = network.experts > 0 ? [unit(`${name}.experts`, expertParameters(name, network), true)] : [];
      return [unit(name, layerParameters(name, network)), ...routed];
    }),
    unit('head', [...norm('head.norm', network), ...(tied ? [] : [table('head')])]),
  ];
}

function layerParameters(name: string, network: DecoderNetwork): ParameterSpec[] {
  const { hidden, heads, kvHeads, headDim, experts } = network;
  return [
    ...norm(`${name}.norm1`, network),
    matrix(`${name}.q`, hidden, heads * headDim, { split: 'cols' }),
    matrix(`${name}.k`, hidden, kvHeads * headDim, { split: 'cols' }),
    matrix(`${name}.v`, hidden, kvHeads * headDim, { split: 'cols' }),
    matrix(`${name}.o`, heads * headDim, hidden, { split: 'rows' }),
    ...norm(`${name}.norm2`, network),
    ...(experts > 0
      ? [matrix(`${name}.router`, hidden, experts, { tokens: 'always' })]
      : feedForward(name, network, network.ffn, true)),
  ];
}

/** Experts are whole on their ranks. */
function expertParameters(name: string, network: DecoderNetwork): ParameterSpec[] {
  return Array.from({ length: network.experts }, (_, expert) =>
    feedForward(`${name}.experts.${expert}`, network, network.expertFfn, false).map(spec => ({ ...spec, expert })),
  ).flat();
}

function feedForward(name: string, { hidden, gated }: DecoderNetwork, width: number, isSplit: boolean) {
  const split = (side: 'rows' | 'cols') => ({ split: isSplit ? side : 'none' }) as const;
  return [
    ...(gated ? [matrix(`${name}.gate`, hidden, width, split('cols'))] : []),
    matrix(`${name}.up`, hidden, width, split('cols')),
    matrix(`${name}.down`, width, hidden, split('rows')),
  ];
}

/** The slice of a parameter at place `index` of `tp` ranks. */
export function sliceOf({ rows, cols, split }: ParameterSpec, index: number, tp: number): Slice {
  const [r, c] = [split === 'rows' ? rows / tp : rows, split === 'cols' ? cols / tp : cols];
  return { rowStart: split === 'rows' ? index * r : 0, rows: r, colStart: split === 'cols' ? index * c : 0, cols: c };
}

/** The index in the whole tensor of element `i` of a slice. */
export function globalIndex(spec: ParameterSpec, slice: Slice, i: number): number {
  const row = Math.floor(i / slice.cols);
  return (slice.rowStart + row) * spec.cols + slice.colStart + (i - row * slice.cols);
}

/** The value at the start of an element of a tensor, by its index in the whole tensor or, where it is wrong, in the slice. */
export type Initial = (spec: ParameterSpec, seed: number, globalIndex: number, localIndex: number) => number;

/** Depends on the place in the whole tensor alone, so that every layout starts from the same weights. */
export const initialWeight: Initial = (spec, seed, index) =>
  spec.std === null ? 1 : spec.std === 0 ? 0 : spec.std * normal(seed, hashName(spec.name), index);

/**
 * The roofline of a plan: every operator of the busiest stage with its FLOPs, bytes and seconds, beside what the device
 * can do. Seconds are those of the cost model, priced one operator at a time.
 *
 * Legend: intensity I = FLOPs/bytes · roof = min(peak, I · bandwidth) · ridge = peak/bandwidth (Williams, Waterman and
 * Patterson 2009, CACM 52(4)).
 */
import { LAYER_PARTS, matmulBytes, matmulFlops } from '../model/operator';
import type { ReadyPlan } from '../plan/ready';
import { countsOf, planContext, pricingOf } from './context';
import { type LayerCosts, priceLayer, type Pricing } from './layerCosts';
import type { AttentionWork, LayerCounts, LinearWork } from './layerWork';
import { matmulSeconds } from './matmul';
import type { Tables } from './prepare';
import type { RecomputeRule } from './recompute';
import type { StageClass } from './stages';
import { emptyStageSeconds, stageSeconds } from './stageSeconds';
import { pricedContext } from './step';

export interface RooflineOperator {
  /** Of the operator table, or a part of a layer where operators without products stand together. */
  readonly name: string;
  /** Index of the kind of layer; null outside layers. */
  readonly kind: number | null;
  /** How often a micro-batch runs it on this stage. */
  readonly count: number;
  /** Of one run forward. */
  readonly flops: number;
  readonly bytes: number;
  readonly seconds: number;
  readonly backwardSeconds: number;
  readonly bound: 'compute' | 'memory';
}

export interface Roofline {
  /** Datasheet, dense, in the precision that products run in. */
  readonly peakFlopsPerSecond: number;
  readonly memoryBytesPerSecond: number;
  /** FLOPs a byte at which both limits meet. */
  readonly ridge: number;
  /** The busiest stage, or the first of those like it. */
  readonly stage: number;
  readonly operators: readonly RooflineOperator[];
}

/** null where the device is unknown. */
export function roofline(tables: Tables, plan: ReadyPlan): Roofline | null {
  const context = planContext(tables, plan);
  const price = pricingOf(tables, context.setting);
  const view = busiestClass(tables, plan);
  if (price === null || view === null) return null;
  const counts = countsOf(tables, plan, context.setting);
  const { rule } = context.setting;
  const bias = pricedContext(context)?.bias ?? 1;
  const operators = counts.layers.flatMap((layer, kind) =>
    view.kinds[kind] === 0 ? [] : layerOperators(layer, kind, view.kinds[kind], price, rule),
  );
  if (view.isLast) operators.push(...headOperators(counts.ends.head, counts.ends.lossBytes, price));
  const { rates } = price;
  const low = context.setting.fp8 ? (context.setting.fp4 ? rates.peak4 : rates.peak8) : null;
  const peak = low ?? (context.setting.fp32 ? rates.peak32 : rates.peak16);
  return {
    peakFlopsPerSecond: peak,
    memoryBytesPerSecond: rates.memoryBytesPerSecond,
    ridge: peak / rates.memoryBytesPerSecond,
    stage: view.firstStage,
    // The stack's factor scales every kernel alike.
    operators: operators.map(operator => ({
      ...operator,
      seconds: operator.seconds * bias,
      backwardSeconds: operator.backwardSeconds * bias,
    })),
  };
}

function busiestClass(tables: Tables, plan: ReadyPlan): StageClass | null {
  const priced = pricedContext(planContext(tables, plan));
  if (priced === null) return null;
  const seconds = emptyStageSeconds();
  let [best, most] = [priced.context.layout.classes[0], -1];
  for (const view of priced.context.layout.classes) {
    stageSeconds(priced, view, seconds);
    if (seconds.busy > most) [best, most] = [view, seconds.busy];
  }
  return best;
}

const NO_POINTWISE = LAYER_PARTS.map(() => 0);
const NO_ATTENTION: AttentionWork = { flashFlops: 0, headDim: 0, seqLen: 0, forward: [], backward: [], scores: 0 };

/** The pricing of a layer adds up over its operators, so each is priced as a layer that has nothing else. */
function layerOperators(
  layer: LayerCounts,
  kind: number,
  count: number,
  price: Pricing,
  rule: RecomputeRule,
): RooflineOperator[] {
  const nothing: LayerCounts = {
    ...layer,
    linears: [],
    pointwise: NO_POINTWISE,
    attention: NO_ATTENTION,
    dispatchBytes: 0,
    tokenElements: 0,
  };
  const alone = (name: string, flops: number, bytes: number, part: Partial<LayerCounts>): RooflineOperator => {
    const costs: LayerCosts = { forward: 0, backwardInput: 0, backwardWeight: 0, repeated: 0 };
    priceLayer({ ...nothing, ...part }, price, rule, costs);
    const { forward: seconds, backwardInput, backwardWeight } = costs;
    const bound = flops === 0 || isMemoryBound(bytes, seconds, price) ? 'memory' : 'compute';
    return { name, kind, count, flops, bytes, seconds, backwardSeconds: backwardInput + backwardWeight, bound };
  };
  const products = layer.operators.filter(({ kind: type }) => type === 'matmul');
  const attention = layer.operators.find(({ kind: type }) => type.endsWith('attention'));
  return [
    ...layer.linears.map((linear, i) =>
      alone(products[i].name, linear.forward.flops, linear.forward.bytes, { linears: [linear] }),
    ),
    ...(attention === undefined ? [] : [alone('attention', ...attentionWork(layer), { attention: layer.attention })]),
    ...LAYER_PARTS.flatMap((name, part) => {
      const bytes = layer.pointwise[part];
      return bytes === 0
        ? []
        : [alone(name, 0, bytes, { pointwise: NO_POINTWISE.map((_, i) => (i === part ? bytes : 0)) })];
    }),
    ...(layer.dispatchBytes === 0
      ? []
      : [alone('dispatch', 0, layer.dispatchBytes, { dispatchBytes: layer.dispatchBytes })]),
    ...(price.normBytes === 0
      ? []
      : [alone('unfused-norms', 0, layer.tokenElements * price.normBytes, { tokenElements: layer.tokenElements })]),
  ];
}

function isMemoryBound(bytes: number, seconds: number, { memoryBytesPerSecond }: Pricing): boolean {
  return bytes / memoryBytesPerSecond > seconds * (1 - 1e-9);
}

/** FLOPs and bytes forward; a fused kernel moves what it reads and what it keeps. */
function attentionWork({ attention, operators }: LayerCounts): [flops: number, bytes: number] {
  if (attention.flashFlops > 0) {
    const inOut = operators
      .filter(({ name }) => name === 'attention' || name === 'rotary and layout')
      .flatMap(({ saved }) => saved)
      .reduce((sum, { bytes }) => sum + bytes, 0);
    return [attention.flashFlops, inOut];
  }
  const shapes = operators.flatMap(operator => (operator.kind === 'unfused-attention' ? operator.shapes : []));
  const sum = (count: (shape: (typeof shapes)[number]) => number) =>
    shapes.reduce((all, shape) => all + count(shape), 0);
  return [sum(matmulFlops), sum(shape => matmulBytes(shape)) + 9 * attention.scores];
}

function headOperators({ forward, input, weight }: LinearWork, lossBytes: number, price: Pricing): RooflineOperator[] {
  const seconds = matmulSeconds(forward, price.high);
  const backwardSeconds = matmulSeconds(input, price.high) + matmulSeconds(weight, price.high);
  const bound = isMemoryBound(forward.bytes, seconds, price) ? 'memory' : 'compute';
  const loss = (lossBytes * price.common.lossPasses) / price.memoryBytesPerSecond / 2;
  const common = { kind: null, count: 1 };
  return [
    {
      ...common,
      name: 'vocabulary projection',
      flops: forward.flops,
      bytes: forward.bytes,
      seconds,
      backwardSeconds,
      bound,
    },
    { ...common, name: 'loss', flops: 0, bytes: lossBytes / 2, seconds: loss, backwardSeconds: loss, bound: 'memory' },
  ];
}

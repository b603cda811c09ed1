/**
 * The cluster benchmark, filled from a setup: the mesh's axes, the model's own products by shape, attention and the
 * layers of one step. The same setup gives the same bytes.
 */
import { workload } from '../../estimate/context';
import { type MatmulShape } from '../../model/operator';
import { layerOperators } from '../../model/operators';
import { isReady } from '../../plan/ready';
import { setupModel, type TrainingSetup } from '../../setup/setup';
import { CLUSTER_TEMPLATE } from './cluster.generated';

export interface ClusterProduct {
  readonly label: string;
  readonly m: number;
  readonly k: number;
  readonly n: number;
}

export interface ClusterPlan {
  /** From the inside out; ranks of an axis lie as far apart as the axes before it have ranks. */
  readonly axes: readonly { readonly name: string; readonly size: number }[];
  /** What one rank multiplies in a layer. */
  readonly products: readonly ClusterProduct[];
  readonly attention: {
    readonly microBatch: number;
    readonly heads: number;
    readonly seqLen: number;
    readonly headDim: number;
  } | null;
  readonly step: {
    readonly hidden: number;
    readonly ffn: number;
    readonly heads: number;
    readonly seqLen: number;
    readonly microBatch: number;
  };
}

/** Of a model that nobody named: the layers of a 1B-like decoder. */
const DEFAULT_STEP = { hidden: 2048, ffn: 8192, heads: 16, seqLen: 2048, microBatch: 1 };
const NO_PLAN: ClusterPlan = { axes: [], products: [], attention: null, step: DEFAULT_STEP };

/** What of a completed setup the script measures; without a model or a plan, shapes of its own alone. */
export function clusterPlan(setup: TrainingSetup): ClusterPlan {
  const model = setupModel(setup);
  const { plan, sizes } = setup;
  if (model === null || !isReady(plan)) return NO_PLAN;
  const axes = (['tp', 'cp', 'dp', 'pp'] as const).map(name => ({ name, size: plan[name] }));
  const products = new Map<string, ClusterProduct>();
  for (const { layer } of model.groups)
    for (const operator of layerOperators(model.hidden, layer, workload(plan))) {
      if (operator.kind !== 'matmul') continue;
      const product = { label: operator.name, ...wholeShape(operator.shape) };
      products.set(`${product.m} ${product.k} ${product.n}`, product);
    }
  const heads = sizes.heads ?? DEFAULT_STEP.heads;
  const shape = { seqLen: Math.max(1, Math.floor(plan.seqLen / plan.cp)), microBatch: plan.microBatch };
  return {
    axes,
    products: [...products.values()],
    attention: {
      ...shape,
      heads: Math.max(1, Math.floor(heads / plan.tp)),
      headDim: sizes.headDim ?? Math.max(1, Math.floor(model.hidden / heads)),
    },
    step: { ...shape, hidden: model.hidden, ffn: sizes.ffn ?? 4 * model.hidden, heads },
  };
}

const wholeShape = ({ m, k, n }: MatmulShape) => ({
  m: Math.max(1, Math.round(m)),
  k: Math.max(1, Math.round(k)),
  n: Math.max(1, Math.round(n)),
});

/** The script's text. The plan stands in it as JSON between quotes that no JSON closes: an apostrophe is escaped. */
export function clusterScript(plan: ClusterPlan): string {
  const json = JSON.stringify(plan).replaceAll("'", '\\u0027');
  return CLUSTER_TEMPLATE.replace('@PLAN@', () => json);
}

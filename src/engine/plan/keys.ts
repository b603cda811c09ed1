/**
 * The keys of a parallel plan: one table that readers, the command line, the search and the dashboard share.
 *
 * Legend: dp, tp, cp, pp, ep, etp are degrees (GPUs along an axis); vpp counts chunks a stage (1 = none).
 * gpus = dp·tp·cp·pp; ep multiplies nothing, it divides dp·cp·tp/etp.
 */

export const SCHEDULES = [
  'none',
  'naive',
  'gpipe',
  '1f1b',
  'eager-1f1b',
  'interleaved-1f1b',
  'zb-h1',
  'zb-h2',
  'zb-1p',
  'zb-2p',
  'zb-v',
  'v-half',
  'v-min',
  'dualpipe',
  'dualpipe-v',
  'breadth-first',
] as const;
export type ScheduleName = (typeof SCHEDULES)[number];

export const SHARDINGS = ['none', 'zero1', 'zero2', 'zero3', 'hsdp'] as const;
export const DTYPES = ['bf16', 'fp16', 'fp32', 'fp8', 'nvfp4'] as const;
export const OPTIMIZERS = ['adamw', 'adam', 'adamw8bit', 'sgd', 'muon', 'none'] as const;
export const RECOMPUTES = ['none', 'selective', 'full'] as const;
export const ATTENTIONS = ['flash', 'unfused'] as const;
export const CP_KINDS = ['ring', 'all-to-all', 'all-gather'] as const;
export const OFFLOADS = ['none', 'optimizer', 'params', 'optimizer+params'] as const;
export const OFFLOAD_DEVICES = ['cpu', 'nvme'] as const;
export const FP8_RECIPES = ['tensorwise', 'rowwise', 'blockwise', 'mxfp8'] as const;
export const ADAPTERS = ['none', 'lora', 'qlora'] as const;
export const GRAD_DTYPES = ['bf16', 'fp16', 'fp32'] as const;

/** A plan as read: null is unknown. Keys that have a default take it in `completePlan`. */
export interface Plan {
  dp: number | null;
  tp: number | null;
  sp: boolean | null;
  cp: number | null;
  cpKind: (typeof CP_KINDS)[number] | null;
  pp: number | null;
  vpp: number | null;
  ep: number | null;
  etp: number | null;
  microBatch: number | null;
  globalBatch: number | null;
  seqLen: number | null;
  sharding: (typeof SHARDINGS)[number] | null;
  shardSize: number | null;
  dtype: (typeof DTYPES)[number] | null;
  gradDtype: (typeof GRAD_DTYPES)[number] | null;
  optimizer: (typeof OPTIMIZERS)[number] | null;
  recompute: (typeof RECOMPUTES)[number] | null;
  recomputeOps: string | null;
  recomputeLayers: number | null;
  attention: (typeof ATTENTIONS)[number] | null;
  offload: (typeof OFFLOADS)[number] | null;
  offloadDevice: (typeof OFFLOAD_DEVICES)[number] | null;
  bucketBytes: number | null;
  compiled: boolean | null;
  fp8Recipe: (typeof FP8_RECIPES)[number] | null;
  expertImbalance: number | null;
  adapterRank: number | null;
  tpOverlap: boolean | null;
  stageLayers: readonly number[] | null;
  order: string | null;
  adapter: (typeof ADAPTERS)[number] | null;
  stack: string | null;
  /** Kernels that a layout does not show, joined by +: fused-rmsnorm, flash-v1, deepep, ep-overlap, … */
  kernels: string | null;
  schedule: ScheduleName | null;
}

export type PlanKey = keyof Plan;
export type PlanValue = Plan[PlanKey];

interface KeyType {
  readonly type: 'integer' | 'number' | 'boolean' | 'enum' | 'text' | 'integers';
  readonly values?: readonly string[];
  readonly min?: number;
  readonly max?: number;
  /** The value where nothing says otherwise; null where it must be known or is derived. */
  readonly fallback: PlanValue;
}

const degree: KeyType = { type: 'integer', min: 1, max: 2 ** 20, fallback: 1 };
const asked: KeyType = { type: 'integer', min: 1, max: 2 ** 32, fallback: null };
const choice = (values: readonly string[], fallback: PlanValue): KeyType => ({ type: 'enum', values, fallback });

/** In the order in which a plan is written. */
export const PLAN_KEYS: Readonly<Record<PlanKey, KeyType>> = {
  dp: asked,
  tp: degree,
  sp: { type: 'boolean', fallback: false },
  cp: degree,
  cpKind: choice(CP_KINDS, null),
  pp: degree,
  vpp: degree,
  ep: degree,
  etp: degree,
  microBatch: asked,
  globalBatch: asked,
  seqLen: asked,
  sharding: choice(SHARDINGS, 'none'),
  shardSize: asked,
  dtype: choice(DTYPES, 'bf16'),
  gradDtype: choice(GRAD_DTYPES, null),
  optimizer: choice(OPTIMIZERS, 'adamw'),
  recompute: choice(RECOMPUTES, 'none'),
  recomputeOps: { type: 'text', fallback: null },
  recomputeLayers: { type: 'integer', min: 0, fallback: null },
  attention: choice(ATTENTIONS, 'flash'),
  offload: choice(OFFLOADS, 'none'),
  offloadDevice: choice(OFFLOAD_DEVICES, null),
  bucketBytes: { type: 'number', min: 0, fallback: null },
  compiled: { type: 'boolean', fallback: null },
  fp8Recipe: choice(FP8_RECIPES, null),
  expertImbalance: { type: 'number', min: 1, fallback: null },
  adapterRank: asked,
  tpOverlap: { type: 'boolean', fallback: false },
  stageLayers: { type: 'integers', min: 0, fallback: null },
  order: { type: 'text', fallback: null },
  adapter: choice(ADAPTERS, 'none'),
  stack: { type: 'text', fallback: null },
  kernels: { type: 'text', fallback: null },
  schedule: choice(SCHEDULES, null),
};

export const PLAN_KEY_NAMES = Object.keys(PLAN_KEYS) as PlanKey[];

/** Larger integers are not sizes of a training run but mistakes or attacks. */
export const LARGEST_INTEGER = 2 ** 48;

export function isPlanKey(name: string): name is PlanKey {
  return Object.hasOwn(PLAN_KEYS, name);
}

export function emptyPlan(): Plan {
  return Object.fromEntries(PLAN_KEY_NAMES.map(key => [key, null])) as unknown as Plan;
}

/** The value that a text stands for under a key, or undefined where the key cannot take it. */
export function parsePlanValue(key: PlanKey, text: string): PlanValue | undefined {
  const { type, values, min = -Infinity, max = LARGEST_INTEGER } = PLAN_KEYS[key];
  const inRange = (n: number) => n >= min && n <= max;
  switch (type) {
    case 'integer':
    case 'number': {
      const n = text.trim() === '' ? NaN : Number(text);
      return Number.isFinite(n) && inRange(n) && (type === 'number' || Number.isInteger(n)) ? n : undefined;
    }
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : undefined;
    case 'enum':
      return values?.includes(text) === true ? text : undefined;
    case 'text':
      return text === '' ? undefined : text;
    case 'integers': {
      const list = text.split('/').map(part => (part.trim() === '' ? NaN : Number(part)));
      return list.every(n => Number.isInteger(n) && inRange(n)) ? list : undefined;
    }
  }
}

/** The text of a value as `--plan` takes it. */
export function formatPlanValue(value: Exclude<PlanValue, null>): string {
  return Array.isArray(value) ? value.join('/') : String(value);
}

/** `tp=2,pp=4,…`: every key that is not null, in the order of the table. */
export function formatPlan(plan: Plan): string {
  return PLAN_KEY_NAMES.flatMap(key => {
    const value = plan[key];
    return value === null ? [] : [`${key}=${formatPlanValue(value)}`];
  }).join(',');
}

/** The values that each control can take: those that can work, and the present one whatever it is. */
import type { EstimateDocument } from '../../src/documents/types';
import { DTYPES, OFFLOADS, OPTIMIZERS, type Plan, RECOMPUTES, SCHEDULES, SHARDINGS } from '../../src/engine/plan/keys';

/** Degrees and sizes have sliders; choices have lists. */
export type SliderKey = 'dp' | 'tp' | 'cp' | 'pp' | 'vpp' | 'ep' | 'microBatch' | 'globalBatch' | 'seqLen';
export type ListKey = 'sharding' | 'recompute' | 'schedule' | 'dtype' | 'optimizer' | 'offload';

export const SLIDERS: readonly SliderKey[] = [
  'dp',
  'tp',
  'cp',
  'pp',
  'vpp',
  'ep',
  'microBatch',
  'globalBatch',
  'seqLen',
];

export const LISTS: Readonly<Record<ListKey, readonly string[]>> = {
  sharding: SHARDINGS,
  recompute: RECOMPUTES,
  schedule: SCHEDULES,
  dtype: DTYPES,
  optimizer: OPTIMIZERS,
  offload: OFFLOADS,
};

const MOST_GPUS = 2 ** 17;
const MOST_SEQUENCE = 2 ** 20;

/** In rising order. The world stays except under dp, which makes it larger or smaller. */
export function sliderValues(key: SliderKey, { setup }: EstimateDocument): number[] {
  const { plan, cluster, model } = setup;
  const gpus = cluster.gpus ?? 1;
  const present = plan[key];
  const list = ((): number[] => {
    switch (key) {
      case 'dp':
        return powers(1, MOST_GPUS / inner(plan)).filter(value => value * inner(plan) <= MOST_GPUS);
      case 'tp':
        return divisors(gpus).filter(value => (model.heads ?? value) % value === 0);
      case 'cp':
        return divisors(gpus).filter(value => value <= 64);
      case 'pp':
        return divisors(gpus).filter(value => value <= (model.layers ?? value));
      case 'vpp':
        return divisors(Math.floor((model.layers ?? 1) / (plan.pp ?? 1)));
      case 'ep':
        return divisors(model.experts ?? 1).filter(value => gpus % value === 0);
      case 'microBatch':
        return divisors(Math.max(1, Math.floor((plan.globalBatch ?? 1) / (plan.dp ?? 1)))).filter(value => value <= 64);
      case 'globalBatch':
        return powers(plan.dp ?? 1, 2 ** 17);
      case 'seqLen':
        return powers(512, MOST_SEQUENCE);
    }
  })();
  return [...new Set(present === null ? list : [...list, present])].sort((a, b) => a - b);
}

function inner({ tp, cp, pp }: Plan): number {
  return (tp ?? 1) * (cp ?? 1) * (pp ?? 1);
}

function divisors(value: number): number[] {
  const found: number[] = [];
  for (let n = 1; n * n <= value; n++) if (value % n === 0) found.push(n, value / n);
  return found;
}

/** From `first` on, each twice the one before. */
function powers(first: number, last: number): number[] {
  const found: number[] = [];
  for (let value = Math.max(1, first); value <= last; value *= 2) found.push(value);
  return found;
}

/**
 * The other values that one key of a plan can take, each with the whole estimate of the plan that it makes: what a
 * hover explains and a completion offers. dp follows the GPUs, the global batch stays.
 */
import { changedSetup, type PlanChange } from '../configs/changedSetup';
import { estimate } from '../estimate/estimate';
import { completeSetup } from '../plan/complete';
import { PLAN_KEYS, type Plan, type PlanKey, type PlanValue } from '../plan/keys';
import type { ProblemCode } from '../problem';
import type { TrainingSetup } from '../setup/setup';
import { divisors } from './axisValues';

export interface Alternative {
  readonly value: Exclude<PlanValue, null>;
  readonly isPresent: boolean;
  readonly stepSeconds: number | null;
  readonly tokensPerSecondPerGpu: number | null;
  readonly peakBytes: number | null;
  readonly fits: boolean | null;
  /** The rule that the plan would break; null where it is legal. */
  readonly refusedBy: ProblemCode | null;
}

const MOST_VIRTUAL = 8;
const MOST_MICRO_BATCH = 64;

/** One row a value, in the order of the values; none for a key whose values have no order or list. */
export function alternatives(read: TrainingSetup, key: PlanKey): Alternative[] {
  const setup = completeSetup(read);
  const present = setup.plan[key];
  return valuesOf(setup, key).map(value => {
    const change: PlanChange = { [key]: value };
    const isPresent = String(value) === String(present);
    const result = estimate(isPresent ? read : changedSetup(read, change));
    const refusal = result.problems.find(({ severity, code }) => severity === 'error' && code !== 'out-of-memory');
    return {
      value,
      isPresent,
      stepSeconds: result.throughput?.stepSeconds ?? null,
      tokensPerSecondPerGpu: result.throughput?.tokensPerSecondPerGpu ?? null,
      peakBytes: result.memory?.peakBytes ?? null,
      fits: result.memory?.fits ?? null,
      refusedBy: refusal?.code ?? null,
    };
  });
}

function valuesOf({ plan, sizes, cluster }: TrainingSetup, key: PlanKey): Exclude<PlanValue, null>[] {
  const { type, values } = PLAN_KEYS[key];
  if (type === 'boolean') return [false, true];
  if (type === 'enum') return [...(values ?? [])];
  const numbers = numbersOf(key, plan, cluster.gpus ?? 1, sizes);
  const present = plan[key];
  if (typeof present === 'number' && numbers.length > 0 && !numbers.includes(present)) numbers.push(present);
  return numbers.sort((a, b) => a - b);
}

function numbersOf(key: PlanKey, plan: Plan, gpus: number, sizes: TrainingSetup['sizes']): number[] {
  const powers = (most: number): number[] => divisors(gpus, most).filter(n => Number.isInteger(Math.log2(n)));
  switch (key) {
    case 'tp':
      return powers(Math.min(64, sizes.heads ?? 64));
    case 'cp':
      return powers(32);
    case 'pp':
      return divisors(gpus, Math.min(64, sizes.layers ?? 64));
    case 'ep':
      return divisors(sizes.experts ?? 1);
    case 'etp':
      return divisors(plan.tp ?? 1);
    case 'vpp':
      return divisors(Math.max(1, Math.floor((sizes.layers ?? 1) / (plan.pp ?? 1))), MOST_VIRTUAL);
    case 'microBatch':
      return divisors(Math.max(1, Math.floor((plan.globalBatch ?? 1) / (plan.dp ?? 1))), MOST_MICRO_BATCH);
    case 'globalBatch':
      return plan.globalBatch === null
        ? []
        : [plan.globalBatch / 2, plan.globalBatch, 2 * plan.globalBatch, 4 * plan.globalBatch].filter(Number.isInteger);
    default:
      return [];
  }
}

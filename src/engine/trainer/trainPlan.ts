/**
 * The plan of a training run with every key decided, and the rules that it must keep for these networks.
 */
import { coordinate, DEFAULT_ORDER, denseMesh, expertMesh } from '../mesh/mesh';
import { buildOrder, defaultVirtual } from '../pipeline/buildOrder';
import type { Order } from '../pipeline/order';
import { defaultSchedule } from '../plan/complete';
import type { Plan, ScheduleName } from '../plan/keys';
import { type Problem, problem } from '../problem';
import type { Network } from './network';

export interface TrainPlan {
  readonly dp: number;
  readonly tp: number;
  readonly sp: boolean;
  readonly cp: number;
  readonly cpKind: 'ring' | 'all-to-all' | 'all-gather';
  readonly pp: number;
  readonly vpp: number;
  readonly ep: number;
  readonly microBatch: number;
  readonly globalBatch: number;
  readonly seqLen: number;
  readonly sharding: 'none' | 'zero1' | 'zero2' | 'zero3' | 'hsdp';
  /** Ranks that share one copy of the sharded state; null: all of the data-parallel group. */
  readonly shardSize: number | null;
  readonly optimizer: 'adamw' | 'sgd';
  readonly recompute: 'none' | 'selective' | 'full';
  readonly attention: 'flash' | 'unfused';
  /** Gradients that are reduced together where nothing is sharded; 0: each tensor alone. */
  readonly bucketBytes: number;
  readonly schedule: ScheduleName;
  readonly stageLayers: readonly number[] | null;
  readonly order: string | null;
}

/** PyTorch DistributedDataParallel's default, 25 MiB. */
const DEFAULT_BUCKET_BYTES = 25 * 2 ** 20;

/** Sizes of the presets' batch where a plan leaves them out. */
const DEFAULTS = { microBatch: 2, globalBatch: 32, seqLen: 64 };

/** A plan of one rank that does the same work: what the parallel run is compared with. */
export function serialPlan(plan: TrainPlan): TrainPlan {
  const whole = { dp: 1, tp: 1, sp: false, cp: 1, pp: 1, vpp: 1, ep: 1 } as const;
  return {
    ...plan,
    ...whole,
    sharding: 'none',
    shardSize: null,
    schedule: 'none',
    stageLayers: null,
    recompute: 'none',
  };
}

/** Fills the keys that a plan leaves out; the problems are those of keys that the trainer cannot follow. */
export function trainPlanOf(plan: Partial<Plan>, network: Network): { plan: TrainPlan; problems: Problem[] } {
  const pp = plan.pp ?? 1;
  const schedule = plan.schedule ?? defaultSchedule({ pp, vpp: plan.vpp ?? null }) ?? 'none';
  const filled: TrainPlan = {
    dp: plan.dp ?? 1,
    tp: plan.tp ?? 1,
    sp: (plan.sp ?? false) && (plan.tp ?? 1) > 1,
    cp: plan.cp ?? 1,
    cpKind: plan.cpKind ?? 'ring',
    pp,
    vpp: plan.vpp ?? defaultVirtual(schedule),
    ep: plan.ep ?? 1,
    microBatch: plan.microBatch ?? DEFAULTS.microBatch,
    globalBatch: plan.globalBatch ?? DEFAULTS.globalBatch,
    seqLen: network.kind === 'mlp' ? 1 : (plan.seqLen ?? DEFAULTS.seqLen),
    sharding: plan.sharding ?? 'none',
    shardSize: plan.shardSize ?? null,
    optimizer: plan.optimizer === 'sgd' ? 'sgd' : 'adamw',
    recompute: plan.recompute ?? 'none',
    attention: plan.attention ?? 'flash',
    bucketBytes: plan.bucketBytes ?? DEFAULT_BUCKET_BYTES,
    schedule,
    stageLayers: plan.stageLayers ?? null,
    order: plan.order ?? null,
  };
  return { plan: filled, problems: [...unsupported(plan), ...brokenRules(filled, network)] };
}

/** Values that would change the numbers or the memory, and that the trainer does not have. */
function unsupported(plan: Partial<Plan>): Problem[] {
  const keys: [keyof Plan, readonly unknown[]][] = [
    ['optimizer', ['adamw', 'sgd']],
    ['etp', [1]],
    ['offload', ['none']],
    ['adapter', ['none']],
    ['recomputeOps', []],
    ['recomputeLayers', []],
  ];
  return keys.flatMap(([key, known]) => {
    const value = plan[key] ?? null;
    return value === null || known.includes(value)
      ? []
      : [problem('not-modelled', { key, value: String(value) }, { severity: 'error' })];
  });
}

/** Micro-batches of one pipeline in one step. */
export const microBatchesOf = ({ globalBatch, microBatch, dp }: TrainPlan) => globalBatch / (microBatch * dp);

function brokenRules(plan: TrainPlan, network: Network): Problem[] {
  const { dp, tp, cp, pp, ep, microBatch, globalBatch, seqLen, sp } = plan;
  const found: Problem[] = [];
  const rule = (isKept: boolean, ...what: Parameters<typeof problem>) => isKept || found.push(problem(...what));
  rule(globalBatch % (microBatch * dp) === 0, 'batch-identity', { globalBatch, microBatch, dp });
  if (found.length > 0) return found;
  if (network.kind === 'mlp') {
    rule(network.hidden % tp === 0, 'heads-tp', { heads: network.hidden, tp });
    rule(cp === 1 && !sp, 'sequence-cp', { seqLen: 1, cp, divisor: cp });
    rule(ep === 1, 'experts-ep', { experts: 0, ep });
  } else {
    // All-to-all deals the heads over cp as well.
    const heads = plan.cpKind === 'all-to-all' ? tp * cp : tp;
    rule(network.heads % heads === 0, 'heads-tp', { heads: network.heads, tp: heads });
    rule(network.kvHeads % heads === 0, 'kv-heads-tp', { kvHeads: network.kvHeads, tp: heads, framework: 'trainer' });
    rule(network.vocab % tp === 0, 'vocab-tp', { vocab: network.vocab, tp, framework: 'trainer' });
    rule(network.experts > 0 || network.ffn % tp === 0, 'heads-tp', { heads: network.ffn, tp });
    rule(seqLen % cp === 0, 'sequence-cp', { seqLen, cp, divisor: cp });
    const dealsTokens = sp || network.experts > 0;
    rule(!dealsTokens || (seqLen / cp) % tp === 0, 'sequence-sp', { seqLen, tp, cp });
    rule(network.positionRows === 0 || network.positionRows >= seqLen, 'value-invalid', {
      key: 'seqLen',
      value: seqLen,
      expected: `at most ${network.positionRows}`,
    });
    const isDealt = ep === 1 || (network.experts > 0 && network.experts % ep === 0);
    rule(isDealt, 'experts-ep', { experts: network.experts, ep });
    rule((dp * cp * tp) % ep === 0, 'expert-ranks', { ranks: dp * cp * tp, ep, etp: 1 });
  }
  if (!isOrder(plan, network))
    found.push(problem('value-invalid', { key: 'order', value: plan.order, expected: ORDERS }));
  const shards = plan.shardSize ?? 1;
  rule((dp * cp) % shards === 0, 'value-invalid', {
    key: 'shardSize',
    value: shards,
    expected: `divisor of ${dp * cp}`,
  });
  const order = pipelineOrder(plan);
  if ('code' in order) return [...found, order];
  const { depth } = order.place;
  const layers = plan.stageLayers ?? [];
  const sum = layers.reduce((a, b) => a + b, 0);
  const isListed = plan.stageLayers === null || (layers.length === depth && sum === network.layers);
  rule(isListed && network.layers >= depth, 'layers-pp', { layers: network.layers, pp, stages: depth, sum });
  return found;
}

const ORDERS = 'tp, cp, ep, dp and pp joined by -, such that experts stay on their stage';

/** Each axis once; where there are experts, both meshes give every rank the same stage. */
function isOrder(plan: TrainPlan, network: Network): boolean {
  const order = plan.order ?? DEFAULT_ORDER;
  const names = order.split('-').filter(name => name !== 'ep');
  if ([...names].sort().join() !== 'cp,dp,pp,tp' || order.split('-').length > 5) return false;
  if (network.kind === 'mlp' || network.experts === 0) return true;
  const degrees = { ...plan, etp: 1 };
  const [dense, expert] = [denseMesh(degrees, order), expertMesh(degrees, order)];
  if ('code' in expert) return true; // said by its own rule
  const ranks = Array.from({ length: dense.size }, (_, rank) => rank);
  return ranks.every(rank => coordinate(dense, rank, 'pp') === coordinate(expert, rank, 'pp'));
}

export function pipelineOrder(plan: TrainPlan): Order | Problem {
  const { pp, vpp, schedule } = plan;
  return buildOrder(schedule, { stages: pp, microBatches: microBatchesOf(plan), virtual: vpp });
}

/** The values of the axes: what people run, with the present plan's, or what the user fixes. */
import { PLAN_KEY_NAMES, type Plan, type PlanKey, SCHEDULES, type ScheduleName } from '../plan/keys';
import type { ReadyPlan } from '../plan/ready';
import type { AxisName, Fixed, Point, SpaceInput } from './points';

export function divisors(n: number, most = n): number[] {
  const small: number[] = [];
  const large: number[] = [];
  for (let d = 1; d * d <= n; d++) {
    if (n % d !== 0) continue;
    if (d <= most) small.push(d);
    if (d * d !== n && n / d <= most) large.unshift(n / d);
  }
  return [...small, ...large];
}

/** Keys of the axes; any other key that is fixed to several values becomes part of `others`. */
const AXIS_KEYS: ReadonlySet<PlanKey> = new Set([
  'dp',
  'globalBatch',
  'tp',
  'cp',
  'cpKind',
  'pp',
  'ep',
  'etp',
  'microBatch',
  'vpp',
  'stageLayers',
  'schedule',
  'recompute',
  'recomputeOps',
  'recomputeLayers',
  'sp',
  'tpOverlap',
  'sharding',
  'shardSize',
  'offload',
]);

/** Micro-batches that are tried: products of 2 and 3 of at most so many tokens. */
const MOST_MICRO_BATCH = 16;
const MOST_TOKENS = 2 ** 16;
const MOST_VIRTUAL = 8;
/** Fewest tokens of a sequence that context parallelism leaves to a rank, unless the user asks for less. */
const LEAST_TOKENS = 1024;
const MOST_CP = 32;
/** Most experts of a model whose experts are split themselves, unless the user asks for it. */
const MOST_SPLIT_EXPERTS = 16;

export function valuesOf(input: SpaceInput): Record<AxisName, readonly Point[]> {
  const { present, sizes, cluster, options } = input;
  const { fixed, freeBatch } = options;
  const gpus = cluster.gpus ?? 1;
  const all = divisors(gpus);
  const layers = sizes.layers ?? 1;
  const pick = <K extends PlanKey>(key: K, values: readonly Plan[K][]): readonly Plan[K][] =>
    fixed[key] ?? withPresent(values, present[key]);
  const each = <K extends PlanKey>(key: K, values: readonly Plan[K][]): Point[] =>
    pick(key, values).map(value => ({ [key]: value }));
  const domain = Math.max(cluster.domainSize ?? 1, cluster.gpusPerNode ?? 1);
  const batch = present.globalBatch;
  const batches = freeBatch ? [batch / 2, batch, 2 * batch, 4 * batch].filter(Number.isInteger) : [batch];
  const mostCp = Math.min(MOST_CP, Math.max(1, present.seqLen / LEAST_TOKENS));
  const cps = pick('cp', all.filter(cp => cp <= mostCp)); // biome-ignore format: one line
  const eps = pick('ep', sizes.experts === null ? [1] : divisors(sizes.experts));
  const tps = pick('tp', all.filter(tp => tp <= domain)); // biome-ignore format: one line
  const etps = pick('etp', input.framework.allows.etp ?? expertSplits(sizes.experts, tps));
  return {
    others: othersOf(fixed),
    globalBatch: each('globalBatch', batches),
    tp: tps.map(tp => ({ tp })),
    cp: cps.flatMap(cp => kindsOf(cp ?? 1, fixed, present)),
    pp: each('pp', all.filter(pp => pp <= layers)), // biome-ignore format: one line
    ep: eps.flatMap(ep => etps.map(etp => ({ ep, etp }))),
    microBatch: each('microBatch', microBatchesOf(batch, present.seqLen)),
    chunks: chunksOf(layers, input),
    schedule: schedulesOf(input),
    recompute: recomputesOf(input),
    sp: sequencesOf(input),
    sharding: shardingsOf(input),
    offload: each('offload', input.framework.allows.offload ?? ['none', 'optimizer']),
  };
}

/** Ranks that share an expert: many small ones are spread over more ranks of ep instead. */
function expertSplits(experts: number | null, tps: readonly (number | null)[]): readonly (number | null)[] {
  return experts === null || experts > MOST_SPLIT_EXPERTS ? [1] : tps;
}

function microBatchesOf(batch: number, seqLen: number): number[] {
  const most = Math.max(1, Math.min(MOST_MICRO_BATCH, MOST_TOKENS / seqLen));
  return divisors(batch, most).filter(isSmooth);
}

/** A product of powers of 2 and 3. */
function isSmooth(n: number): boolean {
  let rest = n;
  for (const prime of [2, 3]) while (rest % prime === 0) rest /= prime;
  return rest === 1;
}

/** The present value goes first where it is not among the usual ones. */
function withPresent<T>(values: readonly T[], present: T): readonly T[] {
  return present === null || values.includes(present) ? values : [present, ...values];
}

function othersOf(fixed: Fixed): Point[] {
  let points: Point[] = [{}];
  for (const key of PLAN_KEY_NAMES) {
    const values = fixed[key];
    if (values === undefined || AXIS_KEYS.has(key)) continue;
    points = points.flatMap(point => values.map(value => ({ ...point, [key]: value })));
  }
  return points;
}

function kindsOf(cp: number, fixed: Fixed, present: ReadyPlan): Point[] {
  if (cp === 1) return [{ cp, cpKind: null }];
  const usual = ['ring', 'all-to-all'] as const;
  return (fixed.cpKind ?? withPresent(usual, present.cpKind)).map(cpKind => ({ cp, cpKind }));
}

/** Chunks a stage, by equal numbers of layers and by equal work. */
function chunksOf(layers: number, { present, options: { fixed } }: SpaceInput): Point[] {
  const usual = [1, 2, ...divisors(layers, MOST_VIRTUAL)];
  const virtual =
    fixed.vpp ??
    withPresent(
      [...new Set(usual)].sort((a, b) => a - b),
      present.vpp,
    );
  if (fixed.stageLayers !== undefined)
    return virtual.flatMap(vpp => (fixed.stageLayers ?? []).map(stageLayers => ({ vpp, stageLayers })));
  const stated: Point[] = present.stageLayers === null ? [] : [{ vpp: present.vpp, stageLayers: present.stageLayers }];
  return [
    ...stated,
    ...virtual.flatMap((vpp): Point[] => [
      { vpp, stageLayers: null },
      { vpp, stageLayers: null, balanced: true },
    ]),
  ];
}

/**
 * Their orders are themselves searched for, 10 to 600 ms each: unless the user or the present plan names them, they are
 * tried on the best layouts alone.
 */
const SEARCHED_ORDERS: ReadonlySet<ScheduleName> = new Set(['zb-1p', 'zb-2p', 'zb-v', 'v-half', 'v-min']);

function schedulesOf({ present, options: { fixed } }: SpaceInput): Point[] {
  if (fixed.schedule !== undefined) return fixed.schedule.map(schedule => ({ schedule }));
  return SCHEDULES.map(schedule =>
    SEARCHED_ORDERS.has(schedule) && schedule !== present.schedule ? { schedule, late: true } : { schedule },
  );
}

/** Nothing, named parts of a layer, half of the layers or all of them. */
function recomputesOf({ present, sizes, options: { fixed } }: SpaceInput): Point[] {
  const plain = { recomputeOps: null, recomputeLayers: null };
  if (fixed.recompute !== undefined || fixed.recomputeOps !== undefined || fixed.recomputeLayers !== undefined) {
    const kinds = fixed.recompute ?? [present.recompute];
    const ops = fixed.recomputeOps ?? [present.recomputeOps];
    const layers = fixed.recomputeLayers ?? [present.recomputeLayers];
    return kinds.flatMap(recompute =>
      ops.flatMap(recomputeOps => layers.map(recomputeLayers => ({ recompute, recomputeOps, recomputeLayers }))),
    );
  }
  const isMoe = (sizes.experts ?? 0) > 0;
  const parts = isMoe ? ['moe_act', 'layernorm+moe_act+mla_up_proj'] : ['core_attn', 'layernorm+mlp'];
  const usual: Point[] = [
    { recompute: 'none', ...plain },
    ...parts.map((recomputeOps): Point => ({ recompute: 'selective', recomputeOps, recomputeLayers: null })),
    { recompute: 'full', ...plain, half: true },
    { recompute: 'full', ...plain },
  ];
  const { recompute, recomputeOps, recomputeLayers } = present;
  const isUsual = usual.some(
    point =>
      point.recompute === recompute &&
      point.half !== true &&
      (recompute === 'none' || (point.recomputeOps === recomputeOps && point.recomputeLayers === recomputeLayers)),
  );
  return isUsual ? usual : [{ recompute, recomputeOps, recomputeLayers }, ...usual];
}

/** Sequence parallelism, without and with communication under the products where the framework has that. */
function sequencesOf({ present, options: { fixed }, framework }: SpaceInput): Point[] {
  const overlaps = fixed.tpOverlap ?? framework.allows.tpOverlap ?? [false, true];
  const tpOverlaps = fixed.tpOverlap === undefined ? withPresent(overlaps, present.tpOverlap) : overlaps;
  return (fixed.sp ?? [false, true]).flatMap((sp): Point[] =>
    sp === true || fixed.tpOverlap !== undefined
      ? tpOverlaps.map(tpOverlap => ({ sp, tpOverlap }))
      : [{ sp, tpOverlap: present.tpOverlap }],
  );
}

function shardingsOf({ present, cluster, options: { fixed } }: SpaceInput): Point[] {
  const perNode = cluster.gpusPerNode ?? 8;
  const sizes = fixed.shardSize ?? [perNode, 4 * perNode, 16 * perNode].filter(size => size < (cluster.gpus ?? 1));
  // Groups are HSDP's, unless the user names them for a ZeRO stage.
  const inGroups = fixed.shardSize !== undefined && fixed.sharding?.includes('hsdp') === false;
  const points = (fixed.sharding ?? (['none', 'zero1', 'zero2', 'zero3', 'hsdp'] as const)).flatMap(
    (sharding): Point[] =>
      sharding === 'hsdp' || (sharding !== 'none' && inGroups)
        ? sizes.map(shardSize => ({ sharding, shardSize }))
        : [{ sharding, shardSize: null }],
  );
  const { sharding, shardSize } = present;
  const isThere = points.some(point => point.sharding === sharding && point.shardSize === shardSize);
  const isFree = fixed.sharding === undefined && fixed.shardSize === undefined;
  return isThere || !isFree ? points : [{ sharding, shardSize }, ...points];
}

/**
 * The order of any schedule by its name, or the problem that names the rule by which the schedule does not admit the
 * numbers.
 *
 * Legend: p stages, m micro-batches, v chunks a stage.
 */
import type { ScheduleName } from '../plan/keys';
import { problem, type Problem } from '../problem';
import type { PipelineCosts } from './costs';
import { FREED_BY_B } from './memory';
import type { Order } from './order';
import { vHalf, vMin } from './schedules/controllableMemory';
import { dualPipe, dualPipeV } from './schedules/dualPipe';
import { breadthFirst, interleaved } from './schedules/looped';
import { memoryLimited } from './schedules/memoryLimited';
import { eagerOneF1B, gpipe, naive, oneF1B } from './schedules/oneChunk';
import { zbV } from './schedules/zbV';
import { zbH1, zbH2 } from './schedules/zeroBubble';

export interface OrderRequest {
  readonly stages: number;
  readonly microBatches: number;
  /** Chunks a stage; by default what the schedule needs (see defaultVirtual). */
  readonly virtual?: number;
  /** For zb-1p, zb-2p and zb-v, which look at times; by default one second for F, B and W each. */
  readonly costs?: PipelineCosts;
  /** For zb-1p, zb-2p and zb-v. */
  readonly memory?: {
    /** Micro-batches that a stage has room for, as peakInFlight counts; by default p, 2p and p. */
    readonly limit?: number;
    /** Share of a micro-batch's activations that B frees; W frees the rest. */
    readonly freedByB?: number;
  };
}

/** More passes than this are a mistake, or would not fit in memory. */
const MOST_PASSES = 2 ** 24;

/** Schedules whose order is searched for, and the most p(m + p) for which that takes seconds rather than minutes. */
const SEARCHED: ReadonlySet<ScheduleName> = new Set(['zb-1p', 'zb-2p', 'zb-v', 'v-half', 'v-min']);
const MOST_SEARCHED = 2 ** 17;

const EQUAL_SECONDS: PipelineCosts = { forward: 1, backwardInput: 1, backwardWeight: 1 };

/** Chunks a stage where nobody says: 2 where the schedule needs chunks. */
export function defaultVirtual(schedule: ScheduleName): number {
  return NEEDS_CHUNKS.has(schedule) ? 2 : 1;
}

const NEEDS_CHUNKS: ReadonlySet<ScheduleName> = new Set(['interleaved-1f1b', 'zb-v', 'v-half', 'v-min', 'dualpipe-v']);

/** The order of a schedule, or `schedule-shape` with the rule, the numbers and what the rule requires. */
export function buildOrder(schedule: ScheduleName, request: OrderRequest): Order | Problem {
  const { stages, microBatches, virtual = defaultVirtual(schedule), memory = {} } = request;
  const broken = brokenRule(schedule, stages, microBatches, virtual, memory.limit);
  if (broken !== null) return problem('schedule-shape', { schedule, ...broken, stages, microBatches, virtual });
  const limit = memory.limit ?? (schedule === 'zb-2p' ? 2 * stages : stages);
  const order = build(schedule, stages, microBatches, virtual, {
    costs: request.costs ?? EQUAL_SECONDS,
    limit,
    freedByB: memory.freedByB ?? null,
  });
  if (order !== null) return order;
  const required = schedule === 'zb-v' ? stages : 1;
  return problem('schedule-shape', { schedule, rule: 'memory-limit', required, limit, stages, microBatches, virtual });
}

function build(
  schedule: ScheduleName,
  p: number,
  m: number,
  v: number,
  { costs, limit, freedByB }: { costs: PipelineCosts; limit: number; freedByB: number | null },
): Order | null {
  switch (schedule) {
    case 'naive':
      return naive(p, m);
    case 'gpipe':
      return gpipe(p, m);
    case 'none':
    case '1f1b':
      return oneF1B(schedule, p, m);
    case 'eager-1f1b':
      return eagerOneF1B(p, m);
    case 'interleaved-1f1b':
      return interleaved(p, m, v);
    case 'breadth-first':
      return breadthFirst(p, m, v);
    case 'zb-h1':
      return zbH1(p, m);
    case 'zb-h2':
      return zbH2(p, m);
    case 'zb-1p':
    case 'zb-2p':
      return memoryLimited(schedule, p, m, costs, { limit, freedByB });
    case 'zb-v':
      return zbV(p, m, costs, { limit, freedByB: freedByB ?? FREED_BY_B.flash });
    case 'v-half':
      return vHalf(p, m);
    case 'v-min':
      return vMin(p, m);
    case 'dualpipe':
      return dualPipe(p, m);
    case 'dualpipe-v':
      return dualPipeV(p, m);
  }
}

interface BrokenRule {
  readonly rule: string;
  readonly required: number;
}

function brokenRule(schedule: ScheduleName, p: number, m: number, v: number, limit = 1): BrokenRule | null {
  const isCount = (n: number) => Number.isInteger(n) && n >= 1;
  const isBidirectional = schedule === 'dualpipe' || schedule === 'dualpipe-v';
  if (!isCount(p)) return { rule: 'stages-positive', required: 1 };
  if (!isCount(m)) return { rule: 'micro-batches-positive', required: 1 };
  if (!isCount(v)) return { rule: 'virtual-positive', required: 1 };
  if (3 * p * m * v > MOST_PASSES) return { rule: 'passes-at-most', required: MOST_PASSES };
  if (SEARCHED.has(schedule) && p * (m + p) > MOST_SEARCHED) return { rule: 'search-at-most', required: MOST_SEARCHED };
  if (!(limit > 0)) return { rule: 'memory-limit', required: 1 };
  if (schedule === 'none' && p > 1) return { rule: 'stages-one', required: 1 };
  if (schedule === 'dualpipe' && p % 2 !== 0) return { rule: 'stages-even', required: 2 };
  if (schedule === 'dualpipe' && m % 2 !== 0) return { rule: 'micro-batches-even', required: 2 };
  if (isBidirectional && m < 2 * p) return { rule: 'micro-batches-at-least-twice-stages', required: 2 * p };
  return brokenVirtualRule(schedule, v);
}

function brokenVirtualRule(schedule: ScheduleName, v: number): BrokenRule | null {
  switch (schedule) {
    case 'interleaved-1f1b':
      return v >= 2 ? null : { rule: 'virtual-at-least-two', required: 2 };
    case 'breadth-first':
      return null;
    case 'zb-v':
    case 'v-half':
    case 'v-min':
      return v === 2 ? null : { rule: 'virtual-two', required: 2 };
    // Their two chunks a stage are their nature: a plan need not name them.
    case 'dualpipe':
    case 'dualpipe-v':
      return v <= 2 ? null : { rule: 'virtual-two', required: 2 };
    default:
      return v === 1 ? null : { rule: 'virtual-one', required: 1 };
  }
}

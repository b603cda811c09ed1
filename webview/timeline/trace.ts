/**
 * A timeline in the Trace Event Format, which ui.perfetto.dev and chrome://tracing open: one thread a stage, one
 * complete event (ph X) a pass, times in microseconds.
 */
import { B, BW, F, F_JOINED, type Order, W } from '../../src/engine/pipeline/order';
import type { Simulation } from '../../src/engine/pipeline/simulate';
import { scheduleName } from './words';

export interface TraceEvent {
  readonly name: string;
  readonly ph: 'X' | 'M';
  readonly pid: number;
  readonly tid: number;
  readonly ts?: number;
  readonly dur?: number;
  readonly cat?: string;
  readonly args: Readonly<Record<string, string | number>>;
}

export interface ChromeTrace {
  readonly traceEvents: readonly TraceEvent[];
  readonly displayTimeUnit: 'ms';
}

export const PASS_NAMES = { [F]: 'F', [B]: 'B', [W]: 'W', [BW]: 'BW', [F_JOINED]: 'F' } as const;

/** `pid` tells schedules apart that are put into one trace. */
export function chromeTrace({ start, end }: Simulation, order: Order, pid = 0): ChromeTrace {
  const { stages, firstSlot, pass, microBatch, chunk } = order;
  const traceEvents: TraceEvent[] = [named('process_name', pid, 0, { name: scheduleName(order.schedule) })];
  for (let stage = 0; stage < stages; stage++) {
    traceEvents.push(
      named('thread_name', pid, stage, { name: `Stage ${stage}` }),
      named('thread_sort_index', pid, stage, { sort_index: stage }),
    );
    for (let slot = firstSlot[stage]; slot < firstSlot[stage + 1]; slot++) {
      const kind = PASS_NAMES[pass[slot] as keyof typeof PASS_NAMES];
      traceEvents.push({
        name: `${kind}${microBatch[slot]}`,
        ph: 'X',
        pid,
        tid: stage,
        ts: start[slot] * 1e6,
        dur: (end[slot] - start[slot]) * 1e6,
        cat: kind,
        args: { microBatch: microBatch[slot], chunk: chunk[slot] },
      });
    }
  }
  return { traceEvents, displayTimeUnit: 'ms' };
}

function named(name: string, pid: number, tid: number, args: TraceEvent['args']): TraceEvent {
  return { name, ph: 'M', pid, tid, args };
}

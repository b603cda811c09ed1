import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { buildOrder, type OrderRequest } from './buildOrder';
import type { PipelineCosts } from './costs';
import { FREED_BY_B, peakBytes, peakInFlight } from './memory';
import type { Order } from './order';
import { simulate } from './simulate';
import type { ScheduleName } from '../plan/keys';

interface Row {
  readonly schedule: ScheduleName;
  readonly stages: number;
  readonly microBatches: number;
}
interface BubbleRow extends Row, PipelineCosts {
  readonly virtual: number;
  readonly bubble: number;
}
interface SchedulerRow extends Row {
  readonly bubblePercent: number;
  readonly spanBubblePercent: number;
  readonly peak: number;
}

const fixture = <T>(name: string) =>
  (JSON.parse(readFileSync(`test/fixtures/pipeline/${name}.json`, 'utf8')) as { rows: T[] }).rows;

const EQUAL = { forward: 1, backwardInput: 1, backwardWeight: 1 };

function orderOf(schedule: ScheduleName, request: OrderRequest): Order {
  const order = buildOrder(schedule, request);
  assert.ok(!('code' in order));
  return order;
}

function near(actual: number, expected: number, tolerance: number, what: string): void {
  assert.ok(Math.abs(actual - expected) <= tolerance, `${what}: ${actual}, published ${expected}`);
}

/** Peak activations over those of 1F1B's first stage; B frees 2 of 34, W 32. */
const peakShare = (order: Order) => Math.max(...peakBytes(order, { freedByB: 2, freedByW: 32 })) / (34 * order.stages);

describe('published bubbles', () => {
  const TOLERANCE: Partial<Record<ScheduleName, number>> = {
    '1f1b': 0.0005,
    'zb-h1': 0.0005,
    'zb-h2': 0.0005,
    'interleaved-1f1b': 0.004,
    'zb-1p': 0.0005,
    'zb-2p': 0.0005,
  };

  for (const row of fixture<BubbleRow>('published-bubbles')) {
    const { schedule, stages, microBatches, virtual, bubble } = row;
    it(`${schedule}, ${stages} stages, ${microBatches} micro-batches`, () => {
      const order = orderOf(schedule, { stages, microBatches, virtual, costs: row });
      near(simulate(order, row).spanBubbleFraction, bubble, TOLERANCE[schedule]!, 'bubble of the longest span');
    });
  }
});

describe('published schedulers at F = B = W', () => {
  for (const row of fixture<SchedulerRow>('published-schedulers')) {
    const { schedule, stages, microBatches } = row;
    it(`${schedule}, ${stages} stages, ${microBatches} micro-batches`, () => {
      const order = orderOf(schedule, { stages, microBatches, memory: { freedByB: FREED_BY_B.flash } });
      const result = simulate(order, EQUAL);
      near(100 * result.bubbleFraction, row.bubblePercent, 0.006, 'bubble of the makespan');
      near(100 * result.spanBubbleFraction, row.spanBubblePercent, 0.006, 'bubble of the longest span');
      near(peakShare(order), row.peak, 0.006, 'peak');
      // Where nothing is said of memory, the limit is in micro-batches in flight with FlashAttention.
      const plain = orderOf(schedule, { stages, microBatches });
      near(100 * simulate(plain, EQUAL).bubbleFraction, row.bubblePercent, 0.006, 'bubble without a memory split');
      near(Math.max(...peakInFlight(plain)) / stages, row.peak, 0.006, 'in flight');
    });
  }
});

/** Measured from the same schedulers with messages of 4 % of a forward, 8 stages, 32 micro-batches. */
describe('what a planner should tell', () => {
  const shape = { stages: 8, microBatches: 32, memory: { freedByB: FREED_BY_B.flash } };
  const run = (schedule: ScheduleName, costs: PipelineCosts) => simulate(orderOf(schedule, { ...shape, costs }), costs);

  it('a global barrier makes ZB-2p no faster than ZB-1p, at twice the activations', () => {
    assert.equal(run('zb-2p', EQUAL).makespan, run('zb-1p', EQUAL).makespan);
    assert.equal(run('zb-2p', EQUAL).spanBubbleFraction, 0);
    const withMessages = { ...EQUAL, p2p: 0.04 };
    near(100 * run('zb-2p', withMessages).bubbleFraction, 7.05, 0.006, 'ZB-2p');
    near(100 * run('zb-1p', withMessages).bubbleFraction, 7.8, 0.006, 'ZB-1p');
    near(peakShare(orderOf('zb-2p', shape)) / peakShare(orderOf('zb-1p', shape)), 2, 0.01, 'activations');
  });

  it('V-Min loses to 1F1B where F, B and W differ', () => {
    const costs = { forward: 1, backwardInput: 1.2, backwardWeight: 0.8, p2p: 0.04 };
    const published: Partial<Record<ScheduleName, number>> = {
      '1f1b': 19.8,
      'interleaved-1f1b': 10.9,
      'zb-1p': 10.2,
      'zb-2p': 7.1,
      'zb-v': 5.5,
      'v-half': 12.1,
      'v-min': 29.7,
    };
    for (const [schedule, percent] of Object.entries(published)) {
      near(100 * run(schedule as ScheduleName, costs).bubbleFraction, percent, 0.06, schedule);
    }
    near(100 * run('zb-2p', costs).spanBubbleFraction, 4, 0.06, 'ZB-2p, span');
    near(100 * run('zb-v', costs).spanBubbleFraction, 4.1, 0.06, 'ZB-V, span');
    assert.ok(run('v-min', costs).makespan > run('1f1b', costs).makespan);
    assert.ok(run('v-min', EQUAL).makespan < run('1f1b', EQUAL).makespan);
  });

  it('a wrong memory split hides that ZB-2p runs out of memory', () => {
    const costs = { forward: 18.546, backwardInput: 18.097, backwardWeight: 9.321, p2p: 0.762 };
    const believed = orderOf('zb-2p', { stages: 8, microBatches: 64, costs, memory: { freedByB: 0.5 } });
    assert.ok(Math.max(...peakBytes(believed, { freedByB: 0.5, freedByW: 0.5 })) <= 16);
    assert.ok(Math.max(...peakBytes(believed, { freedByB: 2 / 34, freedByW: 32 / 34 })) > 3.5 * 8);
    const right = orderOf('zb-2p', { stages: 8, microBatches: 64, costs, memory: { freedByB: 2 / 34 } });
    assert.ok(Math.max(...peakBytes(right, { freedByB: 2 / 34, freedByW: 32 / 34 })) <= 16);
  });
});

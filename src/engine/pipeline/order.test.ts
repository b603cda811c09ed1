import assert from 'node:assert/strict';
import fc from 'fast-check';
import { SCHEDULES, type ScheduleName } from '../plan/keys';
import { buildOrder, defaultVirtual } from './buildOrder';
import { closedFormMakespan } from './closedForm';
import { messageSeconds, type PipelineCosts } from './costs';
import { closedFormInFlight } from './inFlight';
import { peakInFlight } from './memory';
import { B, F, F_JOINED, W, type Order } from './order';
import { simulate } from './simulate';

interface Case {
  readonly schedule: ScheduleName;
  readonly stages: number;
  readonly microBatches: number;
  readonly virtual: number;
}

/** Any schedule with numbers that it admits. */
const anyCase: fc.Arbitrary<Case> = fc
  .record({
    schedule: fc.constantFrom(...SCHEDULES),
    stages: fc.integer({ min: 1, max: 9 }),
    microBatches: fc.integer({ min: 1, max: 40 }),
    virtual: fc.integer({ min: 2, max: 4 }),
  })
  .map(({ schedule, stages, microBatches, virtual }) => {
    const takesAny = schedule === 'interleaved-1f1b' || schedule === 'breadth-first';
    const p = schedule === 'none' ? 1 : schedule === 'dualpipe' ? 2 * Math.ceil(stages / 2) : stages;
    const twice = schedule === 'dualpipe' || schedule === 'dualpipe-v' ? 2 * p : 0;
    const m = schedule === 'dualpipe' ? 2 * Math.ceil(microBatches / 2) : microBatches;
    return { schedule, stages: p, microBatches: m + twice, virtual: takesAny ? virtual : defaultVirtual(schedule) };
  });

const seconds = fc.integer({ min: 1, max: 20 }).map(n => n / 4);
const anySeconds = fc.oneof(
  seconds,
  fc.array(seconds, { minLength: 10, maxLength: 10 }),
  fc.array(fc.array(seconds, { minLength: 4, maxLength: 4 }), { minLength: 10, maxLength: 10 }),
);
const anyCosts: fc.Arbitrary<PipelineCosts> = fc.record({
  forward: anySeconds,
  backwardInput: anySeconds,
  backwardWeight: anySeconds,
  p2p: fc.oneof(fc.constant(0), seconds),
});
const uniformCosts = fc.record({
  forward: seconds,
  backwardInput: seconds,
  backwardWeight: seconds,
  p2p: fc.constantFrom(0, 0, 0.25, 1),
});

function orderOf({ schedule, stages, microBatches, virtual }: Case, costs?: PipelineCosts): Order {
  const request = { stages, microBatches, virtual };
  const order = buildOrder(schedule, costs === undefined ? request : { ...request, costs });
  assert.ok(!('code' in order));
  return order;
}

/** One entry per pass and half of a backward, with the place of the pass on its stage. */
function ranks(order: Order): Map<string, number> {
  const found = new Map<string, number>();
  for (let stage = 0; stage < order.stages; stage++) {
    for (let slot = order.firstSlot[stage]; slot < order.firstSlot[stage + 1]; slot++) {
      const kind = order.pass[slot];
      const letters = kind === F || kind === F_JOINED ? 'F' : kind === B ? 'B' : kind === W ? 'W' : 'BW';
      for (const letter of letters) {
        const key = `${letter} ${stage} ${order.chunk[slot]} ${order.microBatch[slot]}`;
        assert.ok(!found.has(key), `${key} twice`);
        found.set(key, slot);
      }
    }
  }
  return found;
}

/** The stages and chunks that a micro-batch visits, in order, told from the schedule alone. */
function wayOf(
  { schedule, stages, microBatches, virtual }: Case,
  microBatch: number,
): [stage: number, chunk: number][] {
  const down = Array.from({ length: stages }, (_, stage) => stage);
  const up = [...down].reverse();
  if (schedule === 'dualpipe') return microBatch < microBatches / 2 ? down.map(s => [s, 0]) : up.map(s => [s, 1]);
  const isV = ['zb-v', 'v-half', 'v-min', 'dualpipe-v'].includes(schedule);
  const way: [number, number][] = [];
  for (let chunk = 0; chunk < (isV ? 2 : virtual); chunk++) {
    for (const stage of isV && chunk === 1 ? up : down) way.push([stage, chunk]);
  }
  return way;
}

describe('every order', () => {
  it('has each pass once, and starts none before what it needs has arrived', () => {
    fc.assert(
      fc.property(anyCase, anyCosts, (shape, costs) => {
        const order = orderOf(shape, costs);
        const { start, end } = simulate(order, costs);
        // A joined pair starts together, and its outputs leave at its end.
        const startOf = (slot: number) => start[order.pass[slot - 1] === F_JOINED ? slot - 1 : slot];
        const endOf = (slot: number) => end[order.pass[slot] === F_JOINED ? slot + 1 : slot];
        const slotOf = ranks(order);
        let passes = 0;
        for (let n = 0; n < shape.microBatches; n++) {
          const way = wayOf(shape, n);
          way.forEach(([stage, chunk], step) => {
            const slot = (letter: string, [s, c]: [number, number]) => slotOf.get(`${letter} ${s} ${c} ${n}`)!;
            const after = (later: number, earlier: number, from: number) => {
              const delay = from === stage ? 0 : (costs.p2p as number);
              assert.ok(
                startOf(later) >= endOf(earlier) + delay - 1e-9,
                `${later} starts before ${earlier} has arrived`,
              );
            };
            const [forward, backward, weight] = ['F', 'B', 'W'].map(letter => slot(letter, [stage, chunk]));
            if (step > 0) after(forward, slot('F', way[step - 1]), way[step - 1][0]);
            if (step < way.length - 1) after(backward, slot('B', way[step + 1]), way[step + 1][0]);
            after(backward, forward, stage);
            assert.ok(weight >= backward);
            passes += 3;
          });
        }
        assert.equal(slotOf.size, passes);
      }),
      { numRuns: 300 },
    );
  });

  it('keeps a stage busy with one pass at a time: busy + idle = makespan, no bubble negative', () => {
    fc.assert(
      fc.property(anyCase, anyCosts, (shape, costs) => {
        const order = orderOf(shape, costs);
        const result = simulate(order, costs);
        let allBusy = 0;
        for (let stage = 0; stage < order.stages; stage++) {
          let busy = 0;
          for (let slot = order.firstSlot[stage]; slot < order.firstSlot[stage + 1]; slot++) {
            busy += result.end[slot] - result.start[slot];
            if (slot > order.firstSlot[stage]) assert.ok(result.start[slot] >= result.end[slot - 1]);
          }
          const tolerance = 1e-9 * result.makespan;
          assert.ok(Math.abs(busy - result.busy[stage]) < tolerance);
          assert.ok(Math.abs(result.busy[stage] + result.idle[stage] - result.makespan) < tolerance);
          assert.ok(result.span[stage] <= result.makespan);
          allBusy += busy;
        }
        assert.ok(Math.abs(result.makespan - Math.max(...result.end)) === 0);
        assert.ok(result.spanBubbleFraction >= 0 && result.bubbleFraction >= result.spanBubbleFraction);
        assert.ok(Math.abs(result.bubbleFraction - (1 - allBusy / (order.stages * result.makespan))) < 1e-9);
      }),
      { numRuns: 300 },
    );
  });

  it('never gets shorter by latency', () => {
    fc.assert(
      fc.property(anyCase, anyCosts, seconds, (shape, costs, more) => {
        const order = orderOf(shape, costs);
        const slower = simulate(order, { ...costs, p2p: (costs.p2p as number) + more }).makespan;
        assert.ok(slower >= simulate(order, costs).makespan);
      }),
      { numRuns: 300 },
    );
  });

  it('of ZB-H1 is closed from as many micro-batches as stages on (Qi et al., arXiv 2401.10241, table 1)', () => {
    const unit = { forward: 1, backwardInput: 1, backwardWeight: 1, p2p: 0 };
    // m (F + B + W) + (p − 1)(F + B − W).
    assert.equal(closedFormMakespan('zb-h1', { stages: 4, microBatches: 4, virtual: 1, ...unit }), 4 * 3 + 3);
    assert.equal(closedFormMakespan('zb-h1', { stages: 4, microBatches: 3, virtual: 1, ...unit }), null);
  });

  it('agrees with the closed forms where they exist', () => {
    let compared = 0;
    fc.assert(
      fc.property(anyCase, uniformCosts, fc.boolean(), (shape, costs, areEqual) => {
        const { forward } = costs;
        const taken = areEqual ? { ...costs, backwardInput: forward, backwardWeight: forward } : costs;
        const order = orderOf(shape);
        const expected = closedFormMakespan(shape.schedule, { ...shape, ...taken });
        if (expected !== null) {
          assert.ok(Math.abs(simulate(order, taken).makespan - expected) < 1e-9 * expected, `${expected}`);
          compared++;
        }
        const peaks = peakInFlight(order, 0);
        for (let stage = 0; stage < shape.stages; stage++) {
          const inFlight = closedFormInFlight(shape.schedule, shape, stage);
          if (inFlight !== null) assert.equal(peaks[stage], inFlight);
        }
      }),
      { numRuns: 1500 },
    );
    assert.ok(compared > 300);
  });
});

describe('interleaved 1F1B', () => {
  /** Calculon (calculon-ai, llm.py): a last group of r < p micro-batches costs (v − 1)(p − r) chunk times more. */
  it('runs short of work by at most the missing micro-batches where p does not divide m', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 9 }),
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 2, max: 4 }),
        (p, m, v) => {
          const makespan = (n: number) => {
            const order = orderOf({ schedule: 'interleaved-1f1b', stages: p, microBatches: n, virtual: v });
            return simulate(order, { forward: v, backwardInput: v, backwardWeight: v, p2p: 0 }).makespan / 3;
          };
          const missing = (p - (m % p)) % p;
          const ideal = m * v + p - 1;
          assert.ok(makespan(m) <= ideal + (v - 1) * missing + 1e-9);
          assert.ok(missing === 0 ? makespan(m) === ideal : makespan(m) > ideal);
          assert.ok(makespan(m) <= makespan(m + missing));
        },
      ),
    );
  });
});

describe('a schedule that does not admit the numbers', () => {
  const rule = (schedule: ScheduleName, stages: number, microBatches: number, virtual: number) => {
    const result = buildOrder(schedule, { stages, microBatches, virtual });
    assert.ok('code' in result);
    assert.equal(result.code, 'schedule-shape');
    return [result.args['rule'], result.args['required']];
  };

  it('names the rule and what it requires', () => {
    assert.deepEqual(rule('none', 2, 4, 1), ['stages-one', 1]);
    assert.deepEqual(rule('1f1b', 4, 8, 2), ['virtual-one', 1]);
    assert.deepEqual(rule('interleaved-1f1b', 4, 8, 1), ['virtual-at-least-two', 2]);
    assert.deepEqual(rule('zb-v', 4, 8, 3), ['virtual-two', 2]);
    assert.deepEqual(rule('dualpipe', 3, 8, 2), ['stages-even', 2]);
    assert.deepEqual(rule('dualpipe', 4, 9, 2), ['micro-batches-even', 2]);
    assert.deepEqual(rule('dualpipe', 4, 6, 2), ['micro-batches-at-least-twice-stages', 8]);
    assert.deepEqual(rule('dualpipe-v', 4, 7, 2), ['micro-batches-at-least-twice-stages', 8]);
    assert.deepEqual(rule('gpipe', 0, 4, 1), ['stages-positive', 1]);
    assert.deepEqual(rule('gpipe', 4, 1.5, 1), ['micro-batches-positive', 1]);
    assert.deepEqual(rule('v-half', 512, 1024, 2), ['search-at-most', 2 ** 17]);
    assert.deepEqual(rule('gpipe', 1024, 2 ** 30, 1), ['passes-at-most', 2 ** 24]);
  });

  it('says how much memory it needs', () => {
    for (const [schedule, limit, required] of [
      ['zb-1p', 0.5, 1],
      ['zb-v', 3, 4],
    ] as const) {
      const result = buildOrder(schedule, { stages: 4, microBatches: 8, memory: { limit } });
      assert.ok('code' in result);
      assert.deepEqual(
        [result.args['rule'], result.args['required'], result.args['limit']],
        ['memory-limit', required, limit],
      );
    }
  });
});

describe('costs', () => {
  it('of a message are latency and bytes over bandwidth', () => {
    assert.equal(messageSeconds({ latencySeconds: 5e-6, bytes: 1e6, bytesPerSecond: 1e9 }), 5e-6 + 1e-3);
  });

  it('may differ per stage, chunk and link', () => {
    // Two stages, one micro-batch, two chunks: 0 → 1 → 0 → 1 and back; typed by hand.
    const order = orderOf({ schedule: 'interleaved-1f1b', stages: 2, microBatches: 1, virtual: 2 });
    const costs = {
      forward: [
        [1, 2],
        [3, 4],
      ],
      backwardInput: [10, 20],
      backwardWeight: 2,
      p2p: (from: number) => (from === 0 ? 0.5 : 0.25),
    };
    const forwards = 1 + 0.5 + 3 + 0.25 + 2 + 0.5 + 4;
    const backwards = 11 + 0.25 + 6 + 0.5 + 11 + 0.25 + 6;
    assert.equal(simulate(order, costs).makespan, forwards + backwards);
  });
});

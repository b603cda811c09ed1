import assert from 'node:assert/strict';
import { name, schedules, withSteps } from '../../../test/fixtures/collectives/schedules';
import { buildSchedule } from './build';
import { type Execution, execute, type Payload, ScheduleError } from './execute';
import { type Algorithm, COLLECTIVE_OPS, type CollectiveOp, type Schedule, type Transfer } from './schedule';

describe('step lists', () => {
  const everySchedule = [2, 3, 4, 6, 7, 8].flatMap(n => COLLECTIVE_OPS.flatMap(op => schedules(op, n)));

  it('break when the receivers of any one step change places', () => {
    for (const s of everySchedule) {
      const steps = [...s.steps()];
      const inputs = Array.from({ length: s.ranks }, (_, r) =>
        Float64Array.from({ length: s.op === 'barrier' ? 0 : 24 }, (_, i) => 2 ** r + i * 1000),
      );
      const payload: Payload = { dtype: 'f64', reduction: 'sum', inputs };
      const right = execute(s, payload);
      steps.forEach((step, t) => {
        const wrong = step.map(x => ({ ...x, to: (x.to + 1) % s.holders }));
        assert.ok(differs(withSteps(s, steps.with(t, wrong)), payload, right), `${name(s)}: receivers of step ${t}`);
        assert.ok(differs(withSteps(s, steps.toSpliced(t, 1)), payload, right), `${name(s)}: without step ${t}`);
      });
    }
  });

  it('break when two steps that build on each other change places', () => {
    for (const s of everySchedule) {
      const steps = [...s.steps()];
      const inputs = Array.from({ length: s.ranks }, (_, r) =>
        Float64Array.from({ length: s.op === 'barrier' ? 0 : 24 }, (_, i) => 2 ** r + i * 1000),
      );
      const payload: Payload = { dtype: 'f64', reduction: 'sum', inputs };
      const right = execute(s, payload);
      for (let t = 0; t + 1 < steps.length; t++) {
        const [a, b] = [steps[t], steps[t + 1]];
        const linked = b.some(y =>
          a.some(x => x.to === y.from && x.first < y.first + y.count && y.first < x.first + x.count),
        );
        if (!linked || s.algorithm === 'double-binary-tree') continue;
        assert.ok(
          differs(withSteps(s, steps.with(t, b).with(t + 1, a)), payload, right),
          `${name(s)}: steps ${t}, ${t + 1}`,
        );
      }
    }
  });

  it('join neighbours only', () => {
    for (const s of everySchedule)
      for (const step of s.steps()) for (const x of step) assert.ok(joined(s, x), `${name(s)}: ${x.from} to ${x.to}`);
  });

  it('never let a rank send and receive one chunk in the same step', () => {
    for (const s of everySchedule)
      for (const step of s.steps()) {
        const sent = new Set<string>();
        for (const x of step) for (let c = x.first; c < x.first + x.count; c++) sent.add(`${x.from} ${c}`);
        const direct = s.algorithm === 'direct' && step.some(x => x.reduce);
        for (const x of step)
          for (let c = x.first; c < x.first + x.count; c++)
            assert.ok(direct || !sent.has(`${x.to} ${c}`), `${name(s)}: rank ${x.to}, chunk ${c}`);
      }
  });

  it('of the ring send exactly 2(n−1)/n of the bytes from every rank, and 2(n−1)·S in all where n does not divide S', () => {
    for (const n of [2, 3, 4, 8, 9]) {
      const sent = (op: CollectiveOp, algorithm: Algorithm, length: number) => {
        const s = buildSchedule(op, algorithm, n) as Schedule;
        const each = op === 'all-gather' ? length / n : length;
        const inputs = Array.from({ length: n }, () => new Int32Array(each));
        return execute(s, { dtype: 'i32', reduction: 'sum', inputs }).sentElements;
      };
      for (const algorithm of ['ring', 'bidirectional-ring'] as const) {
        for (const elements of sent('all-reduce', algorithm, 12 * n)) assert.equal(elements, 24 * (n - 1));
        for (const elements of sent('reduce-scatter', algorithm, 12 * n)) assert.equal(elements, 12 * (n - 1));
        for (const elements of sent('all-gather', algorithm, 12 * n)) assert.equal(elements, 12 * (n - 1));
        assert.equal(
          sent('all-reduce', algorithm, 1001).reduce((a, b) => a + b),
          2 * (n - 1) * 1001,
        );
      }
      assert.equal([...(buildSchedule('all-reduce', 'ring', n) as Schedule).steps()].length, 2 * (n - 1));
      assert.equal(sent('all-reduce', 'naive', 12)[0], 12 * (n - 1));
    }
  });
});

/** Whether a transfer keeps to its algorithm's paths: a ring knows the next rank only, a direct one takes no detour. */
function joined(
  { algorithm, ranks, root, blocks, ranksPerDomain: g }: Schedule,
  { from, to, first, reduce }: Transfer,
): boolean {
  const distance = (to - from + ranks) % ranks;
  const powers = [1, 2, 4, 8].flatMap(d => [d, ranks - d]);
  switch (algorithm) {
    case 'ring':
      return distance === 1;
    case 'bidirectional-ring':
      return distance === 1 || distance === ranks - 1;
    case 'binomial-tree':
    case 'bruck':
      return powers.includes(distance);
    case 'recursive-halving-doubling':
      return (
        [1, 2, 4, 8].includes(from ^ to) ||
        distance === 2 ** Math.floor(Math.log2(ranks)) ||
        distance === ranks - 2 ** Math.floor(Math.log2(ranks))
      );
    case 'hierarchical':
      return from >= ranks || to >= ranks || from % g === to % g || Math.floor(from / g) === Math.floor(to / g);
    case 'pairwise':
    case 'direct':
      if (blocks === ranks) return from === root || first === (reduce ? to : from);
      return from !== to;
    case 'naive':
      return from === root || to === root;
    default:
      return from !== to;
  }
}

/** Whether a list with a fault shows it: another result, a rank that lacks what it needs, or one that receives too much. */
function differs(faulty: Schedule, payload: Payload, right: Execution): boolean {
  try {
    const { outputs, receivedElements } = execute(faulty, payload);
    const same = (a: ArrayLike<number>, b: ArrayLike<number> = []) =>
      a.length === b.length && Array.from(a).every((v, i) => v === b[i]);
    for (const step of faulty.steps()) if (!step.every(x => joined(faulty, x))) return true;
    return !same(receivedElements, right.receivedElements) || !outputs.every((o, r) => same(o, right.outputs[r]));
  } catch (error) {
    if (error instanceof ScheduleError) return true;
    throw error;
  }
}

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { algorithmsFor, buildSchedule } from './build';
import { type Execution, execute, type Payload, ScheduleError } from './execute';
import { partition } from './layout';
import { allocate, type Buffer, DTYPES, type Dtype, fromBf16, REDUCTIONS, type Reduction, toBf16 } from './numbers';
import { type Algorithm, COLLECTIVE_OPS, type CollectiveOp, type Schedule, type Step, type Transfer } from './schedule';

interface Golden {
  in: number[][];
  out: number[][];
}
const golden = JSON.parse(readFileSync('test/fixtures/collectives/golden.json', 'utf8')) as Record<string, Golden>;

const encode = (dtype: Dtype, values: readonly number[]): Buffer => {
  const buffer = allocate(dtype, values.length);
  values.forEach((v, i) => (buffer[i] = dtype === 'bf16' ? toBf16(v) : v));
  return buffer;
};
const decode = (dtype: Dtype, buffer: Buffer) => Array.from(buffer, v => (dtype === 'bf16' ? fromBf16(v) : v));

/** Every algorithm with every way to place it that it allows. */
function schedules(op: CollectiveOp, n: number, root = 0): Schedule[] {
  const list: Schedule[] = [];
  for (const algorithm of algorithmsFor(op)) {
    const options = algorithm === 'hierarchical' ? [2, 3, 4].flatMap(g => [g, -g]) : [n];
    for (const g of options) {
      const s = buildSchedule(op, algorithm, n, { root, ranksPerDomain: Math.abs(g), inSwitch: g < 0, segments: 3 });
      if (s) list.push(s);
    }
  }
  return list;
}

const name = (s: Schedule) => `${s.op} ${s.algorithm} n=${s.ranks}`;
const withSteps = (s: Schedule, steps: Step[]): Schedule => ({ ...s, steps: () => steps });

/** The plain meaning of each operation, over whole arrays of numbers. */
function reference(op: CollectiveOp, inputs: number[][], root: number, reduction: Reduction): number[][] {
  const n = inputs.length;
  const folds: Record<Reduction, (a: number, b: number) => number> = {
    sum: (a, b) => a + b,
    average: (a, b) => a + b,
    product: (a, b) => a * b,
    min: (a, b) => (a < b ? a : b),
    max: (a, b) => (a > b ? a : b),
  };
  const folded = () =>
    inputs[0].map((_, i) => {
      const value = inputs.map(row => row[i]).reduce(folds[reduction]);
      return reduction === 'average' ? value / n : value;
    });
  const cut = (row: number[]) => {
    let at = 0;
    return partition(row.length, n).map(length => row.slice(at, (at += length)));
  };
  const empty = inputs.map(() => [] as number[]);
  switch (op) {
    case 'broadcast':
      return inputs.map(() => inputs[root]);
    case 'scatter':
      return cut(inputs[root]);
    case 'gather':
      return empty.map((_, r) => (r === root ? inputs.flat() : []));
    case 'reduce':
      return empty.map((_, r) => (r === root ? folded() : []));
    case 'all-gather':
      return inputs.map(() => inputs.flat());
    case 'reduce-scatter':
      return cut(folded());
    case 'all-reduce':
      return inputs.map(folded);
    case 'all-to-all':
      return inputs.map((_, r) => inputs.flatMap(row => cut(row)[r]));
    case 'send-recv':
      return inputs.map((_, r) => inputs[(r - 1 + n) % n]);
    case 'barrier':
      return empty;
  }
}

/** Inputs of small dyadic numbers, whose sums and short products are exact in every type. */
function inputsFor(op: CollectiveOp, n: number, length: number, root: number, seed: number): number[][] {
  const number = (r: number, i: number) => ((r * 7 + i * 3 + seed) % 5) - 2;
  return Array.from({ length: n }, (_, r) => {
    if (op === 'barrier') return [];
    const rooted = op === 'broadcast' || op === 'scatter';
    const uneven = op === 'gather' || op === 'all-gather' || op === 'send-recv' ? (r + seed) % 3 : 0;
    return Array.from({ length: rooted && r !== root ? 0 : length + uneven }, (_, i) => number(r, i));
  });
}

const run = (s: Schedule, payload: Payload) => execute(s, payload).outputs;

describe('collectives on real buffers', () => {
  for (const [title, vectors] of Object.entries(golden)) {
    if (title === 'source') continue;
    const op = title.replace('assignment ', '') as CollectiveOp;
    it(`gives the lecture's vectors: ${title}`, () => {
      for (const s of schedules(op, 4))
        for (const dtype of DTYPES) {
          const inputs = vectors.in.map(row => encode(dtype, row));
          const outputs = run(s, { dtype, reduction: 'sum', inputs });
          assert.deepEqual(
            outputs.map(o => decode(dtype, o)),
            vectors.out,
            `${name(s)} ${dtype}`,
          );
        }
    });
  }

  it('equals a plain reference for any ranks, lengths, types and reductions', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...COLLECTIVE_OPS),
        fc.integer({ min: 1, max: 17 }),
        fc.integer({ min: 0, max: 23 }),
        fc.constantFrom(...DTYPES),
        fc.constantFrom(...REDUCTIONS),
        fc.nat(100),
        (op, n, length, dtype, reduction, seed) => {
          const root = seed % n;
          const inputs = inputsFor(op, n, length, root, seed);
          const expected = reference(op, inputs, root, reduction).map(row =>
            decode(dtype, encode(dtype, dtype === 'i32' ? row.map(Math.trunc) : row)),
          );
          for (const s of schedules(op, n, root)) {
            const outputs = run(s, { dtype, reduction, inputs: inputs.map(row => encode(dtype, row)) });
            // +0 and −0 are the same number here: products of signs may give either.
            const plain = (rows: number[][]) => rows.map(row => row.map(v => v + 0));
            assert.deepEqual(
              plain(outputs.map(o => decode(dtype, o))),
              plain(expected),
              `${name(s)} ${dtype} ${reduction}`,
            );
          }
        },
      ),
      { numRuns: 400 },
    );
  });

  it('deals uneven parts in all-to-all', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), fc.infiniteStream(fc.nat(4)), (n, stream) => {
        const lengths = Array.from({ length: n * n }, () => stream.next().value as number);
        const rows = Array.from({ length: n }, (_, i) =>
          lengths.slice(i * n, i * n + n).flatMap((length, j) => new Array<number>(length).fill(100 * i + j)),
        );
        for (const s of schedules('all-to-all', n)) {
          const outputs = run(s, { dtype: 'i32', reduction: 'sum', inputs: rows.map(r => encode('i32', r)), lengths });
          outputs.forEach((output, j) =>
            assert.deepEqual(
              [...output],
              Array.from({ length: n }, (_, i) => new Array<number>(lengths[i * n + j]).fill(100 * i + j)).flat(),
            ),
          );
        }
      }),
      { numRuns: 60 },
    );
  });

  it('all-reduce is reduce-scatter then all-gather, bit for bit, and the same on all ranks', () => {
    const numbers = fc.float({ noNaN: true, noDefaultInfinity: true, min: -1000, max: 1000 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), fc.nat(29), fc.infiniteStream(numbers), (n, length, stream) => {
        const inputs = Array.from({ length: n }, () =>
          Float32Array.from({ length }, () => stream.next().value as number),
        );
        const payload = (buffers: readonly Buffer[]): Payload => ({ dtype: 'f32', reduction: 'sum', inputs: buffers });
        for (const s of schedules('all-reduce', n)) {
          const whole = run(s, payload(inputs));
          for (const output of whole) assert.deepEqual(output, whole[0], name(s));
          const exact = inputs.reduce<number[]>(
            (sum, row) => sum.map((v, i) => v + row[i]),
            new Array<number>(length).fill(0),
          );
          exact.forEach((v, i) => assert.ok(Math.abs(whole[0]?.[i] - v) <= 1e-6 * 1000 * n));
          const options = { ranksPerDomain: 2, inSwitch: s.holders > n };
          const scatter = buildSchedule('reduce-scatter', s.algorithm, n, options);
          const gather = buildSchedule('all-gather', s.algorithm, n, options);
          if (!scatter || !gather || s.blocks === 1 || (s.algorithm === 'hierarchical' && n % 2 === 1)) continue;
          const whole2 = run(buildSchedule('all-reduce', s.algorithm, n, options) ?? s, payload(inputs));
          assert.deepEqual(run(gather, payload(run(scatter, payload(inputs)))), whole2, name(s));
        }
      }),
      { numRuns: 500 },
    );
  });

  it('rounds bfloat16 to nearest even', () => {
    // From the definition: 1 + 2^-8 is a tie and goes to the even 1; 1 + 3·2^-8 is a tie and goes up to 1 + 2^-6.
    assert.equal(fromBf16(toBf16(1 + 2 ** -8)), 1);
    assert.equal(fromBf16(toBf16(1 + 3 * 2 ** -8)), 1 + 2 ** -6);
    assert.ok(Number.isNaN(fromBf16(toBf16(Number.NaN))));
    assert.equal(fromBf16(toBf16(Number.POSITIVE_INFINITY)), Number.POSITIVE_INFINITY);
  });
});

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

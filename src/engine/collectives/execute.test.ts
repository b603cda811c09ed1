import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { name, schedules } from '../../../test/fixtures/collectives/schedules';
import { buildSchedule } from './build';
import { execute, type Payload } from './execute';
import { partition } from './layout';
import { allocate, type Buffer, DTYPES, type Dtype, fromBf16, REDUCTIONS, type Reduction, toBf16 } from './numbers';
import { COLLECTIVE_OPS, type CollectiveOp, type Schedule } from './schedule';

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

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { buildSchedule } from '../collectives/build';
import { execute } from '../collectives/execute';
import {
  allocate,
  type Buffer,
  BYTES_PER_ELEMENT,
  DTYPES,
  type Dtype,
  fromBf16,
  type Reduction,
  reduceInto,
  toBf16,
} from '../collectives/numbers';
import type { CollectiveOp, Schedule } from '../collectives/schedule';
import { kindOf, loadKernels } from './kernels';

const memory = new WebAssembly.Memory({ initial: 16, maximum: 65536 });
const kernels = loadKernels(memory);

const TABLE = 1024;
const HEAP = 65536;
const SPACE = 32768;

function write(at: number, buffer: Buffer) {
  new Uint8Array(memory.buffer, at, buffer.byteLength).set(
    new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength),
  );
}

function read(at: number, dtype: Dtype, length: number): Buffer {
  const buffer = allocate(dtype, length);
  new Uint8Array(buffer.buffer).set(new Uint8Array(memory.buffer, at, buffer.byteLength));
  return buffer;
}

/** Runs every member's slice in turn, as one thread would, and returns what the direct step list returns. */
function run(
  op: CollectiveOp,
  dtype: Dtype,
  reduction: Reduction,
  inputs: readonly Buffer[],
  outputs: readonly number[],
): Buffer[] {
  const n = inputs.length;
  const unit = BYTES_PER_ELEMENT[dtype];
  const view = new Int32Array(memory.buffer);
  inputs.forEach((input, r) => {
    write(HEAP + 2 * r * SPACE, input);
    view[(TABLE >> 2) + 4 * r] = HEAP + 2 * r * SPACE;
    view[(TABLE >> 2) + 4 * r + 1] = HEAP + (2 * r + 1) * SPACE;
  });
  const bytes = inputs[0].byteLength;
  const kind = kindOf(dtype, reduction);
  for (let r = 0; r < n; r++) {
    if (op === 'all-reduce') kernels.allReduceSlice(TABLE, r, n, bytes, unit, kind);
    else if (op === 'reduce-scatter') kernels.reduceScatterSlice(TABLE, r, n, bytes, unit, kind);
    else if (op === 'all-gather') kernels.allGatherSlice(TABLE, r, n, bytes);
    else if (op === 'all-to-all') kernels.allToAllSlice(TABLE, r, n, bytes, unit);
    else if (op === 'broadcast') kernels.broadcastSlice(TABLE, r, n, bytes, 0);
    else kernels.reduceSlice(TABLE, r, n, bytes, unit, kind, 0);
  }
  return outputs.map((length, r) => read(HEAP + (2 * r + 1) * SPACE, dtype, length));
}

describe('kernels', () => {
  it('give the bits of the direct step list, whatever the ranks, lengths, types and reductions', () => {
    const ops = ['all-reduce', 'reduce-scatter', 'all-gather', 'broadcast', 'reduce'] as const;
    const number = fc.float({ noNaN: true, noDefaultInfinity: true, min: -1000, max: 1000 });
    fc.assert(
      fc.property(
        fc.constantFrom(...ops),
        fc.constantFrom(...DTYPES),
        fc.constantFrom<Reduction>('sum', 'min', 'max', 'product'),
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 0, max: 150 }),
        fc.infiniteStream(number),
        (op, dtype, reduction, n, length, stream) => {
          const inputs = Array.from({ length: n }, () => {
            const buffer = allocate(dtype, length);
            for (let i = 0; i < length; i++) {
              const value = stream.next().value as number;
              buffer[i] = dtype === 'bf16' ? toBf16(value) : value;
            }
            return buffer;
          });
          const expected = execute(buildSchedule(op, 'direct', n) as Schedule, { dtype, reduction, inputs }).outputs;
          // `reduce` folds each block from its own member on; the list folds all from the root: compare to rounding.
          const actual = run(
            op,
            dtype,
            reduction,
            inputs,
            expected.map(o => o.length),
          );
          if (op !== 'reduce') assert.deepEqual(actual, expected);
          else near(dtype, actual[0], expected[0]);
        },
      ),
      { numRuns: 400 },
    );
  });

  it('combine as the plain loops do, for every length around the vector width', () => {
    for (const dtype of DTYPES)
      for (const reduction of ['sum', 'min', 'max', 'product'] as const)
        for (let length = 0; length < 40; length++) {
          const [a, b] = [0, 1].map(k => {
            const buffer = allocate(dtype, length);
            for (let i = 0; i < length; i++) {
              const value = Math.fround(Math.sin(i * 7 + k) * 50);
              buffer[i] = dtype === 'bf16' ? toBf16(value) : value;
            }
            return buffer;
          }) as [Buffer, Buffer];
          write(HEAP, a);
          write(HEAP + SPACE, b);
          kernels.combine(kindOf(dtype, reduction), HEAP, HEAP + SPACE, HEAP, a.byteLength);
          reduceInto(a, b, dtype, reduction);
          assert.deepEqual(read(HEAP, dtype, length), a, `${dtype} ${reduction} ${length}`);
        }
  });

  it('deal all-to-all blocks of unequal length', () => {
    const inputs = [0, 1, 2].map(r => Int32Array.from({ length: 9 }, (_, i) => r * 10 + i));
    assert.deepEqual(
      run('all-to-all', 'i32', 'sum', inputs, [9, 9, 9]).map(o => [...o]),
      [
        [0, 1, 2, 10, 11, 12, 20, 21, 22],
        [3, 4, 5, 13, 14, 15, 23, 24, 25],
        [6, 7, 8, 16, 17, 18, 26, 27, 28],
      ],
    );
  });
});

function near(dtype: Dtype, a: Buffer, b: Buffer) {
  assert.equal(a.length, b.length);
  const value = (x: number) => (dtype === 'bf16' ? fromBf16(x) : x);
  const tolerance = dtype === 'bf16' ? 0.05 : 1e-5;
  a.forEach((x, i) => {
    const [p, q] = [value(x), value(b[i])];
    assert.ok(dtype === 'i32' || Math.abs(p - q) <= tolerance * Math.max(4000, Math.abs(q)), `${p} ${q}`);
  });
}

describe('the compiled kernels', () => {
  it('are what the sources give', () => {
    const run = spawnSync(process.execPath, ['scripts/build-kernels.mjs', '--check'], { encoding: 'utf8' });
    assert.equal(run.status, 0, run.stderr);
  });
});

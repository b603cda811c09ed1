import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ACCELERATORS, type AcceleratorId } from '../hardware/accelerators';
import { chooseAlgorithm, crossovers, NEAR } from './choose';
import { collectiveSeconds } from './cost';
import { networkOf } from './network';
import type { Algorithm, CollectiveOp } from './schedule';

const networkOfGroup = (gpu: AcceleratorId, ranks: number) => networkOf(gpu, ACCELERATORS[gpu], ranks);

describe('crossovers of the automatic choice', () => {
  // Ring and double binary tree of 32 A100s lie within 3 % of each other from 16 to 40 MB, where they took turns; at
  // seven ranks over PCIe, direct and Bruck's algorithm differ by rounding alone.
  it('leave out what differs by less than the model can tell', () => {
    const names = (gpu: AcceleratorId, ranks: number, op: CollectiveOp) =>
      crossovers(op, networkOfGroup(gpu, ranks)).map(({ from, to }) => [from, to]);
    assert.deepEqual(names('a100-80', 32, 'all-reduce'), [['direct', 'ring']]);
    assert.deepEqual(names('h100-sxm', 24, 'all-reduce'), [['direct', 'ring']]);
    assert.deepEqual(names('h100-pcie', 7, 'all-gather'), []);
  });

  it('name at every size an algorithm within 3 % of the fastest, and change only for more than that', () => {
    const groups = fc.record({
      gpu: fc.constantFrom(...(Object.keys(ACCELERATORS) as AcceleratorId[])),
      ranks: fc.integer({ min: 2, max: 64 }),
      op: fc.constantFrom<CollectiveOp>('all-reduce', 'all-gather', 'reduce-scatter', 'broadcast', 'gather'),
    });
    fc.assert(
      fc.property(groups, ({ gpu, ranks, op }) => {
        const network = networkOfGroup(gpu, ranks);
        const first = chooseAlgorithm(op, 1, network);
        if (!first) return;
        const seconds = (algorithm: Algorithm, bytes: number) =>
          collectiveSeconds(op, algorithm, bytes, network) as number;
        const list = crossovers(op, network);
        list.forEach(({ from, to, bytes }, i) => {
          assert.equal(from, i === 0 ? first.algorithm : list[i - 1].to);
          assert.notEqual(from, to);
          const next = list[i + 1]?.bytes ?? 2 ** 36;
          let gain = 0;
          for (let size = bytes; size <= next * 2 ** 0.25; size *= 2 ** 0.125)
            gain = Math.max(gain, seconds(from, size) / seconds(to, size));
          assert.ok(gain > 1 + NEAR / 2, `${to} is never better than ${from} by much`);
        });
        for (let bytes = 1; bytes < 2 ** 36; bytes *= 2 ** 0.25) {
          const named = list.findLast(c => c.bytes <= bytes)?.to ?? first.algorithm;
          const best = chooseAlgorithm(op, bytes, network)?.seconds as number;
          assert.ok(seconds(named, bytes) <= best * (1 + NEAR) * (1 + 1e-9), `${named} at ${bytes}`);
        }
      }),
      // Groups in which two times cross more than once, or a third algorithm leads where they first do.
      {
        examples: [
          [{ gpu: 'a800-80', ranks: 8, op: 'broadcast' }],
          [{ gpu: 'b200', ranks: 49, op: 'all-reduce' }],
          [{ gpu: 'b200', ranks: 62, op: 'all-reduce' }],
        ],
      },
    );
  });
});

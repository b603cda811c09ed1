/** The script of a cluster, run for real: PyTorch's launcher, gloo, two processes; `npm run soak torchrun` has four, too. */
import assert from 'node:assert/strict';
import { pythonWithTorch, smallSetup, torchRun } from '../../bench/torchrun';
import { fitLinks } from '../../src/engine/bench/fit/alphaBeta';
import type { CollectiveRecord } from '../../src/engine/bench/records';
import { fitDocument } from '../../src/documents/measured';

describe('the script of a cluster under torchrun with gloo', function () {
  this.timeout(180_000); // Each process loads PyTorch, which takes seconds on a busy machine.
  const python = pythonWithTorch();

  it('finishes, imports and fits', function () {
    const ranks = 2;
    if (python === null) {
      console.log('      skipped: no python3 here has PyTorch');
      this.skip();
    }
    const found = torchRun(python, ranks, 24, 2 ** 16);
    assert.equal(found.format, 'meshlens-cluster');
    assert.deepEqual(found.problems, []);
    const collectives = found.records.filter((one): one is CollectiveRecord => one.kind === 'collective');
    // What gloo has of old; points that are measured early are not at the time's mercy.
    for (const op of ['all-reduce', 'all-gather', 'broadcast'])
      assert.ok(
        collectives.some(one => one.op === op && one.ranks === ranks && one.seconds > 0),
        op,
      );
    const products = found.records.filter(({ kind }) => kind === 'product');
    assert.ok(products.length >= 4, `${products.length} products`);
    const fits = fitLinks(collectives);
    const reduce = fits.find(one => one.op === 'all-reduce' && one.ranks === ranks);
    assert.ok(reduce !== undefined && reduce.alphaSeconds > 0 && reduce.bytesPerSecond > 0);
    const { measurements, gpu } = fitDocument([found], [], smallSetup(ranks), []);
    assert.deepEqual([gpu, measurements[0]?.records], [null, found.records.length]);
  });
});

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { buildSync } from 'esbuild';
import fc from 'fast-check';
import { heapLayout, sharedMemory } from './heap';

describe('ranks that are threads of their own', function () {
  this.timeout(60_000);

  it('get what the operation says, call after call, short and long, whatever comes before', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'meshlens-kernels-'));
    const outfile = join(folder, 'worker.mjs');
    const entryPoints = ['test/fixtures/collectives/kernelCalls.ts'];
    buildSync({ entryPoints, bundle: true, format: 'esm', platform: 'node', target: 'node20', outfile });
    // Broadcasts come in runs, in which the root may be many messages ahead.
    const op = fc.oneof(
      { weight: 6, arbitrary: fc.constant('broadcast') },
      {
        weight: 5,
        arbitrary: fc.constantFrom('all-reduce', 'reduce-scatter', 'all-gather', 'all-to-all', 'barrier'),
      },
    );
    const elements = fc.oneof(
      { weight: 9, arbitrary: fc.integer({ min: 1, max: 32 }).map(n => 2 * n) },
      { weight: 1, arbitrary: fc.integer({ min: 33, max: 4096 }).map(n => 2 * n) },
    );
    const call = fc.record({ op, elements, root: fc.integer({ min: 0, max: 1 }) });
    const [calls] = fc.sample(fc.array(call, { minLength: 20_000, maxLength: 20_000, size: 'max' }), 1);
    const layout = heapLayout(2, 2, 2 ** 17);
    const memory = sharedMemory(layout);
    const wrong = await Promise.all(
      [0, 1].map(
        rank =>
          new Promise<string[]>((resolve, reject) => {
            const worker = new Worker(pathToFileURL(outfile), { workerData: { memory, layout, rank, calls } });
            worker.once('message', resolve);
            worker.once('error', reject);
          }),
      ),
    );
    rmSync(folder, { recursive: true });
    assert.deepEqual(wrong.flat(), []);
  });
});

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';
import { summary } from '../collectives/measure';
import { benchCollectives, withBandwidths } from './measurements';

describe('measurements of collectives', function () {
  this.timeout(60_000);
  let folder = '';
  let workerUrl = new URL('file:///');

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'meshlens-bench-'));
    const outfile = join(folder, 'worker.mjs');
    buildSync({
      entryPoints: ['src/node/collectives/worker.ts'],
      bundle: true,
      format: 'esm',
      platform: 'node',
      outfile,
    });
    workerUrl = pathToFileURL(outfile);
  });
  after(() => rmSync(folder, { recursive: true }));

  for (const ranks of [2, 5])
    it(`measures every operation with ${ranks} ranks`, async () => {
      const { measurements } = await benchCollectives({ ranks, sizes: [1024 * ranks], samples: 10, workerUrl });
      assert.deepEqual(
        measurements.map(m => m.op),
        ['all-reduce', 'reduce-scatter', 'all-gather', 'all-to-all', 'broadcast', 'send-recv', 'barrier'],
      );
      for (const m of measurements) {
        assert.deepEqual([m.source, m.ranks, m.samples], ['measured', ranks, 10]);
        assert.ok(m.leastSeconds > 0 && m.leastSeconds <= m.medianSeconds && m.medianSeconds <= m.p95Seconds);
        assert.equal(m.busbw === null, m.op === 'barrier');
      }
    });

  it('stops when asked to', async () => {
    const stop = new AbortController();
    const run = benchCollectives({ ranks: 2, sizes: [2 ** 22], samples: 1_000_000, workerUrl, signal: stop.signal });
    setImmediate(() => stop.abort(new Error('stopped')));
    await assert.rejects(run, /stopped/);
  });

  it('takes the slowest rank of each sample', () => {
    const m = summary({ op: 'all-reduce', bytes: 4 }, [
      [1, 2, 3],
      [2, 1, 5],
    ]);
    assert.deepEqual([m.leastSeconds, m.medianSeconds, m.slowestRank], [2, 2, 0]);
    assert.ok(Math.abs(m.p95Seconds - 4.7) < 1e-12);
  });

  it('shows the lecture’s figure beside busbw, with the factor between them', () => {
    // Lecture 8, 2025: reduce-scatter of 1600 MiB over four ranks in 4.06 ms printed 72.
    const one = summary({ op: 'reduce-scatter', bytes: 1600 * 2 ** 20 }, new Array(4).fill([4.06e-3]));
    const m = withBandwidths(one);
    assert.ok(Math.abs((m.lecture?.printedGiB ?? 0) - 72) < 1);
    assert.deepEqual([m.lecture?.factor, m.lecture?.code], [4, 'counts-output-bytes']);
    assert.ok(Math.abs((m.busbwGiB as number) - 288.6) < 0.5);
    assert.ok(Math.abs((m.busbwGB as number) / (m.busbwGiB as number) - 2 ** 30 / 1e9) < 1e-12);
  });
});

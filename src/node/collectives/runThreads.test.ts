import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';
import fc from 'fast-check';
import { everything, MIXTURE, mixture } from '../../../test/fixtures/collectives/threadPrograms';
import { LINK_PROFILES } from '../../engine/collectives/linkProfiles';
import { runWorld } from '../../engine/collectives/world';
import { Patience } from './patience';
import { runThreads } from './runThreads';

/** A network whose collectives add in the order of the threads' kernels. */
const direct = (ranks: number) =>
  ({
    domainSize: ranks,
    linkBytesPerSecond: 1e9,
    nicBytesPerSecond: null,
    profile: LINK_PROFILES.hopper,
    algorithm: 'direct',
  }) as const;

describe('a world in threads', function () {
  this.timeout(60_000);
  let folder = '';
  let options = { workerUrl: new URL('file:///'), url: '' };

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'meshlens-threads-'));
    buildSync({
      entryPoints: {
        worker: 'src/node/collectives/worker.ts',
        programs: 'test/fixtures/collectives/threadPrograms.ts',
      },
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      outdir: folder,
      outExtension: { '.js': '.mjs' },
    });
    options = {
      workerUrl: pathToFileURL(join(folder, 'worker.mjs')),
      url: pathToFileURL(join(folder, 'programs.mjs')).href,
    };
  });
  after(() => rmSync(folder, { recursive: true }));

  const run = (name: string, ranks: number, workers: number, args: unknown = null) =>
    runThreads<unknown>({
      ranks,
      workers,
      arenaBytes: 2 ** 20,
      program: { url: options.url, name, args },
      workerUrl: options.workerUrl,
    });

  it('gives the bits of the virtual world with the direct lists, on any number of workers', async () => {
    for (const [ranks, workers] of [
      [2, 2],
      [5, 2],
      [4, 1],
      [8, 3],
    ] as const) {
      const virtual = runWorld({ ranks, program: everything(), network: direct(ranks) });
      assert.equal(virtual.diagnosis, null);
      const threads = await run('everything', ranks, workers);
      assert.equal(threads.diagnosis, null);
      assert.deepEqual(threads.results, virtual.results);
    }
  });

  it('gives them whichever calls go in lockstep and whichever do not, in any order', async () => {
    const [list] = fc.sample(fc.array(fc.constantFrom(...MIXTURE), { minLength: 120, maxLength: 120 }), 1);
    for (const [ranks, workers] of [
      [5, 2],
      [6, 3],
    ] as const) {
      const virtual = runWorld({ ranks, program: mixture(list), network: direct(ranks) });
      const threads = await run('mixture', ranks, workers, list);
      assert.equal(threads.diagnosis, null);
      assert.deepEqual(threads.results, virtual.results, list.join());
    }
  });

  it('diagnoses ranks that leave the lockstep, one of a worker or all of it', async () => {
    for (const [who, present] of [
      [[1], [0, 2, 3]],
      [
        [2, 3],
        [0, 1],
      ],
    ]) {
      const deviation = async (by: string) => (await run('deviating', 4, 2, { ranks: who, by })).diagnosis ?? [];
      const [op] = await deviation('op');
      assert.ok(op.code === 'collective-mismatch' && op.field === 'op' && op.sequence === 5);
      assert.deepEqual(
        op.calls.map(({ rank, value }) => [rank, value]),
        [
          [0, 'all-reduce'],
          [who[0], 'barrier'],
        ],
      );
      const [reduction] = await deviation('reduction');
      assert.ok(reduction.code === 'collective-mismatch' && reduction.field === 'reduction');
      assert.deepEqual(
        reduction.calls.map(({ rank, value }) => [rank, value]),
        [
          [0, 'sum'],
          [who[0], 'max'],
        ],
      );
      const [elements] = await deviation('elements');
      assert.ok(elements.code === 'shape-mismatch' && elements.sequence === 5);
      assert.deepEqual(elements.calls, [
        { rank: 0, elements: 8 },
        { rank: who[0], elements: 7 },
      ]);
      assert.deepEqual(await deviation('absence'), [
        {
          code: 'missing-rank',
          axis: 'world',
          sequence: 5,
          op: 'all-reduce',
          present,
          missing: who.map(rank => ({ rank, state: { doing: 'finished' } })),
        },
      ]);
    }
  });

  it('diagnoses what cannot go on, with ranks and operations', async () => {
    const order = (await run('faulty', 3, 2, 'order')).diagnosis?.[0];
    assert.ok(order?.code === 'collective-mismatch' && order.field === 'op');
    assert.deepEqual(order.calls.find(c => c.rank === 1)?.op, 'all-gather');
    const shape = (await run('faulty', 3, 2, 'shape')).diagnosis?.[0];
    assert.ok(shape?.code === 'shape-mismatch');
    assert.deepEqual(shape.calls.map(c => c.elements).sort(), [4, 5]);
    const absent = (await run('faulty', 3, 2, 'absent')).diagnosis?.[0];
    assert.deepEqual(absent, {
      code: 'missing-rank',
      axis: 'world',
      sequence: 1,
      op: 'all-reduce',
      present: [0, 2],
      missing: [{ rank: 1, state: { doing: 'finished' } }],
    });
  });

  it('rejects where a program throws, and ends its workers', async () => {
    await assert.rejects(run('faulty', 3, 2, 'throws'), /thrown by a rank/);
  });
});

describe('patience', () => {
  it('gives up looking where barriers sleep, for longer each time, and tries again', () => {
    const patience = new Patience();
    let sleeps = 0;
    const pass = (count: number, asleep: boolean) => {
      for (let i = 0; i < count; i++) patience.passed(asleep ? ++sleeps : sleeps);
    };
    const looks = patience.looks;
    assert.ok(looks > 0);
    pass(32, false);
    assert.equal(patience.looks, looks);
    pass(32, true);
    assert.equal(patience.looks, 0);
    pass(512, true);
    assert.equal(patience.looks, looks);
    pass(32, true);
    pass(512, true);
    assert.equal(patience.looks, 0);
    pass(512, true);
    assert.equal(patience.looks, looks);
  });
});

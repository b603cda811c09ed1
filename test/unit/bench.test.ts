/** `meshlens bench collectives` against its schema and nccl-tests' definitions: tiny sizes, and nothing that a busy machine could break. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import Ajv2020 from 'ajv/dist/2020';
import { build } from 'esbuild';
import { runAnyCli } from '../../src/cli/main';
import type { BenchDocument } from '../../src/documents/bench';

const schemaOf = (name: string) =>
  new Ajv2020({ allErrors: true, allowUnionTypes: true }).compile(
    JSON.parse(readFileSync(`schemas/${name}.schema.json`, 'utf8')) as object,
  );

describe('meshlens bench on the command line', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'meshlens-'));
  const workerUrl = pathToFileURL(path.join(folder, 'collectivesWorker.mjs'));
  const run = (...argv: string[]) => runAnyCli(['bench', ...argv], { workerUrl });

  before(() =>
    build({
      entryPoints: ['src/node/collectives/worker.ts'],
      bundle: true,
      format: 'esm',
      platform: 'node',
      outfile: path.join(folder, 'collectivesWorker.mjs'),
    }),
  );
  after(() => rmSync(folder, { recursive: true }));

  it('measures every operation, with statistics and both bandwidths', async () => {
    const { stdout, exitCode } = await run('collectives', '--ranks', '2', '--sizes', '4096', '--json');
    assert.equal(exitCode, 0);
    assert.equal(stdout.split('\n').length, 2, 'one line, one object');
    const document = JSON.parse(stdout) as BenchDocument;
    const schema = schemaOf('bench');
    assert.ok(schema(document), JSON.stringify(schema.errors?.slice(0, 3)));
    const { measurements, machine, ranks } = document;
    assert.deepEqual([ranks, measurements.length, machine.platform], [2, 7, os.platform()]);
    for (const { op, bytes, medianSeconds, p95Seconds, leastSeconds, algbw, busbw } of measurements) {
      assert.ok(leastSeconds <= medianSeconds && medianSeconds <= p95Seconds, op);
      if (op === 'barrier') continue;
      // nccl-tests, doc/PERFORMANCE.md: algbw = S / t; for two ranks busbw is algbw, or half of it.
      assert.ok(Math.abs((algbw ?? 0) * medianSeconds - bytes) < 1e-6);
      const half = op === 'reduce-scatter' || op === 'all-gather' || op === 'all-to-all';
      assert.ok(Math.abs((busbw ?? 0) / (algbw ?? 1) - (half ? 0.5 : 1)) < 1e-12, op);
    }
  });

  it('prints a table that says what was measured and where', async () => {
    const { stdout } = await run('collectives', '--ranks', '3', '--sizes', '1000');
    assert.match(stdout, /no GPU, no network/);
    assert.match(stdout, /others kept [\d.]+ % of the machine’s cores busy/);
    // Whole shares of three ranks: the size is rounded up, and the table says what was measured.
    assert.match(stdout, /^reduce-scatter +1,008 .* × 3$/m);
  });

  it('gives exit code 2 for wrong usage', async () => {
    const wrong = [
      [],
      ['gpus'],
      ['collectives', '--ranks', '1'],
      ['collectives', '--ranks', '65'],
      ['collectives', '--sizes', '1,x'],
      ['collectives', '--sizes', '1e12'],
      ['collectives', '--no-such-option'],
    ];
    const error = schemaOf('error');
    for (const argv of wrong) {
      const { stdout, exitCode } = await run(...argv, '--json');
      assert.equal(exitCode, 2, argv.join(' '));
      assert.ok(error(JSON.parse(stdout)));
    }
  });

  it('leaves the other commands as they are', async () => {
    const { exitCode } = await runAnyCli(['check', 'package.json', '--json'], { workerUrl });
    assert.equal(exitCode, 0);
  });
});

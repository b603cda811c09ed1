/** `meshlens bench collectives` against its schema and nccl-tests' definitions: tiny sizes, and nothing that a busy machine could break. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import Ajv2020 from 'ajv/dist/2020';
import { build } from 'esbuild';
import type { EstimateDocument } from '../../src/documents/types';
import { runHost } from '../../src/node/bench/host';
import { runAnyCli } from '../../src/cli/main';
import type {
  BenchDocument,
  ClusterDocument,
  CompareDocument,
  CompareRunDocument,
  FitDocument,
  HostDocument,
  ImportDocument,
} from '../../src/documents/bench';

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
      entryPoints: { collectivesWorker: 'src/node/collectives/worker.ts', hostWorker: 'src/node/bench/hostWorker.ts' },
      bundle: true,
      format: 'esm',
      platform: 'node',
      outExtension: { '.js': '.mjs' },
      outdir: folder,
    }),
  );
  after(() => rmSync(folder, { recursive: true }));

  it('measures every operation, with statistics and both bandwidths', async () => {
    const { stdout, exitCode } = await run(
      'collectives',
      '--ranks',
      '2',
      '--sizes',
      '4096',
      '--samples',
      '10',
      '--json',
    );
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
    const { stdout } = await run('collectives', '--ranks', '3', '--sizes', '1000', '--samples', '10');
    assert.match(stdout, /no GPU, no network/);
    assert.match(stdout, /others kept [\d.]+ % of the machine’s cores busy/);
    // Whole shares of three ranks: the size is rounded up, and the table says what was measured.
    assert.match(stdout, /^reduce-scatter +1,008 .* × 3$/m);
  });

  it('measures products, copies and latency of this machine, and compares a kept result with itself', async () => {
    const kept = path.join(folder, 'host.json');
    const document: HostDocument = await runHost({
      ranks: 2,
      ops: ['send-recv', 'barrier'],
      sizes: [64],
      samples: 10,
      points: [
        { kind: 'product', m: 64, k: 32, n: 16, dtype: 'f32' },
        { kind: 'copy', bytes: 4096 },
      ],
      pointSeconds: 0.002,
      workerUrl,
      hostUrl: new URL('hostWorker.mjs', workerUrl),
    });
    writeFileSync(kept, JSON.stringify(document));
    const schema = schemaOf('bench');
    assert.ok(schema(document), JSON.stringify(schema.errors?.slice(0, 3)));
    const [product] = document.products;
    assert.ok(product !== undefined && Math.abs(product.flopsPerSecond * product.medianSeconds - 65_536) < 1e-3);
    const [copy] = document.memory;
    assert.ok(copy !== undefined && Math.abs(copy.bytesPerSecond * copy.medianSeconds - 8192) < 1e-3);
    assert.ok((document.latency.messageSeconds ?? 0) > 0 && (document.latency.barrierSeconds ?? 0) > 0);
    const compared = JSON.parse((await run('compare', kept, kept, '--json')).stdout) as CompareDocument;
    assert.ok(schema(compared), JSON.stringify(schema.errors?.slice(0, 3)));
    assert.equal(compared.rows.length, 4);
    assert.ok(compared.sameMachine && compared.rows.every(({ verdict, ratio }) => verdict === 'same' && ratio === 1));
    assert.match((await run('compare', kept, kept)).stdout, /product 64×32×16 f32 .* the same/);
  });

  it('writes the benchmark of a cluster for the plan of a config, which Python can compile', async () => {
    const script = path.join(folder, 'bench.py');
    const config = 'examples/llama-3.1-8b/train.json';
    const { stdout, exitCode } = await run('cluster', '--script', script, config, '--json');
    assert.equal(exitCode, 0);
    const document = JSON.parse(stdout) as ClusterDocument;
    const schema = schemaOf('bench');
    assert.ok(schema(document), JSON.stringify(schema.errors?.slice(0, 3)));
    assert.equal(
      document.axes.reduce((product, { size }) => product * size, 1),
      16,
    );
    assert.match(document.launch.torchrun, /^torchrun --nnodes 2 .*--nproc_per_node 8 /);
    assert.match((await run('cluster', '--script', script)).stdout, /squares alone/);
    const python = spawnSync('python3', ['-m', 'py_compile', script]);
    assert.ok(python.error !== undefined || python.status === 0, String(python.stderr));
  });

  it('imports every fixture as a document of its schema; a broken line is an error with its place', async () => {
    const fixtures = readdirSync('test/fixtures/bench')
      .filter(name => name.endsWith('.txt'))
      .map(name => `test/fixtures/bench/${name}`);
    const { stdout, exitCode } = await run('import', ...fixtures, '--json');
    assert.equal(exitCode, 1);
    const document = JSON.parse(stdout) as ImportDocument;
    const schema = schemaOf('bench');
    assert.ok(schema(document), JSON.stringify(schema.errors?.slice(0, 3)));
    assert.equal(document.files.length, fixtures.length);
    const text = (await run('import', 'test/fixtures/bench/megatron-broken.txt')).stdout;
    assert.match(text, /megatron-broken.txt:2: error: This is not valid megatron-log/);
  });

  it('ties a log to the config beside it', async () => {
    const log = 'test/fixtures/bench/torchtitan.txt';
    const { stdout, exitCode } = await run('import', log, 'examples/llama-3.1-8b/train.json', '--json');
    assert.equal(exitCode, 0);
    const { files } = JSON.parse(stdout) as ImportDocument;
    // Two steps at 820 and 4,376 tokens a second and GPU; 64 sequences of 4,096 tokens on 16 GPUs.
    const expected = (((64 * 4096) / 16) * (1 / 820 + 1 / 4376)) / 2;
    assert.ok(Math.abs((files[0]?.run?.stepSeconds ?? 0) - expected) < 1e-9);
  });

  it('fits a profile to a log and its config, with which the estimate comes nearer; without it all is as before', async () => {
    const log = path.join(folder, 'train.log');
    const config = 'examples/llama-3.1-8b/train.json';
    const model = 'examples/llama-3.1-8b/config.json';
    const seconds = async (...more: string[]) =>
      (
        JSON.parse(
          (await runAnyCli(['estimate', config, model, '--gpu', 'h100-sxm', ...more, '--json'], { workerUrl })).stdout,
        ) as EstimateDocument
      ).throughput.stepSeconds ?? 0;
    const before = await seconds();
    const slower = 1.25 * before;
    const line = (i: number) =>
      ` iteration ${i}/ 100 | consumed samples: ${i * 64} | elapsed time per iteration (ms): ${slower * 1000} | global batch size: 64 |`;
    writeFileSync(log, [1, 2, 3, 4, 5].map(line).join('\n'));
    const profile = path.join(folder, 'hardware.json');
    const { stdout, exitCode } = await run('fit', log, config, model, '--gpu', 'h100-sxm', '--out', profile, '--json');
    assert.equal(exitCode, 0);
    const document = JSON.parse(stdout) as FitDocument;
    const schema = schemaOf('bench');
    assert.ok(schema(document), JSON.stringify(schema.errors?.slice(0, 3)));
    const after = await seconds('--hardware', profile);
    // One log of a stack that published runs speak for: it moves the prediction by a third of the way or more.
    assert.ok(Math.abs(after / slower - 1) < 0.67 * Math.abs(before / slower - 1), `${before} ${after} ${slower}`);
    assert.ok(Math.abs((document.runs[0]?.afterSeconds ?? 0) / after - 1) < 0.01);
    assert.equal(await seconds(), before);
    // A team's meshlens.json names the profile: the same numbers without the option.
    for (const file of [config, model]) copyFileSync(file, path.join(folder, path.basename(file)));
    writeFileSync(path.join(folder, 'meshlens.json'), '{"hardware": "hardware.json"}');
    const own = ['train.json', 'config.json'].map(name => path.join(folder, name));
    const named = async () =>
      JSON.parse(
        (await runAnyCli(['estimate', ...own, '--gpu', 'h100-sxm', '--json'], { workerUrl })).stdout,
      ) as EstimateDocument;
    assert.equal((await named()).throughput.stepSeconds, after);
    assert.ok((await named()).assumptions.some(({ code }) => code === 'own-measurements'));
    rmSync(profile);
    assert.equal((await named()).throughput.stepSeconds, before);
    assert.match((await named()).problems[0]?.message ?? '', /hardware must be a hardware file, not hardware.json/);
    rmSync(path.join(folder, 'meshlens.json'));
  });

  it('checks results and scripts for what spoils them', async () => {
    const { stdout, exitCode } = await run(
      'check',
      'test/fixtures/bench/lecture-2025.txt',
      'bench/collectives/peer_gloo.py',
      '--json',
    );
    assert.equal(exitCode, 0);
    const document = JSON.parse(stdout) as { problems: { code: string; args: { what: string } }[] };
    assert.ok(schemaOf('bench')(document));
    assert.deepEqual(
      document.problems.map(({ code, args }) => `${code} ${args.what}`),
      ['pitfall reduce-scatter-output'],
    );
  });

  it('sets a log beside the prediction of its config', async () => {
    const configs = ['examples/llama-3.1-8b/train.json', 'examples/llama-3.1-8b/config.json', '--gpu', 'h100-sxm'];
    const { stdout } = await run(
      'compare-run',
      ...configs,
      '--log',
      'test/fixtures/bench/megatron-timers.txt',
      '--json',
    );
    const document = JSON.parse(stdout) as CompareRunDocument;
    const schema = schemaOf('bench');
    assert.ok(schema(document), JSON.stringify(schema.errors?.slice(0, 3)));
    assert.equal(document.run?.stepSeconds, 2.5);
    assert.ok(Math.abs((document.ratio ?? 0) * (document.predicted.stepSeconds ?? 0) - 2.5) < 1e-12);
    // Part by part: what the log's timers say of the slowest rank, beside the parts of the estimate that they span.
    const estimate = JSON.parse((await runAnyCli(['estimate', ...configs, '--json'], { workerUrl })).stdout) as {
      time: Record<string, number>;
      hidden: { dp: number };
    };
    const part = (name: string) => document.runs[0]?.parts.find(one => one.name === name);
    assert.equal(part('all-grads-sync')?.loggedSeconds, 0.18);
    assert.equal(part('all-grads-sync')?.predictedSeconds, estimate.time.dpExposed + estimate.hidden.dp);
    assert.equal(part('batch-generator')?.predictedSeconds, null);
    const { optimizer = 0, gradNorm = 0, host = 0 } = estimate.time;
    assert.equal(part('optimizer')?.predictedSeconds, optimizer + gradNorm);
    const passes = (document.predicted.stepSeconds ?? 0) - optimizer - gradNorm - host;
    assert.ok(Math.abs((part('forward-backward')?.predictedSeconds ?? 0) - passes) < 1e-9);
  });

  it('sets logs beside the predictions of their own configs', async () => {
    const small = path.join(folder, 'small.json');
    writeFileSync(small, readFileSync('examples/llama-3.1-8b/train.json', 'utf8'));
    const log = (name: string, seconds: number) => {
      const text = [1, 2, 3].map(i => ` iteration ${i}/ 9 | elapsed time per iteration (ms): ${seconds * 1000} |`);
      writeFileSync(path.join(folder, name), text.join('\n'));
      return path.join(folder, name);
    };
    const model = 'examples/llama-3.1-8b/config.json';
    const runs = ['--run', `${log('a.log', 2)}=${small},${model}`, '--run', `${log('b.log', 3)}=${small},${model}`];
    const gpu = ['--gpu', 'h100-sxm', '--json'];
    const { stdout, exitCode } = await run('compare-run', ...runs, ...gpu);
    assert.equal(exitCode, 0);
    const document = JSON.parse(stdout) as CompareRunDocument;
    assert.deepEqual(
      document.runs.map(one => one.run?.stepSeconds),
      [2, 3],
    );
    assert.ok(document.runs.every(one => one.predicted.stepSeconds === document.predicted.stepSeconds));
    const fitted = JSON.parse((await run('fit', ...runs, ...gpu)).stdout) as FitDocument;
    assert.deepEqual(
      fitted.runs.map(({ measuredSeconds }) => measuredSeconds),
      [2, 3],
    );
    assert.deepEqual(
      fitted.measurements.map(({ format, records }) => [format, records]),
      [
        ['megatron-log', 3],
        ['megatron-log', 3],
      ],
    );
    assert.equal((await run('compare-run', '--run', 'a.log', '--json')).exitCode, 2);
  });

  it('stops measuring the host when asked to', async () => {
    const stop = new AbortController();
    const run = runHost({
      ranks: 2,
      workerUrl,
      hostUrl: new URL('hostWorker.mjs', workerUrl),
      signal: stop.signal,
      onProgress: () => stop.abort(new Error('stopped')),
    });
    await assert.rejects(run, /stopped/);
  });

  it('gives exit code 2 for wrong usage', async () => {
    const wrong = [
      [],
      ['gpus'],
      ['host', 'file'],
      ['compare', 'package.json', 'package.json'],
      ['compare', 'package.json'],
      ['cluster'],
      ['cluster', '--script', '/no/such/folder/x.py'],
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

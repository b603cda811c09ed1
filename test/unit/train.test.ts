/** `meshlens train` as users call it: on both backends, with their own text and config, against its schema. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import Ajv2020 from 'ajv/dist/2020';
import { build } from 'esbuild';
import { runAnyCli } from '../../src/cli/main';
import { trainFailed, type TrainCommandDocument } from '../../src/cli/trainCommand';

const schema = new Ajv2020({ allErrors: true, allowUnionTypes: true }).compile(
  JSON.parse(readFileSync('schemas/train.schema.json', 'utf8')) as object,
);
const SHORT = ['--plan', 'dp=2,tp=2,seqLen=8,microBatch=1,globalBatch=4', '--steps', '2'];

describe('meshlens train on the command line', function () {
  this.timeout(60_000);
  const folder = mkdtempSync(path.join(os.tmpdir(), 'meshlens-'));
  const workerUrl = pathToFileURL(path.join(folder, 'collectivesWorker.mjs'));
  const file = (name: string, text: string) => {
    writeFileSync(path.join(folder, name), text);
    return path.join(folder, name);
  };

  before(() =>
    build({
      entryPoints: {
        collectivesWorker: 'src/node/collectives/worker.ts',
        trainingRanks: 'src/node/trainer/rankProgram.ts',
      },
      bundle: true,
      format: 'esm',
      platform: 'node',
      outdir: folder,
      outExtension: { '.js': '.mjs' },
    }),
  );
  after(() => rmSync(folder, { recursive: true }));

  async function train(...argv: string[]): Promise<TrainCommandDocument> {
    const { stdout, exitCode } = await runAnyCli(['train', ...argv, '--json'], { workerUrl });
    const document = JSON.parse(stdout) as TrainCommandDocument;
    assert.ok(schema(document), JSON.stringify(schema.errors?.slice(0, 3)));
    assert.equal(exitCode, trainFailed(document) ? 1 : 0);
    return document;
  }

  it('proves a plan in threads as on the simulated mesh, and says how long each step took', async () => {
    const [virtual, threads] = [await train(...SHORT), await train(...SHORT, '--backend', 'threads')];
    assert.deepEqual([virtual.equal, threads.equal], [true, true]);
    threads.losses?.forEach((loss, i) => assert.ok(Math.abs(loss - (virtual.losses?.[i] ?? NaN)) < 1e-11));
    const same = ['traffic', 'peakBytesPerRank', 'virtualSeconds', 'bubbleFraction', 'serialLosses'] as const;
    for (const key of same) assert.deepEqual(threads[key], virtual[key], key);
    assert.equal(virtual.wallSecondsPerStep, null);
    assert.ok(threads.wallSecondsPerStep?.length === 2 && threads.wallSecondsPerStep.every(s => s > 0));
  });

  it('trains on the bytes of any file', async () => {
    const [own, other] = [
      await train(...SHORT),
      await train(...SHORT, '--data', file('text.txt', 'ab\u00e9\u{1f600}')),
    ];
    assert.equal(other.equal, true);
    assert.notDeepEqual(other.losses, own.losses);
    const empty = await train(...SHORT, '--data', file('empty.txt', ''));
    assert.deepEqual(
      empty.problems.map(({ code }) => code),
      ['value-invalid'],
    );
    const { exitCode } = await runAnyCli(['train', ...SHORT, '--data', path.join(folder, 'none')], { workerUrl });
    assert.equal(exitCode, 2);
  });

  it('runs a config’s own model where it is small, and trains in f32', async () => {
    // Keys as in transformers' LlamaConfig.
    const config = file(
      'config.json',
      JSON.stringify({
        model_type: 'llama',
        architectures: ['LlamaForCausalLM'],
        num_hidden_layers: 2,
        hidden_size: 32,
        intermediate_size: 64,
        num_attention_heads: 4,
        num_key_value_heads: 2,
        vocab_size: 64,
        max_position_embeddings: 128,
        tie_word_embeddings: false,
        rms_norm_eps: 1e-5,
        hidden_act: 'silu',
      }),
    );
    const document = await train(...SHORT, '--config', config, '--dtype', 'f32');
    assert.deepEqual([document.equal, document.scaledDown], [true, null]);
    // SwiGLU, grouped heads: 2·(2·32² + 2·32·16 + 3·32·64 + 2·32) + 2·64·32 + 32 parameters, half of each split one on a
    // rank, in 4 bytes; here q, k, v, o, gate, up, down and both tables are split.
    const split = 2 * (2 * 32 * 32 + 2 * 32 * 16 + 3 * 32 * 64) + 2 * 64 * 32;
    assert.equal(document.memory?.weights[0], 4 * (split / 2 + 2 * 2 * 32 + 32));
  });

  it('ends with 1 where the runs differ', () => {
    assert.equal(trainFailed({ problems: [], equal: false }), true);
    assert.equal(trainFailed({ problems: [], equal: true }), false);
  });
});

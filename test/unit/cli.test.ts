/** Every command's document against its JSON Schema, its exit codes, and figures that stand elsewhere. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync, copyFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import Ajv2020 from 'ajv/dist/2020';
import type { ExerciseDocument } from '../../src/documents/exercise';
import type { ProofDocument } from '../../src/documents/proof';
import type {
  ApplyDocument,
  CheckDocument,
  EstimateDocument,
  ExportDocument,
  ReadDocument,
  SearchDocument,
} from '../../src/documents/types';
import type { ValidateDocument } from '../../src/cli/validate';
import { runCli } from '../../src/cli/main';

const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true });
const schemas = Object.fromEntries(
  readdirSync('schemas').map(name => [
    name.replace('.schema.json', ''),
    ajv.compile(JSON.parse(readFileSync(`schemas/${name}`, 'utf8')) as object),
  ]),
);

const FOLDER = 'examples/llama-3.1-8b';
const TRAIN = `${FOLDER}/train.json`;
const MODEL = `${FOLDER}/config.json`;

/** Runs a command with --json; the document is valid by the schema of its command or of an error. */
function run<T>(...argv: string[]): { document: T; exitCode: number } {
  const { stdout, exitCode } = runCli([...argv, '--json']);
  const document = JSON.parse(stdout) as { command: string; error?: unknown };
  const schema = schemas[document.error === undefined ? document.command : 'error'];
  assert.ok(schema !== undefined, `a schema for ${document.command}`);
  assert.ok(schema(document), JSON.stringify(schema.errors?.slice(0, 3)));
  assert.equal(stdout.split('\n').length, 2, 'one line, one object');
  return { document: document as T, exitCode };
}

describe('the command line', () => {
  it('reads files with the origin and place of every value', () => {
    const { document, exitCode } = run<ReadDocument>('read', TRAIN, MODEL);
    assert.equal(exitCode, 0);
    assert.equal(document.parameters?.total, 8_030_261_248);
    assert.deepEqual(
      document.files.map(({ kind }) => kind),
      ['picotron', 'hf'],
    );
    const tp = document.fields.find(field => field.path === 'plan.tp');
    assert.deepEqual([tp?.value, tp?.origin, tp?.file, tp?.line, tp?.column], [4, 'file', TRAIN, 3, 20]);
    assert.equal(document.setup.plan.seqLen, 4096);
    assert.equal(document.setup.model.maxSeqLen, 131_072);
  });

  it('exports to another framework, with what that cannot say at the head of the file', () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'meshlens-'));
    try {
      const out = path.join(folder, 'new');
      const { document, exitCode } = run<ExportDocument>('export', TRAIN, MODEL, '--to', 'axolotl', '--out', out);
      assert.equal(exitCode, 0);
      // The example has a pipeline of stages, which axolotl has not.
      assert.ok(document.notCarried.some(({ key, became }) => key === 'pp' && became === '1'));
      const text = readFileSync(path.join(out, 'axolotl.yaml'), 'utf8');
      assert.equal(text, document.files[0]?.text);
      for (const { message } of document.notCarried) assert.ok(text.includes(`#   - ${message}\n`), message);
      const again = run<ReadDocument>('read', path.join(out, 'axolotl.yaml')).document;
      assert.equal(again.files[0]?.kind, 'axolotl');
      assert.equal(again.setup.plan.seqLen, 4096);
      assert.equal(again.setup.plan.tp, 4);
      // Nothing is written over.
      assert.equal(run('export', TRAIN, MODEL, '--to', 'axolotl', '--out', out).exitCode, 2);
      assert.equal(run('export', TRAIN, MODEL, '--to', 'caffe').exitCode, 2);
      assert.equal(run('export', TRAIN, MODEL).exitCode, 2);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('takes what meshlens.json says, under what the command line says', () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'meshlens-'));
    try {
      for (const file of [TRAIN, MODEL]) copyFileSync(file, path.join(folder, path.basename(file)));
      writeFileSync(path.join(folder, '.git'), '');
      writeFileSync(
        path.join(folder, 'meshlens.json'),
        '{ "cluster": { "gpu": "a100-80" }, "costs": { "perGpuHour": 2 } }',
      );
      const files = [TRAIN, MODEL].map(file => path.join(folder, path.basename(file)));
      const gpu = (...more: string[]) =>
        run<EstimateDocument>('estimate', ...files, ...more).document.setup.cluster.gpu;
      assert.deepEqual([gpu(), gpu('--gpu', 'h200-sxm')], ['a100-80', 'h200-sxm']);
      const { document } = run<SearchDocument>(
        'search',
        ...files,
        '--fix',
        'tp=2',
        '--fix',
        'pp=1',
        '--tokens',
        '1000000000',
      );
      const [best] = document.best;
      const { trainingSeconds, cost } = best?.training ?? { trainingSeconds: null, cost: null };
      // 16 GPUs at 2 an hour.
      assert.ok(trainingSeconds !== null && cost !== null);
      assert.ok(Math.abs(cost - (trainingSeconds / 3600) * 16 * 2) < 1e-9 * cost);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('checks every config below a folder, each with what belongs to it, once', () => {
    const { document, exitCode } = run<CheckDocument>('check', 'examples', '--gpu', 'h100-sxm');
    assert.equal(exitCode, 1);
    assert.deepEqual(
      document.problems.filter(({ severity }) => severity === 'error').map(({ code, file }) => [code, file]),
      [['out-of-memory', 'examples/too-large/train.json']],
    );
    const { stdout } = runCli(['check', 'examples', '--gpu', 'h100-sxm']);
    const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
      contributes: { problemMatchers: [{ pattern: { regexp: string } }] };
    };
    const [{ pattern }] = manifest.contributes.problemMatchers;
    assert.ok(
      stdout
        .trim()
        .split('\n')
        .every(line => new RegExp(pattern.regexp).test(line)),
      stdout,
    );
  });

  it('leaves out what a comment switches off', () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'meshlens-'));
    try {
      const file = path.join(folder, 'train.toml');
      const text = (comment: string) =>
        `[model]\nname = "llama3"\nflavor = "8B"\n[training]\nseq_len = 8192\nlocal_batch_size = 1\n[parallelism]\n${comment}\ntensor_parallel_degree = 3\n`;
      const codes = (comment: string) => {
        writeFileSync(file, text(comment));
        return run<CheckDocument>('check', file, '--gpus', '8').document.problems.map(({ code }) => code);
      };
      assert.ok(codes('# three').includes('heads-tp'));
      assert.ok(!codes('# meshlens-disable-next-line heads-tp').includes('heads-tp'));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('leaves what is not known null and says so, with exit code 0', () => {
    const { document, exitCode } = run<EstimateDocument>('estimate', MODEL);
    assert.equal(exitCode, 0);
    assert.equal(document.throughput.stepSeconds, null);
    assert.equal(document.memory.fits, null);
    assert.deepEqual(
      document.problems.map(({ code, severity }) => [code, severity]),
      [
        ['value-unknown', 'information'],
        ['value-unknown', 'information'],
        ['value-unknown', 'information'],
        ['cluster-unknown', 'information'],
      ],
    );
    // 2 bytes of weights a parameter, 12 of AdamW's master copy and moments.
    assert.equal(document.states?.weights, 2 * 8_030_261_248);
    assert.equal(document.states?.optimizer, 12 * 8_030_261_248);
  });

  it('estimates: parts add up to the step, memory parts to the stage, fits by the capacity', () => {
    const { document, exitCode } = run<EstimateDocument>('estimate', TRAIN, MODEL, '--gpu', 'h100-sxm');
    assert.equal(exitCode, 0);
    const step = document.throughput.stepSeconds ?? NaN;
    const sum = Object.values(document.time).reduce<number>((total, part) => total + (part ?? NaN), 0);
    assert.ok(Math.abs(sum - step) < 1e-9 * step);
    // 64 sequences of 4,096 tokens on 16 GPUs.
    assert.ok(Math.abs((document.throughput.tokensPerSecondPerGpu ?? 0) * step - (64 * 4096) / 16) < 1e-6);
    for (const { total, stage, ...parts } of document.memory.stages) {
      assert.ok(stage >= 0);
      assert.ok(Math.abs(Object.values(parts).reduce((a, b) => a + b, 0) - total) < 1);
    }
    assert.equal(document.memory.fits, (document.memory.peakBytes ?? NaN) <= (document.memory.capacityBytes ?? NaN));
  });

  it('takes the command line over the file, and several pairs in one --set', () => {
    const { document } = run<EstimateDocument>(
      'estimate',
      TRAIN,
      MODEL,
      '--set',
      'microBatch=2,seqLen=2048',
      '--set',
      'schedule=gpipe',
    );
    const { microBatch, seqLen, schedule } = document.setup.plan;
    assert.deepEqual([microBatch, seqLen, schedule], [2, 2048, 'gpipe']);
  });

  it('gives exit code 1 where an error stands in the input, at its place', () => {
    const { document, exitCode } = run<EstimateDocument>('estimate', TRAIN, '--set', 'tp=3', '--gpu', 'h100-sxm');
    assert.equal(exitCode, 1);
    assert.ok(document.problems.some(({ code }) => code === 'heads-tp'));
    const tooLarge = run<EstimateDocument>('estimate', 'examples/too-large/train.json', '--gpu', 'h100-sxm');
    assert.equal(tooLarge.exitCode, 1);
    assert.ok(
      tooLarge.document.problems.some(({ code, severity }) => code === 'out-of-memory' && severity === 'error'),
    );
  });

  it('gives exit code 2 for wrong usage', () => {
    for (const argv of [
      ['estimate'],
      ['estimate', 'no-such-file.json'],
      ['estimate', TRAIN, '--gpu', 'h9000'],
      ['estimate', TRAIN, '--set', 'tpp=2'],
      ['estimate', TRAIN, '--set', 'tp=two'],
      ['search', TRAIN, '--objective', 'luck'],
      ['pipeline', '--schedule', '2f2b', '--stages', '4', '--micro-batches', '8'],
      ['nonsense'],
      ['estimate', TRAIN, '--no-such-option'],
    ]) {
      const { exitCode } = run<object>(...argv);
      assert.equal(exitCode, 2, argv.join(' '));
    }
  });

  it('proves the plan of the files, or says why it cannot be run', () => {
    const { document, exitCode } = run<ProofDocument>('prove', TRAIN, MODEL, '--steps', '2');
    assert.equal(exitCode, 0);
    assert.deepEqual([document.result?.equal, document.twin?.ranks, document.result?.losses.length], [true, 16, 2]);
    // 1F1B with 2 stages and 4 micro-batches a pipeline whose last stage has the head besides: more than (p − 1)/(m + p − 1).
    assert.ok((document.result?.predictedBubbleFraction ?? 0) > 1 / 5);
    const wrong = run<ProofDocument>('prove', TRAIN, MODEL, '--plan', 'tp=3');
    assert.deepEqual([wrong.exitCode, wrong.document.result], [1, null]);
    assert.ok(wrong.document.problems.some(({ code }) => code === 'heads-tp'));
    assert.equal(run('prove', TRAIN, '--steps', '1001').exitCode, 2);
    assert.equal(run('prove').exitCode, 2);
  });

  it('grades an exercise, and prints the text to fill in', () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'meshlens-exercise-'));
    const file = path.join(folder, 'ring.txt');
    try {
      writeFileSync(file, 'send(own, next, add)\nsend(received, next, add)\nsend(received, next, add)\n');
      const right = run<ExerciseDocument>('exercise', 'alternate-ring', file);
      assert.deepEqual([right.exitCode, right.document.passed, right.document.finding], [0, true, null]);
      writeFileSync(file, 'send(own, next, add)\nsend(sum, next, add)\n');
      const wrong = run<ExerciseDocument>('exercise', 'alternate-ring', file);
      assert.deepEqual([wrong.exitCode, wrong.document.passed, wrong.document.finding?.line], [1, false, 2]);
      assert.match(runCli(['exercise', 'alternate-ring', file]).stdout, /ring\.txt:2: A sum is passed on/);
      assert.match(runCli(['exercise', 'alternate-ring']).stdout, /^# MeshLens exercise: alternate-ring/);
    } finally {
      rmSync(folder, { recursive: true });
    }
    assert.equal(run('exercise', 'sorting').exitCode, 2);
    assert.equal(run('exercise', 'alternate-ring', 'no-such-file').exitCode, 2);
  });

  it('says nothing of a file that is not ours', () => {
    const { document, exitCode } = run<ReadDocument>('read', 'package.json');
    assert.deepEqual([document.files[0]?.kind, document.files[0]?.problems, exitCode], [null, [], 0]);
    assert.equal(run('check', 'package.json').exitCode, 0);
  });

  it('searches: every proposal keeps GPUs and batch and is estimated alike', () => {
    const { document, exitCode } = run<SearchDocument>(
      'search',
      TRAIN,
      MODEL,
      '--gpu',
      'h100-sxm',
      '--top',
      '3',
      '--fix',
      'cp=1',
    );
    assert.equal(exitCode, 0);
    assert.equal(document.best.length, 3);
    for (const { plan, planString, throughput, applicable, memory } of document.best) {
      assert.equal((plan.dp ?? 0) * (plan.tp ?? 0) * (plan.cp ?? 0) * (plan.pp ?? 0), 16);
      assert.deepEqual([plan.globalBatch, plan.cp, applicable], [64, 1, true]);
      const again = run<EstimateDocument>('estimate', TRAIN, MODEL, '--gpu', 'h100-sxm', '--set', planString).document;
      assert.equal(again.throughput.stepSeconds, throughput.stepSeconds);
      assert.equal(again.memory.peakBytes, memory.peakBytes);
    }
    const { space } = document;
    assert.ok(space.candidates >= space.evaluated && space.evaluated >= space.feasible);
  });

  it('applies a plan to the file', () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'meshlens-'));
    try {
      const file = path.join(folder, 'train.json');
      copyFileSync(TRAIN, file);
      const { document, exitCode } = run<ApplyDocument>('apply', file, '--plan', 'tp=2,pp=1', '--write');
      assert.equal(exitCode, 0);
      assert.ok(document.edits.length > 0);
      const { plan } = run<ReadDocument>('read', file).document.setup;
      assert.deepEqual([plan.tp, plan.pp, plan.dp, plan.globalBatch], [2, 1, 8, 64]);
      assert.equal(run<ApplyDocument>('apply', file, '--plan', 'tp=2,pp=1').document.edits.length, 0);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('checks: problems alone, as text with file, line, column, severity and code', () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'meshlens-'));
    try {
      const file = path.join(folder, 'train.json');
      writeFileSync(file, readFileSync(TRAIN, 'utf8').replace('"tp_size": 4', '"tp_size": 3'));
      assert.equal(run('check', file).exitCode, 1);
      assert.match(runCli(['check', file]).stdout, /train\.json:3:20: error heads-tp 32 attention heads/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('predicts the published runs beside what was measured', () => {
    const { document, exitCode } = run<ValidateDocument>('validate');
    assert.equal(exitCode, 0);
    const { rows, summary } = document;
    assert.ok(rows.every(({ status, reason }) => (status === 'skipped') === (reason !== null)));
    for (const { error, predicted, measured } of rows) {
      if (error.stepSeconds === null || predicted.stepSeconds === null || measured.stepSeconds === null) continue;
      assert.ok(Math.abs(error.stepSeconds - (predicted.stepSeconds / measured.stepSeconds - 1)) < 1e-12);
    }
    assert.ok(summary.core.scored <= summary.core.rows && summary.core.rows <= summary.all.rows);
  });

  it('proves a plan: the parallel run equals the serial one, and moves what was predicted', () => {
    const { document, exitCode } = run<{
      equal: boolean;
      losses: number[];
      traffic: { bytesPerRank: number[]; predictedBytesPerRank: number[] }[];
    }>('train', '--plan', 'dp=2,tp=2,pp=2,globalBatch=8', '--steps', '2', '--dtype', 'f64');
    assert.deepEqual([exitCode, document.equal, document.losses.length], [0, true, 2]);
    assert.ok((document.losses[1] ?? NaN) < (document.losses[0] ?? NaN), 'the loss falls on the same batch');
    for (const { bytesPerRank, predictedBytesPerRank } of document.traffic)
      assert.deepEqual(bytesPerRank, predictedBytesPerRank);
    assert.equal(run('train', '--plan', 'tp=3', '--steps', '1').exitCode, 1);
    assert.equal(run('train', '--plan', 'tp=2').exitCode, 2);
  });

  it('replays the lecture', () => {
    const { document, exitCode } = run<{ lines: string[] }>('lecture', 'collectives');
    assert.equal(exitCode, 0);
    assert.ok(
      document.lines.some(line => line.includes('[6')),
      'the reduced vector of the lecture, 6 10 14 18',
    );
    assert.equal(run('lecture', 'poetry').exitCode, 2);
  });

  it('prices a collective', () => {
    const { document, exitCode } = run<{
      algorithm: string;
      steps: number;
      busbw: number;
      algbw: number;
      bytesSentPerRank: number[];
    }>('collective', 'all_reduce', '--ranks', '8', '--bytes', '67108864', '--gpu', 'h100-sxm', '--algorithm', 'ring');
    assert.equal(exitCode, 0);
    // A ring of n ranks: 2(n − 1) steps, 2(n − 1)/n of the bytes sent by each, busbw = algbw · 2(n − 1)/n (nccl-tests).
    assert.equal(document.steps, 14);
    assert.deepEqual(document.bytesSentPerRank, new Array(8).fill((67108864 * 14) / 8));
    assert.ok(Math.abs(document.busbw / document.algbw - 14 / 8) < 1e-12);
    assert.equal(run('collective', 'all-reduce', '--ranks', '0', '--bytes', '1').exitCode, 2);
    assert.equal(run('collective', 'some-reduce', '--ranks', '8', '--bytes', '1').exitCode, 2);
  });

  it('times a pipeline schedule', () => {
    const { document } = run<{ makespan: number; bubbleFraction: number; peakInFlight: number[] }>(
      'pipeline',
      '--schedule',
      '1f1b',
      '--stages',
      '4',
      '--micro-batches',
      '8',
    );
    // (m + p − 1)(F + B) with F = 1 and a whole backward of 2; bubble (p − 1)/(m + p − 1).
    assert.equal(document.makespan, 33);
    assert.ok(Math.abs(document.bubbleFraction - 3 / 11) < 1e-12);
    assert.deepEqual(document.peakInFlight, [4, 3, 2, 1]);
  });
});

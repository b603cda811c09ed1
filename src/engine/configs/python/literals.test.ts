/** Plans written into Python configs: they read back, and literals that no plan means stay. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { completeSetup } from '../../plan/complete';
import type { Plan } from '../../plan/keys';
import { SetupBuilder, type TrainingSetup } from '../../setup/setup';
import { changedSetup, type PlanChange } from '../changedSetup';
import { applyEdits } from '../edits';
import { readConfig } from '../registry';
import { planEdits } from '../write';

interface Case {
  readonly file: string;
  readonly gpus: number;
  readonly choices: { readonly [K in keyof Plan]?: readonly Plan[K][] };
  readonly steps: readonly number[];
  /** Lines that a plan may touch. */
  readonly touches: RegExp;
}

const CASES: readonly Case[] = [
  {
    file: 'internevo/llama2-7b.py',
    gpus: 16,
    choices: {
      tp: [1, 2, 4, 8],
      pp: [1, 2],
      vpp: [1, 2],
      sp: [true, false],
      recompute: ['none', 'full'],
      sharding: ['none', 'zero1'],
      dtype: ['bf16', 'fp16', 'fp32'],
      microBatch: [1, 2, 4],
      seqLen: [2048, 4096],
    },
    steps: [4, 8, 16],
    touches: /SEQ_LEN =|micro_num|micro_bsz|checkpoint|num_chunks|dtype|zero1|tensor|pipeline/,
  },
  {
    file: 'internevo/internlm2-20b-isp.py',
    gpus: 64,
    choices: { cp: [1, 2, 4, 8], recompute: ['none', 'full'], microBatch: [1, 2], seqLen: [16384, 32768] },
    steps: [1, 2, 8],
    touches: /checkpoint|^data|tensor/,
  },
  {
    file: 'colossalai/gpt3-zero3.py',
    gpus: 32,
    choices: { tp: [1, 2, 4], pp: [2, 4], recompute: ['none', 'full'], microBatch: [1, 2, 4], seqLen: [1024, 2048] },
    steps: [4, 16, 192],
    touches: /^(BATCH_SIZE|SEQ_LEN|NUM_MICRO_BATCHES|model|parallel)/,
  },
];

function changes({ gpus, choices, steps }: Case): fc.Arbitrary<PlanChange> {
  const picks = Object.fromEntries(
    Object.entries(choices).map(([key, values]) => [
      key,
      fc.option(fc.constantFrom(...(values as unknown[])), { nil: undefined, freq: 2 }),
    ]),
  );
  return fc.tuple(fc.record(picks), fc.constantFrom(...steps)).map(([picked, count]) => {
    const change = Object.fromEntries(Object.entries(picked).filter(([, value]) => value !== undefined)) as PlanChange;
    if (change.vpp === 2) change.pp = 2;
    if (change.tp === 1) delete change.sp;
    return { ...change, globalBatch: gpus * count };
  });
}

function setupOf(file: string, text: string, gpus: number): TrainingSetup {
  const { setup } = readConfig(file, text);
  assert.ok(setup !== null);
  const builder = new SetupBuilder(setup);
  builder.setCluster('gpus', gpus, 'user');
  return completeSetup(builder.build());
}

/** Lines as they are where no plan may touch them, without their literals where one may. */
const frame = (text: string, touches: RegExp): string[] =>
  text
    .split('\n')
    .map(line =>
      touches.test(line) ? line.replace(/-?\b\d[\d.]*\b|True|False|"[\w.]+"/g, '_').replace(/-_/g, '_') : line,
    );

describe('plans in Python configs', () => {
  for (const one of CASES) {
    it(`${one.file} reads back as the plan, and nothing else changes`, () => {
      const text = readFileSync(`test/fixtures/configs/${one.file}`, 'utf8');
      const { kind } = readConfig(one.file, text);
      const setup = setupOf(one.file, text, one.gpus);
      let [written, refused] = [0, 0];
      fc.assert(
        fc.property(changes(one), change => {
          const { edits, problems } = planEdits({ file: one.file, text, kind: kind ?? '' }, setup, change);
          const errors = problems.filter(({ severity }) => severity === 'error');
          if (errors.length > 0) {
            refused++;
            return assert.deepEqual(edits, []);
          }
          written += edits.length;
          const after = applyEdits(text, edits);
          const { plan, sizes } = setupOf(one.file, after, one.gpus);
          const next = changedSetup(setup, change);
          for (const key of Object.keys(change) as (keyof Plan)[])
            assert.deepEqual([key, plan[key]], [key, next.plan[key]], after);
          assert.deepEqual(sizes, setup.sizes);
          assert.deepEqual(frame(after, one.touches), frame(text, one.touches));
        }),
        { numRuns: 100, seed: 5 },
      );
      assert.ok(written > 100 && refused < 60, `${written} edits, ${refused} refused`);
    });
  }

  it('a value that the file counts from others is left, and said', () => {
    const text =
      'SEQ = 2 * 1024\nmodel = dict(num_attention_heads=8, mlp_ratio=4)\ndata = dict(seq_len=SEQ, micro_bsz=1)\nparallel = dict(zero1=dict(size=-1))\n';
    const setup = setupOf('run.py', text, 8);
    const { edits, problems } = planEdits({ file: 'run.py', text, kind: 'internevo' }, setup, { seqLen: 4096 });
    assert.deepEqual(edits, []);
    assert.deepEqual(
      problems.map(({ code, args }) => [code, args.key]),
      [['not-expressible', 'seqLen']],
    );
  });
});

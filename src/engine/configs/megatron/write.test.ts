import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { completeSetup } from '../../plan/complete';
import type { Plan } from '../../plan/keys';
import type { TrainingSetup } from '../../setup/setup';
import { applyEdits } from '../edits';
import { changedSetup, type PlanChange } from '../changedSetup';
import { MegatronArgs } from './args';
import { resolveFlag } from './flags';
import { findMegatron, readMegatronScript } from './read';
import { writeMegatronScript } from './write';

const FOLDER = 'test/fixtures/configs-code/megatron';

/** Three ways to write one launch: variables and arrays, strings appended, words of the command itself. */
const SCRIPTS: Readonly<Record<string, string>> = {
  arrays: `
#!/bin/bash
TP=2
PP=2
MBS=1
GBS=64
LAUNCH=(
    --nproc_per_node 8
    --nnodes \${NODES:-2}
)
MODEL=(
    --num-layers 24
    --hidden-size 1024
    --num-attention-heads 16
    --seq-length 2048
    --max-position-embeddings 4096
    --num-experts 8
    --swiglu
)
PARALLEL=(
    --tensor-model-parallel-size $TP
    --pipeline-model-parallel-size $PP
    --sequence-parallel
    --use-distributed-optimizer
)
TRAIN=(
    --micro-batch-size $MBS
    --global-batch-size $GBS # of all ranks
    --bf16
    --lr 1e-4
)
torchrun "\${LAUNCH[@]}" pretrain_gpt.py "\${MODEL[@]}" "\${PARALLEL[@]}" "\${TRAIN[@]}" --log-interval 10
`,
  strings: `
#!/bin/bash
#SBATCH --nodes=2
GPUS=8; NODES=2
SEQ=2048
MICRO=1
GLOBAL=$(( MICRO * 64 ))
STEPS=$(( 1000000 / GLOBAL ))
OPTIONS=" \\
    --num-layers 24 --hidden-size 1024 \\
    --num-attention-heads 16 \\
    --seq-length $SEQ \\
    --max-position-embeddings $SEQ \\
    --micro-batch-size $MICRO \\
    --global-batch-size $GLOBAL \\
    --train-iters $STEPS \\
    --num-experts 8 --swiglu \\
    --bf16 \\
    --recompute-granularity full \\
    --recompute-method uniform \\
    --recompute-num-layers 1 \\
    "
if [ "$PROFILE" = 1 ]; then
    OPTIONS="$OPTIONS --profile"
fi
CMD="torchrun --nproc_per_node $GPUS --nnodes $NODES pretrain_gpt.py --tensor-model-parallel-size \${TP:-2} $OPTIONS"
eval $CMD
`,
  words: `torchrun --nproc_per_node=8 --nnodes=2 pretrain_gpt.py --num-layers 24 --hidden-size 1024 \\
  --num-attention-heads 16 --seq-length 2048 --max-position-embeddings 2048 --num-experts 8 --swiglu \\
  --micro-batch-size 1 --global-batch-size 64 --bf16 --tensor-model-parallel-size 2 --sequence-parallel`,
};

function read(text: string): TrainingSetup {
  const setup = readMegatronScript('run.sh', text)?.setup;
  assert.ok(setup !== null && setup !== undefined);
  return setup;
}

/** Options of the training command that no plan touches, in order. */
function otherOptions(text: string): string[] {
  const found = findMegatron('run.sh', text);
  assert.ok(found !== null);
  new MegatronArgs(found.command);
  const written =
    /parallel|virtual|micro-batch|global-batch|seq-length|position|recompute|distributed-optimizer|fsdp|sharding|bf16|fp16|nnodes|nproc|iters|attention-backend|flash|offload|overlap|cp-comm/;
  return found.command.flags
    .filter(({ name }) => !written.test(resolveFlag(name)))
    .map(({ name, words }) => `${name} ${words.map(({ text: value }) => value).join(' ')}`);
}

const changes = fc
  .record({
    tp: fc.constantFrom(1, 2, 4, 8),
    pp: fc.constantFrom(1, 2, 4),
    cp: fc.constantFrom(1, 2),
    ep: fc.constantFrom(1, 2, 4, 8),
    vpp: fc.constantFrom(1, 2, 3),
    dp: fc.constantFrom(1, 2, 4),
    microBatch: fc.constantFrom(1, 2, 4),
    accumulation: fc.integer({ min: 1, max: 16 }),
    seqLen: fc.constantFrom(1024, 2048, 4096, 8192),
    sharding: fc.constantFrom('none', 'zero1', 'zero2', 'zero3'),
    recompute: fc.constantFrom('none', 'selective', 'full'),
    tpOverlap: fc.boolean(),
    sp: fc.boolean(),
  })
  .map(({ accumulation, ...rest }): PlanChange => {
    const gpus = rest.dp * rest.tp * rest.cp * rest.pp;
    return {
      ...rest,
      // A launch has whole nodes of eight GPUs here, or fewer GPUs on two nodes.
      dp: gpus < 8 ? (rest.dp * 8) / gpus : rest.dp,
      etp: 1,
      vpp: rest.pp > 1 ? rest.vpp : 1,
      sp: rest.sp && rest.tp > 1,
      sharding: rest.sharding,
      recompute: rest.recompute,
      globalBatch: rest.microBatch * accumulation * (gpus < 8 ? (rest.dp * 8) / gpus : rest.dp),
    };
  });

describe('writing Megatron scripts', () => {
  for (const [name, text] of Object.entries(SCRIPTS)) {
    it(`reads back as the plan and changes nothing else (${name})`, () => {
      const setup = read(text);
      const before = otherOptions(text);
      fc.assert(
        fc.property(changes, change => {
          const wanted = changedSetup(setup, change).plan;
          const edits = writeMegatronScript('run.sh', text, wanted);
          const written = applyEdits(text, edits);
          const again = completeSetup(read(written)).plan;
          for (const key of Object.keys(change) as (keyof Plan)[])
            assert.equal(again[key], wanted[key], `${key}\n${written}`);
          assert.deepEqual(otherOptions(written), before);
        }),
        { numRuns: 60 },
      );
    });
  }

  const edited = (text: string, change: PlanChange) =>
    writeMegatronScript('run.sh', text, changedSetup(read(text), change).plan).map(
      ({ line, column, newText }) => [line, column, newText] as const,
    );

  it('changes a value at the literal that determines it', () => {
    assert.deepEqual(edited(SCRIPTS.arrays ?? '', { tp: 4, etp: 4 }), [[3, 4, '4']]);
    const strings = SCRIPTS.strings ?? '';
    const column = (strings.split('\n')[25] ?? '').indexOf(':-2') + 3;
    assert.deepEqual(edited(strings, { tp: 4, etp: 4 }), [[26, column, '4']]);
    assert.deepEqual(edited(SCRIPTS.words ?? '', { microBatch: 2 }), [[3, 22, '2']]);
  });

  it('keeps the global batch where it is counted from what changes', () => {
    const text = SCRIPTS.strings ?? '';
    assert.deepEqual(edited(text, { microBatch: 2 }), [
      [6, 7, '2'],
      [7, 8, '64'],
    ]);
  });

  it('replaces the word itself where its literal serves another option', () => {
    const shared =
      'N=2\ntorchrun --nproc_per_node 8 p.py --num-layers $N --hidden-size 64 --num-attention-heads 8 --seq-length 64 --max-position-embeddings 64 --tensor-model-parallel-size $N --micro-batch-size 1 --global-batch-size 8';
    const column = (shared.split('\n')[1] ?? '').lastIndexOf('$N') + 1;
    assert.deepEqual(edited(shared, { tp: 4 }), [[2, column, '4']]);
  });

  it('adds an option after its neighbours and takes one away with its line', () => {
    const text = SCRIPTS.arrays ?? '';
    const more = applyEdits(text, writeMegatronScript('run.sh', text, changedSetup(read(text), { cp: 2 }).plan));
    assert.ok(more.includes('--use-distributed-optimizer\n    --context-parallel-size 2\n)'), more);
    const less = applyEdits(
      text,
      writeMegatronScript('run.sh', text, changedSetup(read(text), { sharding: 'none' }).plan),
    );
    assert.ok(!less.includes('--use-distributed-optimizer'));
    assert.equal(less.split('\n').length, text.split('\n').length - 1);
  });

  it('writes nothing for a plan that is there already', () => {
    for (const file of readdirSync(FOLDER)) {
      const text = readFileSync(`${FOLDER}/${file}`, 'utf8');
      const setup = readMegatronScript('run.sh', text)?.setup;
      if (setup === null || setup === undefined) continue;
      assert.deepEqual(writeMegatronScript('run.sh', text, completeSetup(setup).plan), [], file);
    }
  });
});

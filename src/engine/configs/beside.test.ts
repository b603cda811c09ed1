/** Setups spread over files: what one file names, includes or imports of the others. */
import assert from 'node:assert/strict';
import { completeSetup } from '../plan/complete';
import type { FieldPath } from '../setup/setup';
import { belongTogether, wantedFiles, withoutParts } from './belong';
import { candidatePaths } from './beside';
import { changedSetup } from './changedSetup';
import { editedFiles } from './edits';
import { mergeReadings } from './merge';
import { readAll, readConfig } from './registry';
import { planEdits } from './write';

/** The setup of the first of some files, as the editor makes it. */
function setupOf(files: Readonly<Record<string, string>>) {
  const [primary, ...others] = readAll(Object.entries(files).map(([file, text]) => ({ file, text })));
  const readings = belongTogether(primary, others);
  const { setup, problems } = mergeReadings(readings);
  const place = (path: FieldPath) => {
    const source = setup.fields.get(path)?.source;
    return source === undefined || source === null ? null : `${source.file}:${source.line}`;
  };
  return { readings, setup, plan: completeSetup(setup).plan, problems, place };
}

const ENV = `TP=4
export PP=2
MODEL_ARGS="--num-layers 16 --hidden-size 2048 --num-attention-heads 32 --seq-length 4096 --max-position-embeddings 4096"
`;
const TRAIN = `#!/bin/bash
source "$(dirname "$0")/../common/env.sh"
torchrun --nproc_per_node 8 --nnodes 1 pretrain_gpt.py $MODEL_ARGS --micro-batch-size 1 --global-batch-size 64 \\
  --tensor-model-parallel-size $TP --pipeline-model-parallel-size $PP --bf16
`;

describe('names of files', () => {
  it('may mean a path from the file’s folder or from a folder above it', () => {
    assert.deepEqual(candidatePaths('a/b/run.sh', './ds/z3.json'), ['a/b/ds/z3.json', 'a/ds/z3.json', 'ds/z3.json']);
    assert.deepEqual(candidatePaths('a/run.sh', '../env.sh'), ['env.sh', '../env.sh']);
    assert.deepEqual(candidatePaths('run.sh', '/data/x.json'), ['data/x.json']);
  });

  it('are none where a shell or a browser would have to resolve them', () => {
    for (const name of ['', '  ', 'https://x.y/z.json', '$HOME/x.sh', '~/x.sh', 'a*.json', 'x'.repeat(400)])
      assert.deepEqual(candidatePaths('run.sh', name), [], name);
  });
});

describe('scripts that source others', () => {
  const files = { 'jobs/train.sh': TRAIN, 'common/env.sh': ENV };

  it('ask for them, and take their values at their places', () => {
    const alone = readConfig('jobs/train.sh', TRAIN);
    assert.deepEqual(wantedFiles([alone], ['jobs/train.sh'])[0]?.[0], 'common/env.sh');
    const { plan, place, readings } = setupOf(files);
    assert.deepEqual([plan.tp, plan.pp, plan.seqLen], [4, 2, 4096]);
    assert.equal(place('plan.tp'), 'common/env.sh:1');
    assert.equal(place('plan.pp'), 'common/env.sh:2');
    assert.equal(place('plan.microBatch'), 'jobs/train.sh:3');
    assert.deepEqual(wantedFiles(readings, Object.keys(files)), []);
  });

  it('are what a sourced file shows, too, and count once', () => {
    const { readings, plan, problems } = setupOf({ 'common/env.sh': ENV, 'jobs/train.sh': TRAIN });
    assert.deepEqual(
      readings.map(({ file, kind, setup }) => [file, kind, setup === null]),
      [
        ['common/env.sh', 'megatron', true],
        ['jobs/train.sh', 'megatron', false],
      ],
    );
    assert.deepEqual([plan.tp, plan.microBatch], [4, 1]);
    assert.deepEqual(
      problems.filter(({ code }) => code === 'contradiction'),
      [],
    );
    const given = withoutParts(readAll(Object.entries(files).map(([file, text]) => ({ file, text }))));
    assert.deepEqual(
      given.map(({ setup }) => setup === null),
      [false, true],
    );
  });

  it('are written where the value stands', () => {
    const { setup } = setupOf(files);
    const [source, ...beside] = Object.entries(files).map(([file, text]) => ({ file, text }));
    const { edits, problems } = planEdits({ ...source, kind: 'megatron', beside }, setup, { tp: 2 });
    assert.deepEqual(problems, []);
    assert.deepEqual(
      edits.map(({ file, line, newText }) => [file, line, newText]),
      [['common/env.sh', 1, '2']],
    );
    const [own, ...others] = editedFiles([source, ...beside], edits);
    const again = completeSetup(readConfig(own.file, own.text, others).setup ?? setup).plan;
    assert.deepEqual(again, { ...changedSetup(setup, { tp: 2 }).plan, gradDtype: again.gradDtype });
  });

  it('may hold no option of their own', () => {
    const starter = readConfig('run.sh', '#!/bin/bash\n# megatron\n. ./train.sh\n');
    assert.equal(starter.kind, null);
    assert.deepEqual(wantedFiles([starter], ['run.sh']), [['train.sh']]);
  });

  it('never take a file of another folder for the one that is named', () => {
    const { setup } = setupOf({ 'jobs/train.sh': TRAIN, 'common/other.sh': ENV });
    assert.equal(setup.plan.tp, null);
  });
});

describe('launches that name their options', () => {
  const DS = '{"train_micro_batch_size_per_gpu": 4, "zero_optimization": {"stage": 2}}';
  const options = TRAIN.replace(/source.*\n/, 'TP=1; PP=1\n').replace(
    '$MODEL_ARGS',
    '--num-layers 16 --hidden-size 2048 --num-attention-heads 32 --seq-length 4096 --max-position-embeddings 4096',
  );

  it('take DeepSpeed’s file, and report where it says otherwise', () => {
    const script = options.replace('--bf16', '--bf16 --deepspeed --deepspeed_config configs/ds.json');
    const { plan, place, problems } = setupOf({ 'run/train.sh': script, 'run/configs/ds.json': DS });
    assert.equal(plan.sharding, 'zero2');
    assert.equal(place('plan.sharding'), 'run/configs/ds.json:1');
    const [found] = problems.filter(({ code }) => code === 'contradiction');
    assert.deepEqual([found?.args.key, found?.args.value, found?.args.other], ['plan.microBatch', '1', '4']);
    assert.equal(found?.severity, 'warning');
  });

  it('name it by a variable of the environment', () => {
    const script = `export DEEPSPEED_CONFIG=configs/ds.json\n${options.replace('--bf16', '--bf16 --deepspeed')}`;
    assert.equal(setupOf({ 'run/train.sh': script, 'run/configs/ds.json': DS }).plan.sharding, 'zero2');
  });

  it('take all of them from the YAML of --yaml-cfg (Megatron-LM examples/gpt3/gpt_config.yaml)', () => {
    const script = 'torchrun --nproc_per_node 8 --nnodes 2 pretrain_gpt.py --yaml-cfg gpt.yaml\n';
    const yaml = `language_model:
  num_layers: 24
  hidden_size: 1024
  num_attention_heads: 16
  ffn_hidden_size: null
  add_bias_linear: False
  activation_func: swiglu
  num_moe_experts: null
model_parallel:
  tensor_model_parallel_size: 2
  pipeline_model_parallel_size: 2
  virtual_pipeline_model_parallel_size: null
  sequence_parallel: True
  bf16: True
micro_batch_size: 2
global_batch_size: 128
untie_embeddings_and_output_weights: True
position_embedding_type: rope
max_position_embeddings: 4096
seq_length: 4096
use_distributed_optimizer: True
`;
    const { plan, setup, place } = setupOf({ 'run.sh': script, 'gpt.yaml': yaml });
    assert.equal(place('plan.tp'), 'gpt.yaml:10');
    assert.deepEqual([plan.dp, plan.tp, plan.pp, plan.sp, plan.sharding], [4, 2, 2, true, 'zero1']);
    // int(4·1024·2/3/64)·64 (yaml_arguments.py: the default width of a gated feed-forward).
    assert.deepEqual([setup.sizes.ffn, setup.sizes.gatedMlp, setup.sizes.tied], [2688, true, false]);
  });
});

describe('models that are folders', () => {
  it('are read from their config.json, not from another one', () => {
    const config = (layers: number) =>
      `{"architectures":["LlamaForCausalLM"],"model_type":"llama","hidden_size":64,"num_hidden_layers":${layers},"intermediate_size":128,"num_attention_heads":4,"vocab_size":100}`;
    const train = `base_model: ./models/small\nmicro_batch_size: 1\ngradient_accumulation_steps: 2\nsequence_len: 128\ndatasets: []\n`;
    const { setup, problems } = setupOf({
      'run/train.yaml': train,
      'config.json': config(3),
      'run/models/small/config.json': config(2),
    });
    assert.equal(setup.sizes.layers, 2);
    assert.deepEqual(
      problems.filter(({ args }) => args.reason === 'zoo'),
      [],
    );
  });
});

describe('recipes that import others', () => {
  const COMMON = `from megatron.bridge import AutoBridge
SEQ = 8192

def base(tp: int = 2) -> ConfigContainer:
    cfg = ConfigContainer(
        model=AutoBridge.from_hf_pretrained("meta-llama/Meta-Llama-3-8B").to_megatron_provider(load_weights=False),
        train=TrainingConfig(micro_batch_size=1, global_batch_size=64),
        dataset=GPTDatasetConfig(sequence_length=SEQ),
    )
    cfg.model.tensor_model_parallel_size = tp
    return cfg
`;
  const RECIPE = `from .common import base as start

def big_config() -> ConfigContainer:
    cfg = start(tp=4)
    cfg.model.pipeline_model_parallel_size = 2
    return cfg
`;

  it('ask for the module beside them, and take its values at their places', () => {
    const alone = readConfig('recipes/big.py', RECIPE);
    assert.deepEqual(wantedFiles([alone], ['recipes/big.py']), [['recipes/common.py']]);
    const { plan, place } = setupOf({ 'recipes/big.py': RECIPE, 'recipes/common.py': COMMON });
    assert.deepEqual([plan.tp, plan.pp, plan.globalBatch], [4, 2, 64]);
    assert.equal(place('plan.tp'), 'recipes/big.py:4');
    assert.equal(place('plan.globalBatch'), 'recipes/common.py:7');
  });

  it('may import each other', () => {
    const loop = { 'a.py': `from b import f\n${RECIPE}`, 'b.py': 'from a import big_config as f\n' };
    assert.equal(setupOf(loop).readings.length, 1);
  });
});

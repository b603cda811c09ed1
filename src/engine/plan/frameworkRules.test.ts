/**
 * What each framework refuses: a config that breaks one rule, and where that framework's source says so. Each case also
 * names a change after which the framework is content.
 */
import assert from 'node:assert/strict';
import { applyEdits } from '../configs/edits';
import { readConfig } from '../configs/registry';
import type { Problem } from '../problem';
import { SetupBuilder } from '../setup/setup';
import { completeSetup } from './complete';
import { checkPlan } from './rules';
import { ruleAddress } from './ruleSources';

interface Case {
  readonly what: string;
  readonly file: string;
  readonly text: string;
  readonly gpus: number;
  readonly code: string;
  readonly line: number;
  readonly rule: string;
  /** Text that is replaced, and what mends it. */
  readonly mend: readonly [from: string, to: string];
}

const TORCHTITAN = `[model]
name = "llama3"
flavor = "8B"
[training]
local_batch_size = 4
global_batch_size = 16
seq_len = 8192
[parallelism]
data_parallel_shard_degree = 2
tensor_parallel_degree = 2
context_parallel_degree = 2
pipeline_parallel_degree = 1
`;
const PICOTRON = `{ "distributed": { "tp_size": 2, "cp_size": 1, "pp_size": 1, "dp_size": 1 },
  "model": { "name": "HuggingFaceTB/SmolLM-360M",
    "num_attention_heads": 16,
    "num_key_value_heads": 4 },
  "training": { "seq_length": 1024, "micro_batch_size": 1, "gradient_accumulation_steps": 1 } }
`;
const NEOX = `{ "pipe_parallel_size": 1,
  "model_parallel_size": 2,
  "num_layers": 12,
  "hidden_size": 768,
  "num_attention_heads": 12,
  "num_kv_heads": 4,
  "seq_length": 2048, "max_position_embeddings": 2048,
  "train_micro_batch_size_per_gpu": 4 }
`;
const NANOTRON = `model:
  model_config:
    hidden_size: 1024
    intermediate_size: 4096
    num_hidden_layers: 12
    num_attention_heads: 16
    num_key_value_heads: 4
    vocab_size: 32000
parallelism:
  dp: 2
  tp: 2
  pp: 1
tokens:
  micro_batch_size: 1
  batch_accumulation_per_replica: 1
  sequence_length: 1024
`;

const ACCELERATE = `distributed_type: FSDP
num_processes: 8
fsdp_config:
  fsdp_version: 2
parallelism_config:
  parallelism_config_dp_replicate_size: 2
  parallelism_config_dp_shard_size: 2
  parallelism_config_tp_size: 1
  parallelism_config_cp_size: 2
  parallelism_config_sp_size: 1
`;
const DEEPSPEED = `{ "train_batch_size": 16,
  "train_micro_batch_size_per_gpu": 2,
  "gradient_accumulation_steps": 2,
  "zero_optimization": { "stage": 2,
    "cpu_offload": true } }
`;
const FOUNDRY = `model:
  name: mpt_causal_lm
  d_model: 768
  n_heads: 12
  n_layers: 12
  expansion_ratio: 2.66
  vocab_size: 50368
  max_seq_len: 2048
train_loader: { name: text }
max_seq_len: 2048
global_train_batch_size: 256
device_train_microbatch_size: 4
`;
const MEGATRON = `torchrun --nproc_per_node 8 pretrain_gpt.py \\
  --num-layers 32 --hidden-size 4096 --num-attention-heads 32 \\
  --seq-length 4096 --max-position-embeddings 4096 \\
  --pipeline-model-parallel-size 2 \\
  --num-layers-per-virtual-pipeline-stage 8 \\
  --no-overlap-p2p-communication \\
  --batch-size 1 --global-batch-size 32 \\
  --num-query-groups 8
`;

const CASES: readonly Case[] = [
  {
    what: 'torchtitan: the degrees fill the world',
    file: 'train.toml',
    text: TORCHTITAN,
    gpus: 16,
    code: 'world-size',
    line: 9,
    rule: 'torchtitan/distributed/parallel_dims.py:53',
    mend: ['shard_degree = 2', 'shard_degree = 4'],
  },
  {
    what: 'torchtitan: the sequence divides by 2 · tp · cp',
    file: 'train.toml',
    text: TORCHTITAN.replace('8192', '8196'),
    gpus: 8,
    code: 'sequence-cp',
    line: 7,
    rule: 'torchtitan/models/llama3/infra/parallelize.py:69',
    mend: ['8196', '8200'],
  },
  {
    what: 'torchtitan: the batch of a rank divides the whole, not its micro-batches alone',
    file: 'train.toml',
    text: TORCHTITAN.replace('= 16', '= 12').replace('pipeline_parallel_degree = 1', 'pipeline_parallel_degree = 2'),
    gpus: 16,
    code: 'batch-identity',
    line: 6,
    rule: 'torchtitan/train.py:201',
    mend: ['= 12', '= 24'],
  },
  {
    what: 'torchtitan: experts take their ranks inside of a shard group',
    file: 'train.toml',
    text: `${TORCHTITAN.replace('"llama3"', '"deepseek_v3"').replace('"8B"', '"16B"')}data_parallel_replicate_degree = 4
expert_parallel_degree = 16
`,
    gpus: 32,
    code: 'expert-ranks',
    line: 14,
    rule: 'torchtitan/distributed/parallel_dims.py:138',
    mend: ['expert_parallel_degree = 16', 'expert_parallel_degree = 8'],
  },
  {
    what: 'accelerate: the sizes fill the processes',
    file: 'default.yaml',
    text: ACCELERATE.replace('num_processes: 8', 'num_processes: 16'),
    gpus: 16,
    code: 'world-size',
    line: 7,
    rule: 'src/accelerate/parallelism_config.py:373',
    mend: ['num_processes: 16', 'num_processes: 8'],
  },
  {
    what: 'accelerate: one kind of context parallelism',
    file: 'default.yaml',
    text: ACCELERATE.replace('sp_size: 1', 'sp_size: 2'),
    gpus: 8,
    code: 'options-incompatible',
    line: 9,
    rule: 'src/accelerate/parallelism_config.py:329',
    mend: ['cp_size: 2', 'cp_size: 1'],
  },
  {
    what: 'accelerate: context parallelism needs shards beside replicas',
    file: 'default.yaml',
    text: ACCELERATE.replace('dp_shard_size: 2', 'dp_shard_size: 1'),
    gpus: 4,
    code: 'options-incompatible',
    line: 9,
    rule: 'src/accelerate/parallelism_config.py:336',
    mend: ['dp_replicate_size: 2', 'dp_replicate_size: 1'],
  },
  {
    what: 'DeepSpeed: the batch is the product of its parts',
    file: 'ds.json',
    text: DEEPSPEED,
    gpus: 8,
    code: 'batch-identity',
    line: 1,
    rule: 'deepspeed/runtime/config.py:937',
    mend: ['16', '32'],
  },
  {
    what: 'DeepSpeed: a key is written once',
    file: 'ds.json',
    text: DEEPSPEED.replace('"gradient_acc', '"train_batch_size": 32, "gradient_acc'),
    gpus: 8,
    code: 'duplicate-key',
    line: 3,
    rule: 'deepspeed/runtime/config_utils.py:211',
    mend: ['"train_batch_size": 32, ', ''],
  },
  {
    what: 'llm-foundry: the expanded width is whole',
    file: 'mpt.yaml',
    text: FOUNDRY,
    gpus: 8,
    code: 'value-invalid',
    line: 6,
    rule: 'llmfoundry/models/layers/ffn.py:117',
    mend: ['2.66', '2.5'],
  },
  {
    what: 'Megatron: chunks on two stages need overlapped transfers',
    file: 'train.sh',
    text: MEGATRON,
    gpus: 8,
    code: 'options-incompatible',
    line: 6,
    rule: 'megatron/training/arguments.py:1006',
    mend: ['parallel-size 2', 'parallel-size 4'],
  },
  {
    what: 'picotron: query heads divide over kv heads',
    file: 'config.json',
    text: PICOTRON.replace('"num_key_value_heads": 4', '"num_key_value_heads": 6'),
    gpus: 2,
    code: 'heads-kv-heads',
    line: 4,
    rule: 'picotron/model.py:258',
    mend: ['"num_key_value_heads": 6', '"num_key_value_heads": 8'],
  },
  {
    what: 'picotron: the hidden size divides into heads',
    file: 'config.json',
    text: PICOTRON.replace('"num_attention_heads": 16', '"num_attention_heads": 14').replace('": 4 }', '": 2 }'),
    gpus: 2,
    code: 'hidden-heads',
    line: 3,
    rule: 'picotron/model.py:257',
    mend: ['14', '12'],
  },
  {
    what: 'GPT-NeoX: query heads divide over kv heads',
    file: 'model.yml',
    text: NEOX.replace('"num_kv_heads": 4', '"num_kv_heads": 8'),
    gpus: 2,
    code: 'heads-kv-heads',
    line: 6,
    rule: 'megatron/neox_arguments/arguments.py:1134',
    mend: ['"num_kv_heads": 8', '"num_kv_heads": 6'],
  },
  {
    what: 'GPT-NeoX: the hidden size divides into heads',
    file: 'model.yml',
    text: NEOX.replace('768', '770'),
    gpus: 2,
    code: 'hidden-heads',
    line: 5,
    rule: 'megatron/neox_arguments/arguments.py:1245',
    mend: ['770', '780'],
  },
  {
    what: 'nanotron: query heads divide over kv heads',
    file: 'config.yaml',
    text: NANOTRON.replace('value_heads: 4', 'value_heads: 6'),
    gpus: 4,
    code: 'heads-kv-heads',
    line: 7,
    rule: 'src/nanotron/config/config.py:545',
    mend: ['value_heads: 6', 'value_heads: 8'],
  },
  {
    what: 'nanotron: kv heads divide over tp',
    file: 'config.yaml',
    text: NANOTRON.replace('tp: 2', 'tp: 8'),
    gpus: 16,
    code: 'kv-heads-tp',
    line: 11,
    rule: 'src/nanotron/models/llama.py:363',
    mend: ['tp: 8', 'tp: 4'],
  },
];

/** Everything that the file breaks on a cluster of so many GPUs. */
function check(file: string, text: string, gpus: number): Problem[] {
  const reading = readConfig(file, text);
  assert.ok(reading.setup !== null, 'not read');
  const builder = new SetupBuilder(reading.setup);
  if (builder.cluster.gpus === null) builder.setCluster('gpus', gpus, 'user');
  return [...reading.problems, ...checkPlan(completeSetup(builder.build()))];
}

describe('rules of frameworks', () => {
  for (const { what, file, text, gpus, code, line, rule, mend } of CASES) {
    it(what, () => {
      const found = check(file, text, gpus).filter(each => each.code === code);
      assert.deepEqual(
        found.map(each => each.source?.line),
        [line],
      );
      assert.ok(found[0]?.rule?.endsWith(rule), `rule ${found[0]?.rule}`);
      assert.ok(text.includes(mend[0]));
      const mended = text.replace(...(mend as [string, string]));
      assert.deepEqual(
        check(file, mended, gpus).filter(each => each.code === code),
        [],
      );
    });
  }

  it('are mended by the words of today: applied fixes leave nothing to report', () => {
    for (const [file, text, code] of [
      ['train.sh', MEGATRON, 'option-deprecated'],
      ['train.sh', MEGATRON, 'option-ignored'],
      ['train.sh', MEGATRON.replace('--num-query', '--checkpoint-activations --num-query'), 'option-deprecated'],
      ['ds.json', DEEPSPEED, 'option-deprecated'],
      ['ds.json', DEEPSPEED.replace('"cpu_offload": true', '"cpu_offload": false'), 'option-deprecated'],
    ] as const) {
      const found = check(file, text, 8).filter(each => each.code === code);
      assert.ok(found.length > 0 && found.every(({ fix }) => fix !== null), `${code} has fixes`);
      const mended = applyEdits(
        text,
        found.flatMap(({ fix }) => fix?.edits ?? []),
      );
      assert.deepEqual(
        check(file, mended, 8).filter(each => each.code === code),
        [],
      );
    }
    const offloads = readConfig('ds.json', DEEPSPEED).setup?.plan.offload;
    assert.equal(offloads, 'optimizer');
  });

  it('lead to the lines of the framework', () => {
    assert.equal(
      ruleAddress('NVIDIA/Megatron-LM@d98e8a64 megatron/training/arguments.py:432'),
      'https://github.com/NVIDIA/Megatron-LM/blob/d98e8a64/megatron/training/arguments.py#L432',
    );
    assert.equal(ruleAddress('arXiv 2309.14509, section 3'), null);
  });
});

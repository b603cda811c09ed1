/**
 * NeMo's keys as Megatron's options: data. NeMo 1 and its launcher write them under `model` and `trainer`, NeMo 2's
 * command line under `trainer.strategy`, `model.config` and `data`, Megatron-Bridge under `model`, `train` and `ddp`.
 */
import { scalarAt, type YamlFlag } from '../megatronYaml/flags';
import type { ConfigNode, Entry, MapNode } from '../tree';

/** Keys that hold the value of an option as it is. */
export const SAME: Readonly<Record<string, string>> = {
  tensor_model_parallel_size: 'tensor-model-parallel-size',
  pipeline_model_parallel_size: 'pipeline-model-parallel-size',
  // The number of chunks a rank, unlike Megatron's --num-layers-per-virtual-pipeline-stage.
  virtual_pipeline_model_parallel_size: 'num-virtual-stages-per-pipeline-rank',
  context_parallel_size: 'context-parallel-size',
  expert_model_parallel_size: 'expert-model-parallel-size',
  expert_tensor_parallel_size: 'expert-tensor-parallel-size',
  sequence_parallel: 'sequence-parallel',
  micro_batch_size: 'micro-batch-size',
  global_batch_size: 'global-batch-size',
  encoder_seq_length: 'seq-length',
  seq_length: 'seq-length',
  max_position_embeddings: 'max-position-embeddings',
  num_layers: 'num-layers',
  hidden_size: 'hidden-size',
  ffn_hidden_size: 'ffn-hidden-size',
  num_attention_heads: 'num-attention-heads',
  kv_channels: 'kv-channels',
  position_embedding_type: 'position-embedding-type',
  make_vocab_size_divisible_by: 'make-vocab-size-divisible-by',
  vocab_size: 'vocab-size',
  num_moe_experts: 'num-experts',
  moe_router_topk: 'moe-router-topk',
  moe_ffn_hidden_size: 'moe-ffn-hidden-size',
  moe_shared_expert_intermediate_size: 'moe-shared-expert-intermediate-size',
  activations_checkpoint_granularity: 'recompute-granularity',
  activations_checkpoint_method: 'recompute-method',
  activations_checkpoint_num_layers: 'recompute-num-layers',
  recompute_granularity: 'recompute-granularity',
  recompute_method: 'recompute-method',
  recompute_num_layers: 'recompute-num-layers',
  recompute_modules: 'recompute-modules',
  qk_layernorm: 'qk-layernorm',
  add_qkv_bias: 'add-qkv-bias',
  ub_tp_comm_overlap: 'tp-comm-overlap',
  tp_comm_overlap: 'tp-comm-overlap',
  use_flash_attention: 'use-flash-attn',
  use_distributed_optimizer: 'use-distributed-optimizer',
  use_megatron_fsdp: 'use-megatron-fsdp',
  use_torch_fsdp2: 'use-torch-fsdp2',
  data_parallel_sharding_strategy: 'data-parallel-sharding-strategy',
  fp8: 'fp8-format',
  fp8_recipe: 'fp8-recipe',
  bf16: 'bf16',
  fp16: 'fp16',
  devices: 'nproc-per-node',
  num_nodes: 'nnodes',
  num_gpus_per_node: 'nproc-per-node',
};

/** Keys whose words stand for one or several options. */
const IN_OTHER_WORDS: Readonly<Record<string, (value: unknown) => Record<string, string | boolean>>> = {
  num_query_groups: value => ({ 'group-query-attention': true, 'num-query-groups': String(value) }),
  activation: value => activation(String(value)),
  // With whatever function: SiLU, GELU.
  gated_linear_unit: value => (value === true ? { swiglu: true } : {}),
  bias: value => ({ 'disable-bias-linear': value === false }),
  add_bias_linear: value => ({ 'disable-bias-linear': value === false }),
  share_embeddings_and_output_weights: value => ({ 'untie-embeddings-and-output-weights': value === false }),
  normalization: value => ({ normalization: /rms/i.test(String(value)) ? 'RMSNorm' : 'LayerNorm' }),
  precision: value => ({ bf16: /bf16/.test(String(value)), fp16: /^16|fp16/.test(String(value)) }),
  fp8: value => (value === true ? { 'fp8-format': 'hybrid' } : {}),
  grad_reduce_in_fp32: value => ({ 'accumulate-allreduce-grads-in-fp32': value === true }),
};

function activation(name: string): Record<string, boolean> {
  if (/swiglu/.test(name)) return { swiglu: true };
  if (/geglu/.test(name)) return { geglu: true };
  return name === 'squared-relu' ? { 'squared-relu': true } : {};
}

/** Optimizers that shard their states. */
const DISTRIBUTED = ['distributed_fused_adam', 'mcore_distributed_optim'];

/** The options in a section's own keys. */
export function sectionFlags(section: ConfigNode | null): YamlFlag[] {
  if (section?.kind !== 'map') return [];
  return [...section.entries].flatMap(([key, entry]) => keyFlags(key, entry));
}

function keyFlags(key: string, { node }: Entry): YamlFlag[] {
  // NeMo writes 0 where it recomputes no layer.
  if (key === 'activations_checkpoint_num_layers' && node.kind === 'scalar' && node.value === 0) return [];
  if (node.kind === 'map' || (node.kind === 'scalar' && node.value === null && node.missing === undefined)) return [];
  const words = Object.hasOwn(IN_OTHER_WORDS, key) ? IN_OTHER_WORDS[key] : undefined;
  if (words !== undefined && node.kind === 'scalar' && node.missing === undefined) {
    const options = Object.entries(words(node.value));
    if (options.length > 0 || !Object.hasOwn(SAME, key))
      return options.map(([name, value]) => ({ name, key, node: scalarAt(node.source, value) }));
  }
  const name = Object.hasOwn(SAME, key) ? SAME[key] : undefined;
  return name === undefined ? [] : [{ name, key, node }];
}

/** The tokenizer's type, of which a table knows the vocabulary. */
export function tokenizerFlags(tokenizer: ConfigNode | null): YamlFlag[] {
  if (tokenizer?.kind !== 'map') return [];
  const type = tokenizer.entries.get('type')?.node ?? tokenizer.entries.get('name')?.node;
  return type === undefined ? [] : [{ name: 'tokenizer-type', key: 'tokenizer.type', node: type }];
}

export function optimizerFlags(optimizer: ConfigNode | null): YamlFlag[] {
  const name = optimizer?.kind === 'map' ? optimizer.entries.get('name')?.node : undefined;
  if (name?.kind !== 'scalar' || !DISTRIBUTED.includes(String(name.value))) return [];
  return [{ name: 'use-distributed-optimizer', key: 'optim.name', node: scalarAt(name.source, true) }];
}

/** NeMo 2 as dotted keys of one map: the last part says what it is. */
export function dottedFlags(section: MapNode): YamlFlag[] {
  return [...section.entries].flatMap(([key, entry]) => {
    const last = key.split('.').at(-1) ?? key;
    return keyFlags(last, entry).map(flag => ({ ...flag, key }));
  });
}

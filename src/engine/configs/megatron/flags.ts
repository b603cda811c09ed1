/**
 * Megatron-LM's options as far as the readers use them: data. Names of megatron/training/arguments.py and of the
 * configuration classes from which it makes options, with older names and those of its relatives.
 */

/** Every option that is read, in kebab case. argparse accepts any prefix that only one of its options has. */
export const MEGATRON_FLAGS: readonly string[] = [
  // The model.
  'num-layers',
  'hidden-size',
  'ffn-hidden-size',
  'num-attention-heads',
  'group-query-attention',
  'num-query-groups',
  'kv-channels',
  'max-position-embeddings',
  'position-embedding-type',
  'use-rotary-position-embeddings',
  'normalization',
  'swiglu',
  'geglu',
  'quick-geglu',
  'squared-relu',
  'disable-bias-linear',
  'add-qkv-bias',
  'qk-layernorm',
  'embed-layernorm',
  'untie-embeddings-and-output-weights',
  'softmax-type',
  'window-size',
  'window-attn-skip-freq',
  'hybrid-layer-pattern',
  'hybrid-override-pattern',
  'mtp-num-layers',
  'encoder-num-layers',
  'language-model-type',
  // The vocabulary.
  'vocab-size',
  'padded-vocab-size',
  'pad-vocab-size-to',
  'make-vocab-size-divisible-by',
  'extra-vocab-size',
  'tokenizer-type',
  'tokenizer-model',
  'tokenizer-name-or-path',
  'vocab-file',
  // Multi-head latent attention.
  'multi-latent-attention',
  'q-lora-rank',
  'kv-lora-rank',
  'qk-head-dim',
  'qk-pos-emb-head-dim',
  'v-head-dim',
  // Experts.
  'num-experts',
  'expert-interval',
  'topk',
  'moe-router-topk',
  'moe-ffn-hidden-size',
  'moe-shared-expert-intermediate-size',
  'moe-shared-expert-gate',
  'moe-layer-freq',
  'moe-router-enable-expert-bias',
  'moe-router-num-groups',
  'moe-token-dispatcher-type',
  'moe-flex-dispatcher-backend',
  'moe-enable-deepep',
  // Degrees.
  'tensor-model-parallel-size',
  'pipeline-model-parallel-size',
  'context-parallel-size',
  'expert-model-parallel-size',
  'expert-tensor-parallel-size',
  'num-layers-per-virtual-pipeline-stage',
  'num-virtual-stages-per-pipeline-rank',
  'pipeline-model-parallel-layout',
  'decoder-first-pipeline-num-layers',
  'decoder-last-pipeline-num-layers',
  'account-for-embedding-in-pipeline-split',
  'account-for-loss-in-pipeline-split',
  'sequence-parallel',
  'cp-comm-type',
  'ds-sequence-parallel-size',
  'no-pipeline-parallel',
  'enable-zero-bubble',
  'zero-bubble-v-schedule',
  'zero-bubble-v-schedule-mem-setup',
  'zero-bubble-max-pending-backward',
  // Batch.
  'micro-batch-size',
  'global-batch-size',
  'seq-length',
  // States and memory.
  'use-distributed-optimizer',
  'use-megatron-fsdp',
  'use-torch-fsdp2',
  'data-parallel-sharding-strategy',
  'zero-stage',
  'deepspeed',
  'deepspeed-config',
  'yaml-cfg',
  'optimizer',
  'optimizer-cpu-offload',
  'cpu-optimizer',
  'recompute-activations',
  'recompute-granularity',
  'recompute-method',
  'recompute-num-layers',
  'recompute-modules',
  'checkpoint-activations',
  'activations-checkpoint-method',
  'checkpoint-num-layers',
  // Precision and kernels.
  'bf16',
  'fp16',
  'fp8-format',
  'fp8-recipe',
  'fp4-format',
  'grad-reduce-in-bf16',
  'accumulate-allreduce-grads-in-fp32',
  'attention-backend',
  'use-flash-attn',
  'transformer-impl',
  'tp-comm-overlap',
  // The launcher's.
  'nproc-per-node',
  'nnodes',
  // The hub model of ms-swift.
  'model',
  'train-type',
  'lora-rank',
];

/** Other names: older releases, Megatron-DeepSpeed, Pai-Megatron-Patch, ms-swift, launchers. */
export const ALIASES: Readonly<Record<string, string>> = {
  'model-parallel-size': 'tensor-model-parallel-size',
  'batch-size': 'micro-batch-size',
  'moe-expert-parallel-size': 'expert-model-parallel-size',
  'qk-nope-head-dim': 'qk-head-dim',
  'qk-rope-head-dim': 'qk-pos-emb-head-dim',
  'max-length': 'seq-length',
  'encoder-seq-length': 'seq-length',
  'use-flash-attn-v1': 'use-flash-attn',
  'use-flash-attn-v2': 'use-flash-attn',
  'use-flash-attn-triton': 'use-flash-attn',
  'num-gpus': 'nproc-per-node',
  'num-nodes': 'nnodes',
  'tuner-type': 'train-type',
};

/** Options that tell a Megatron command from others; two of them make one. */
export const TELLING_FLAGS: readonly string[] = [
  'num-layers',
  'hidden-size',
  'num-attention-heads',
  'seq-length',
  'max-position-embeddings',
  'micro-batch-size',
  'global-batch-size',
  'tensor-model-parallel-size',
  'pipeline-model-parallel-size',
  'expert-model-parallel-size',
];

/** Options that only Megatron and its relatives have; one of them must be there. */
export const OWN_FLAGS: readonly string[] = [
  'micro-batch-size',
  'global-batch-size',
  'tensor-model-parallel-size',
  'pipeline-model-parallel-size',
  'expert-model-parallel-size',
  'ffn-hidden-size',
  'kv-channels',
  'group-query-attention',
  'num-query-groups',
  'disable-bias-linear',
  'untie-embeddings-and-output-weights',
  'multi-latent-attention',
  'moe-ffn-hidden-size',
  'moe-router-topk',
  'moe-layer-freq',
  'activations-checkpoint-method',
  'checkpoint-activations',
];

const KNOWN = new Set(MEGATRON_FLAGS);

/** Shorter beginnings than this are not resolved: Megatron has options that no table here lists. */
const SHORTEST_PREFIX = 7;

const resolved = new Map<string, string>();

/** The option that a written name means; the name itself where it is none of the table. */
export function resolveFlag(written: string): string {
  let name = resolved.get(written);
  if (name !== undefined) return name;
  name = resolve(written);
  if (resolved.size < 5000) resolved.set(written, name);
  return name;
}

function resolve(written: string): string {
  if (KNOWN.has(written)) return written;
  if (Object.hasOwn(ALIASES, written)) return ALIASES[written];
  if (written.length < SHORTEST_PREFIX) return written;
  const longer = MEGATRON_FLAGS.filter(flag => flag.startsWith(written));
  return longer.length === 1 ? longer[0] : written;
}

/** Vocabulary sizes by tokenizer, before padding: len(tokenizer) of the published ones. */
export const TOKENIZERS: Readonly<Record<string, number>> = {
  gpt2bpetokenizer: 50257,
  'deepseek-ai/deepseek-v3': 128815,
  'deepseek-ai/deepseek-r1': 128815,
  'deepseek-ai/deepseek-v2': 100002,
  'deepseek-ai/deepseek-v2-lite': 100002,
  'meta-llama/meta-llama-3-8b': 128256,
  'meta-llama/meta-llama-3-70b': 128256,
  'meta-llama/llama-3.1-8b': 128256,
  'meta-llama/llama-3.1-70b': 128256,
  'meta-llama/llama-3.1-405b': 128256,
  'meta-llama/llama-2-7b-hf': 32000,
  'mistralai/mixtral-8x7b-v0.1': 32000,
  'mistralai/mistral-7b-v0.1': 32000,
  'qwen/qwen3-30b-a3b': 151669,
  'qwen/qwen3-235b-a22b': 151669,
};

/** Where InternEvo's Python configs keep the plan and the model (internlm/initialize/launch.py, args_sanity_check). */
import type { Place } from '../places';

/** The names of a config's module. */
export const NAMES = ['JOB_NAME', 'model_type', 'model', 'data', 'parallel', 'moe', 'hybrid_zero_optimizer'];

export const TENSOR: Place = { key: 'tp', at: ['parallel.tensor.size', 'parallel.tensor'], absent: 1 };
export const PIPELINE: Place = { key: 'pp', at: ['parallel.pipeline.size', 'parallel.pipeline'], absent: 1 };
export const CHUNKS: Place = { key: 'vpp', at: ['model.num_chunks'], absent: 1 };

/** Sequences of a forward, and forwards of a step. */
export const BATCH: readonly Place[] = [
  { key: 'microBatch', at: ['data.micro_bsz'] },
  { key: 'accumulation', at: ['data.micro_num'], absent: 1 },
  { key: 'seqLen', at: ['data.seq_len'] },
];

export const CHOICES: readonly Place[] = [
  {
    key: 'dtype',
    at: ['model.dtype'],
    words: {
      'torch.bfloat16': 'bf16',
      'torch.float16': 'fp16',
      'torch.half': 'fp16',
      'torch.float32': 'fp32',
      'torch.tf32': 'fp32',
    },
    absent: 'fp16',
  },
  { key: 'attention', at: ['model.use_flash_attn'], words: { true: 'flash', false: 'unfused' }, absent: 'flash' },
];

export const SIZES: readonly Place[] = [
  { key: 'model.layers', at: ['model.num_layers'] },
  { key: 'model.hidden', at: ['model.hidden_size'] },
  { key: 'model.heads', at: ['model.num_attention_heads'] },
  { key: 'model.kvHeads', at: ['model.num_kv_attention_heads'] },
  { key: 'model.vocab', at: ['model.vocab_size'] },
  { key: 'model.experts', at: ['model.num_experts'] },
];

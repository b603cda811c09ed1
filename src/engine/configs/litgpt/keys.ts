/** Where LitGPT's YAML keeps the plan (litgpt/args.py, litgpt/pretrain.py, litgpt/finetune). */
import type { Place } from '../places';

export const BATCH: readonly Place[] = [
  { key: 'globalBatch', at: ['train.global_batch_size'] },
  { key: 'microBatch', at: ['train.micro_batch_size'] },
  { key: 'seqLen', at: ['train.max_seq_length'] },
];

export const PRECISION: Place = {
  key: 'dtype',
  at: ['precision'],
  words: {
    'bf16-true': 'bf16',
    'bf16-mixed': 'bf16',
    '16-true': 'fp16',
    '16-mixed': 'fp16',
    '32-true': 'fp32',
    'transformer-engine': 'fp8',
  },
  absent: 'bf16',
};

export const OPTIMIZER: Place = {
  key: 'optimizer',
  at: ['optimizer.class_path', 'optimizer'],
  words: {
    AdamW: 'adamw',
    Adam: 'adam',
    SGD: 'sgd',
    'torch.optim.AdamW': 'adamw',
    'torch.optim.Adam': 'adam',
    'torch.optim.SGD': 'sgd',
    'bitsandbytes.optim.PagedAdamW': 'adamw',
    'bitsandbytes.optim.AdamW8bit': 'adamw8bit',
    'bitsandbytes.optim.PagedAdamW8bit': 'adamw8bit',
  },
  absent: 'adamw',
};

export const RANK: Place = { key: 'adapterRank', at: ['lora_r'], absent: 8 };

/** Names of litgpt/config.py that differ from those on the hub. */
export const NAMES: Readonly<Record<string, string>> = {
  'tiny-llama-1.1b': 'tinyllama/tinyllama-1.1b-chat-v1.0',
  'tiny-llama-1.1b-chat': 'tinyllama/tinyllama-1.1b-chat-v1.0',
};

/** A litgpt.Config in the file. */
export const SIZES: readonly Place[] = [
  { key: 'model.layers', at: ['model_config.n_layer'] },
  { key: 'model.hidden', at: ['model_config.n_embd'] },
  { key: 'model.ffn', at: ['model_config.intermediate_size'] },
  { key: 'model.heads', at: ['model_config.n_head'] },
  { key: 'model.kvHeads', at: ['model_config.n_query_groups'] },
  { key: 'model.headDim', at: ['model_config.head_size'] },
  { key: 'model.vocab', at: ['model_config.padded_vocab_size'] },
  { key: 'model.maxSeqLen', at: ['model_config.block_size'] },
];

/** Where levanter's YAML keeps the plan and a Llama's sizes, with its defaults (levanter/trainer.py, models/llama.py). */
import type { Place } from '../places';

export const PLACES: readonly Place[] = [
  { key: 'tp', at: ['trainer.model_axis_size'], absent: 1 },
  { key: 'seqLen', at: ['model.seq_len'] },
  {
    key: 'recompute',
    at: ['model.gradient_checkpointing'],
    words: { true: 'full', false: 'none', full: 'full' },
    absent: 'full',
  },
  { key: 'optimizer', at: ['optimizer.type'], words: { adam: 'adamw', muon: 'muon' }, absent: 'adamw' },
];

export const SIZES: readonly Place[] = [
  { key: 'model.layers', at: ['model.num_layers'], absent: 32 },
  { key: 'model.hidden', at: ['model.hidden_dim'], absent: 4096 },
  { key: 'model.ffn', at: ['model.intermediate_dim'], absent: 11008 },
  { key: 'model.heads', at: ['model.num_heads'], absent: 32 },
  { key: 'model.kvHeads', at: ['model.num_kv_heads'], absent: 32 },
  { key: 'model.headDim', at: ['model.head_dim'] },
  { key: 'model.maxSeqLen', at: ['model.seq_len'], absent: 2048 },
  { key: 'model.tied', at: ['model.tie_word_embeddings'], absent: false },
];

/** models/gpt2.py:37-43 */
export const GPT2_SIZES: readonly Place[] = [
  { key: 'model.layers', at: ['model.num_layers'], absent: 12 },
  { key: 'model.hidden', at: ['model.hidden_dim'], absent: 768 },
  { key: 'model.heads', at: ['model.num_heads'], absent: 12 },
  { key: 'model.maxSeqLen', at: ['model.seq_len'], absent: 1024 },
];

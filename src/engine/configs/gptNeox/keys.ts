/** Where GPT-NeoX keeps the plan and the model (megatron/neox_arguments/neox_args.py), underscores for dashes. */
import type { Place } from '../places';

const ON = { true: true, false: false };

export const DEGREES: readonly Place[] = [
  // 0 and 1 both mean no pipeline.
  { key: 'pp', at: ['pipe_parallel_size'], min: 0, absent: 1 },
  { key: 'tp', at: ['model_parallel_size'], min: 0, absent: 1 },
  { key: 'cp', at: ['context_parallel_size'], absent: 1 },
  { key: 'ep', at: ['moe_expert_parallel_size'], absent: 1 },
  { key: 'sp', at: ['sequence_parallel'], words: ON, absent: false },
];

export const CHOICES: readonly Place[] = [
  { key: 'seqLen', at: ['seq_length'] },
  { key: 'recompute', at: ['checkpoint_activations'], words: { true: 'full', false: 'none' }, absent: 'none' },
];

export const MODEL: readonly Place[] = [
  { key: 'model.layers', at: ['num_layers'] },
  { key: 'model.hidden', at: ['hidden_size'] },
  { key: 'model.heads', at: ['num_attention_heads'] },
  { key: 'model.kvHeads', at: ['num_kv_heads'] },
  { key: 'model.maxSeqLen', at: ['max_position_embeddings'] },
  { key: 'cluster.gpus', at: ['global_num_gpus', 'num_gpus'] },
];

/** Activations with a gate. */
export const GATED = ['swiglu', 'geglu', 'reglu', 'bilinear', 'glu'];

/** Sizes of tokenizers by type, or by a part of the vocabulary's file name; rows that the tokenizer itself has. */
export const TOKENIZERS: readonly (readonly [key: string, pattern: RegExp, size: number])[] = [
  ['vocab_file', /20B_tokenizer/, 50277],
  ['vocab_file', /gpt2-vocab/, 50257],
  ['tokenizer_type', /^GPT2BPETokenizer$/, 50257],
];

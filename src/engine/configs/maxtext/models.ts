/** Names of MaxText's models (src/maxtext/configs/models) by the hub's model of the same sizes: data. */
export interface NamedModel {
  readonly hub: string;
  /** Where MaxText pads the vocabulary. */
  readonly vocab?: number;
  /** The tower for pictures stays out unless the run asks for it. */
  readonly textOnly?: true;
}

const PADDED_GEMMA = 256128;

export const MODELS: Readonly<Record<string, NamedModel>> = {
  'llama2-7b': { hub: 'meta-llama/llama-2-7b-hf' },
  'llama2-13b': { hub: 'meta-llama/llama-2-13b-hf' },
  'llama2-70b': { hub: 'meta-llama/llama-2-70b-hf' },
  'llama3-8b': { hub: 'meta-llama/meta-llama-3-8b' },
  'llama3-70b': { hub: 'meta-llama/meta-llama-3-70b' },
  'llama3-405b': { hub: 'meta-llama/llama-3.1-405b' },
  'llama3.1-8b': { hub: 'meta-llama/llama-3.1-8b' },
  'llama3.1-70b': { hub: 'meta-llama/llama-3.1-70b' },
  'llama3.1-405b': { hub: 'meta-llama/llama-3.1-405b' },
  'llama3.3-70b': { hub: 'meta-llama/llama-3.3-70b' },
  'mistral-7b': { hub: 'mistralai/mistral-7b-v0.1' },
  'mixtral-8x7b': { hub: 'mistralai/mixtral-8x7b-v0.1' },
  'mixtral-8x22b': { hub: 'mistralai/mixtral-8x22b-v0.1', vocab: 32768 },
  'gemma-2b': { hub: 'google/gemma-2b', vocab: PADDED_GEMMA },
  'gemma-7b': { hub: 'google/gemma-7b', vocab: PADDED_GEMMA },
  'gemma2-2b': { hub: 'google/gemma-2-2b', vocab: PADDED_GEMMA },
  'gemma2-9b': { hub: 'google/gemma-2-9b', vocab: PADDED_GEMMA },
  'gemma2-27b': { hub: 'google/gemma-2-27b', vocab: PADDED_GEMMA },
  'gemma3-4b': { hub: 'google/gemma-3-4b', vocab: 262144, textOnly: true },
  'gemma3-12b': { hub: 'google/gemma-3-12b', vocab: 262144, textOnly: true },
  'gemma3-27b': { hub: 'google/gemma-3-27b', vocab: 262144, textOnly: true },
  'qwen2.5-1.5b': { hub: 'qwen/qwen2.5-1.5b' },
  'qwen2.5-7b': { hub: 'qwen/qwen2.5-7b' },
  'qwen2.5-14b': { hub: 'qwen/qwen2.5-14b' },
  'qwen3-0.6b': { hub: 'qwen/qwen3-0.6b' },
  'qwen3-1.7b': { hub: 'qwen/qwen3-1.7b' },
  'qwen3-1.7b-base': { hub: 'qwen/qwen3-1.7b' },
  'qwen3-4b': { hub: 'qwen/qwen3-4b' },
  'qwen3-4b-base': { hub: 'qwen/qwen3-4b' },
  'qwen3-4b-thinking-2507': { hub: 'qwen/qwen3-4b' },
  'qwen3-8b': { hub: 'qwen/qwen3-8b' },
  'qwen3-8b-base': { hub: 'qwen/qwen3-8b' },
  'qwen3-14b': { hub: 'qwen/qwen3-14b' },
  'qwen3-14b-base': { hub: 'qwen/qwen3-14b' },
  'qwen3-32b': { hub: 'qwen/qwen3-32b' },
  'qwen3-30b-a3b': { hub: 'qwen/qwen3-30b-a3b' },
  'qwen3-30b-a3b-base': { hub: 'qwen/qwen3-30b-a3b' },
  'qwen3-235b-a22b': { hub: 'qwen/qwen3-235b-a22b' },
  'qwen3-480b-a35b': { hub: 'qwen/qwen3-coder-480b-a35b' },
  'qwen3-next-80b-a3b': { hub: 'qwen/qwen3-next-80b-a3b' },
  'deepseek2-16b': { hub: 'deepseek-ai/deepseek-v2-lite' },
  'deepseek2-236b': { hub: 'deepseek-ai/deepseek-v2' },
  'deepseek3-671b': { hub: 'deepseek-ai/deepseek-v3' },
  'kimi-k2-1t': { hub: 'moonshotai/kimi-k2' },
  'gpt-oss-20b': { hub: 'openai/gpt-oss-20b' },
  'gpt-oss-120b': { hub: 'openai/gpt-oss-120b' },
  'llama4-17b-16e': { hub: 'meta-llama/llama-4-scout-17b-16e' },
  'llama4-17b-128e': { hub: 'meta-llama/llama-4-maverick-17b-128e' },
};

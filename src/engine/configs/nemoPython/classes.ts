/** NeMo 2's model classes (nemo/collections/llm/gpt/model) by the hub id of the same sizes, or the options that they set. */

export const MODEL_CLASSES: Readonly<Record<string, string>> = {
  Llama2Config7B: 'meta-llama/Llama-2-7b-hf',
  Llama2Config13B: 'meta-llama/Llama-2-13b-hf',
  Llama2Config70B: 'meta-llama/Llama-2-70b-hf',
  Llama3Config8B: 'meta-llama/Meta-Llama-3-8B',
  Llama3Config70B: 'meta-llama/Meta-Llama-3-70B',
  Llama31Config8B: 'meta-llama/Llama-3.1-8B',
  Llama31Config70B: 'meta-llama/Llama-3.1-70B',
  Llama31Config405B: 'meta-llama/Llama-3.1-405B',
  Llama32Config1B: 'meta-llama/Llama-3.2-1B',
  Llama32Config3B: 'meta-llama/Llama-3.2-3B',
  CodeLlamaConfig7B: 'codellama/CodeLlama-7b-hf',
  CodeLlamaConfig13B: 'codellama/CodeLlama-13b-hf',
  CodeLlamaConfig34B: 'codellama/CodeLlama-34b-hf',
  Llama4Experts16Config: 'meta-llama/Llama-4-Scout-17B-16E',
  Llama4Experts128Config: 'meta-llama/Llama-4-Maverick-17B-128E',
  MistralConfig7B: 'mistralai/Mistral-7B-v0.1',
  MistralNeMoConfig12B: 'mistralai/Mistral-Nemo',
  MixtralConfig8x7B: 'mistralai/Mixtral-8x7B-v0.1',
  MixtralConfig8x22B: 'mistralai/Mixtral-8x22B-v0.1',
  DeepSeekV2Config: 'deepseek-ai/DeepSeek-V2',
  DeepSeekV2LiteConfig: 'deepseek-ai/DeepSeek-V2-Lite',
  DeepSeekV3Config: 'deepseek-ai/DeepSeek-V3',
  Qwen2Config500M: 'Qwen/Qwen2-0.5B',
  Qwen2Config1P5B: 'Qwen/Qwen2-1.5B',
  Qwen2Config7B: 'Qwen/Qwen2-7B',
  Qwen2Config72B: 'Qwen/Qwen2-72B',
  Qwen25Config500M: 'Qwen/Qwen2.5-0.5B',
  Qwen25Config1P5B: 'Qwen/Qwen2.5-1.5B',
  Qwen25Config3B: 'Qwen/Qwen2.5-3B',
  Qwen25Config7B: 'Qwen/Qwen2.5-7B',
  Qwen25Config14B: 'Qwen/Qwen2.5-14B',
  Qwen25Config32B: 'Qwen/Qwen2.5-32B',
  Qwen25Config72B: 'Qwen/Qwen2.5-72B',
  Qwen3Config600M: 'Qwen/Qwen3-0.6B',
  Qwen3Config1P7B: 'Qwen/Qwen3-1.7B',
  Qwen3Config4B: 'Qwen/Qwen3-4B',
  Qwen3Config8B: 'Qwen/Qwen3-8B',
  Qwen3Config14B: 'Qwen/Qwen3-14B',
  Qwen3Config32B: 'Qwen/Qwen3-32B',
  Qwen3Config30B_A3B: 'Qwen/Qwen3-30B-A3B',
  Qwen3Config235B_A22B: 'Qwen/Qwen3-235B-A22B',
  GPTOSSConfig20B: 'openai/gpt-oss-20b',
  GPTOSSConfig120B: 'openai/gpt-oss-120b',
};

interface GptSizes {
  readonly layers: number;
  readonly hidden: number;
  readonly ffn: number;
  readonly heads: number;
  readonly longest: number;
}

/** The GPT classes of nemo/collections/llm/gpt/model/base.py: learned positions, tied embeddings, biases, LayerNorm. */
export const GPT_CLASSES: Readonly<Record<string, GptSizes>> = {
  GPTConfig126M: { layers: 12, hidden: 768, ffn: 3072, heads: 12, longest: 2048 },
  GPTConfig5B: { layers: 24, hidden: 4096, ffn: 16384, heads: 32, longest: 2048 },
  GPTConfig7B: { layers: 32, hidden: 4096, ffn: 10880, heads: 32, longest: 2048 },
  GPTConfig20B: { layers: 44, hidden: 6144, ffn: 24576, heads: 48, longest: 2048 },
  GPTConfig40B: { layers: 48, hidden: 8192, ffn: 32768, heads: 64, longest: 2048 },
  GPTConfig175B: { layers: 96, hidden: 12288, ffn: 49152, heads: 96, longest: 2048 },
};

/** Models by the names of recipes that others start from: `llama3_8b_pretrain_config()`, `mixtral_8x22b.model()`. */
const RECIPE_MODELS: Readonly<Record<string, string>> = {
  llama2_7b: 'meta-llama/Llama-2-7b-hf',
  llama2_13b: 'meta-llama/Llama-2-13b-hf',
  llama2_70b: 'meta-llama/Llama-2-70b-hf',
  llama3_8b: 'meta-llama/Meta-Llama-3-8B',
  llama3_70b: 'meta-llama/Meta-Llama-3-70B',
  llama31_8b: 'meta-llama/Llama-3.1-8B',
  llama31_70b: 'meta-llama/Llama-3.1-70B',
  llama31_405b: 'meta-llama/Llama-3.1-405B',
  llama32_1b: 'meta-llama/Llama-3.2-1B',
  llama32_3b: 'meta-llama/Llama-3.2-3B',
  llama4_e16: 'meta-llama/Llama-4-Scout-17B-16E',
  llama4_e128: 'meta-llama/Llama-4-Maverick-17B-128E',
  mistral_7b: 'mistralai/Mistral-7B-v0.1',
  mixtral_8x7b: 'mistralai/Mixtral-8x7B-v0.1',
  mixtral_8x22b: 'mistralai/Mixtral-8x22B-v0.1',
  deepseek_v2_lite: 'deepseek-ai/DeepSeek-V2-Lite',
  deepseek_v2: 'deepseek-ai/DeepSeek-V2',
  deepseek_v3: 'deepseek-ai/DeepSeek-V3',
  kimi_k2: 'moonshotai/Kimi-K2-Instruct',
  qwen3_600m: 'Qwen/Qwen3-0.6B',
  qwen3_8b: 'Qwen/Qwen3-8B',
  qwen3_14b: 'Qwen/Qwen3-14B',
  qwen3_32b: 'Qwen/Qwen3-32B',
  qwen3_30b_a3b: 'Qwen/Qwen3-30B-A3B',
  qwen3_235b_a22b: 'Qwen/Qwen3-235B-A22B',
  gpt_oss_20b: 'openai/gpt-oss-20b',
  gpt_oss_120b: 'openai/gpt-oss-120b',
};

/** The model whose recipe a name starts with, or null. */
export function recipeModel(name: string): string | null {
  const last = name.split('.').find(part => part.includes('_')) ?? name;
  const begins = (key: string) => last === key || last.startsWith(`${key}_`);
  const longest = Object.keys(RECIPE_MODELS)
    .filter(begins)
    .sort((a, b) => b.length - a.length)[0];
  return longest === undefined ? null : (RECIPE_MODELS[longest] ?? null);
}

/**
 * Models that training configs name by their hub id, with the sizes of their published config.json: data.
 * Every entry is read by the Hugging Face reader, so a zoo model and its own config.json count alike.
 *
 * Columns: hidden, layers, feed-forward, heads, kv heads, vocabulary, longest sequence, then what is particular.
 */
import { entry, type Row, type ZooEntry } from './zooEntry';
import { MOE_ZOO } from './zooMoe';

const TIED: ZooEntry = { tie_word_embeddings: true };
const D128: ZooEntry = { head_dim: 128 };
const D256: ZooEntry = { head_dim: 256, tie_word_embeddings: true };
const TIED_D128: ZooEntry = { ...TIED, ...D128 };

function table(modelType: string, rows: Readonly<Record<string, Row>>): Record<string, ZooEntry> {
  return Object.fromEntries(Object.entries(rows).map(([id, row]) => [id, entry(modelType, row)]));
}

const LLAMA = table('llama', {
  'huggyllama/llama-7b': [4096, 32, 11008, 32, 32, 32000, 2048],
  'huggyllama/llama-13b': [5120, 40, 13824, 40, 40, 32000, 2048],
  'huggyllama/llama-30b': [6656, 60, 17920, 52, 52, 32000, 2048],
  'huggyllama/llama-65b': [8192, 80, 22016, 64, 64, 32000, 2048],
  'meta-llama/llama-2-7b-hf': [4096, 32, 11008, 32, 32, 32000, 4096],
  'meta-llama/llama-2-13b-hf': [5120, 40, 13824, 40, 40, 32000, 4096],
  'meta-llama/llama-2-70b-hf': [8192, 80, 28672, 64, 8, 32000, 4096],
  'codellama/codellama-7b-hf': [4096, 32, 11008, 32, 32, 32016, 16384],
  'codellama/codellama-13b-hf': [5120, 40, 13824, 40, 40, 32016, 16384],
  'codellama/codellama-34b-hf': [8192, 48, 22016, 64, 8, 32000, 16384],
  'meta-llama/meta-llama-3-8b': [4096, 32, 14336, 32, 8, 128256, 8192],
  'meta-llama/meta-llama-3-70b': [8192, 80, 28672, 64, 8, 128256, 8192],
  'meta-llama/llama-3.1-8b': [4096, 32, 14336, 32, 8, 128256, 131072],
  'meta-llama/llama-3.1-70b': [8192, 80, 28672, 64, 8, 128256, 131072],
  'meta-llama/llama-3.1-405b': [16384, 126, 53248, 128, 8, 128256, 131072],
  'meta-llama/llama-3.2-1b': [2048, 16, 8192, 32, 8, 128256, 131072, TIED],
  'meta-llama/llama-3.2-3b': [3072, 28, 8192, 24, 8, 128256, 131072, TIED],
  'meta-llama/llama-3.3-70b': [8192, 80, 28672, 64, 8, 128256, 131072],
  'huggingfacetb/smollm-135m': [576, 30, 1536, 9, 3, 49152, 2048, TIED],
  'huggingfacetb/smollm-360m': [960, 32, 2560, 15, 5, 49152, 2048, TIED],
  'huggingfacetb/smollm-1.7b': [2048, 24, 8192, 32, 32, 49152, 2048, TIED],
  'huggingfacetb/smollm2-135m': [576, 30, 1536, 9, 3, 49152, 8192, TIED],
  'huggingfacetb/smollm2-360m': [960, 32, 2560, 15, 5, 49152, 8192, TIED],
  'huggingfacetb/smollm2-1.7b': [2048, 24, 8192, 32, 32, 49152, 8192, TIED],
  'tinyllama/tinyllama-1.1b-chat-v1.0': [2048, 22, 5632, 32, 4, 32000, 2048],
  'tinyllama/tinyllama_v1.1': [2048, 22, 5632, 32, 4, 32000, 2048],
  '01-ai/yi-6b': [4096, 32, 11008, 32, 4, 64000, 4096],
  '01-ai/yi-34b': [7168, 60, 20480, 56, 8, 64000, 4096],
  'deepseek-ai/deepseek-llm-7b': [4096, 30, 11008, 32, 32, 102400, 4096],
  'deepseek-ai/deepseek-llm-67b': [8192, 95, 22016, 64, 8, 102400, 4096],
  'deepseek-ai/deepseek-coder-6.7b': [4096, 32, 11008, 32, 32, 32256, 16384],
  'deepseek-ai/deepseek-r1-distill-llama-8b': [4096, 32, 14336, 32, 8, 128256, 131072],
  'deepseek-ai/deepseek-r1-distill-llama-70b': [8192, 80, 28672, 64, 8, 128256, 131072],
});

const MISTRAL = table('mistral', {
  'mistralai/mistral-7b-v0.1': [4096, 32, 14336, 32, 8, 32000, 32768, { sliding_window: 4096 }],
  'mistralai/mistral-7b-v0.2': [4096, 32, 14336, 32, 8, 32000, 32768],
  'mistralai/mistral-7b-v0.3': [4096, 32, 14336, 32, 8, 32768, 32768],
  'mistralai/mistral-nemo': [5120, 40, 14336, 32, 8, 131072, 131072, D128],
  'mistralai/mistral-small-24b': [5120, 40, 32768, 32, 8, 131072, 32768, D128],
  'mistralai/mistral-large': [12288, 88, 28672, 96, 8, 32768, 131072, D128],
});

const QWEN2 = table('qwen2', {
  'qwen/qwen2-0.5b': [896, 24, 4864, 14, 2, 151936, 131072, TIED],
  'qwen/qwen2-1.5b': [1536, 28, 8960, 12, 2, 151936, 131072, TIED],
  'qwen/qwen2-7b': [3584, 28, 18944, 28, 4, 152064, 131072],
  'qwen/qwen2-72b': [8192, 80, 29568, 64, 8, 152064, 131072],
  'qwen/qwen2.5-0.5b': [896, 24, 4864, 14, 2, 151936, 32768, TIED],
  'qwen/qwen2.5-1.5b': [1536, 28, 8960, 12, 2, 151936, 131072, TIED],
  'qwen/qwen2.5-3b': [2048, 36, 11008, 16, 2, 151936, 32768, TIED],
  'qwen/qwen2.5-7b': [3584, 28, 18944, 28, 4, 152064, 131072],
  'qwen/qwen2.5-14b': [5120, 48, 13824, 40, 8, 152064, 131072],
  'qwen/qwen2.5-32b': [5120, 64, 27648, 40, 8, 152064, 131072],
  'qwen/qwen2.5-72b': [8192, 80, 29568, 64, 8, 152064, 131072],
  'qwen/qwen2.5-coder-7b': [3584, 28, 18944, 28, 4, 152064, 32768],
  'qwen/qwen2.5-coder-32b': [5120, 64, 27648, 40, 8, 152064, 32768],
  'qwen/qwen2.5-math-1.5b': [1536, 28, 8960, 12, 2, 151936, 4096, TIED],
  'qwen/qwen2.5-math-7b': [3584, 28, 18944, 28, 4, 152064, 4096],
  'qwen/qwq-32b': [5120, 64, 27648, 40, 8, 152064, 40960],
  'deepseek-ai/deepseek-r1-distill-qwen-1.5b': [1536, 28, 8960, 12, 2, 151936, 131072],
  'deepseek-ai/deepseek-r1-distill-qwen-7b': [3584, 28, 18944, 28, 4, 152064, 131072],
  'deepseek-ai/deepseek-r1-distill-qwen-14b': [5120, 48, 13824, 40, 8, 152064, 131072],
  'deepseek-ai/deepseek-r1-distill-qwen-32b': [5120, 64, 27648, 40, 8, 152064, 131072],
});

const QWEN3 = table('qwen3', {
  'qwen/qwen3-0.6b': [1024, 28, 3072, 16, 8, 151936, 40960, TIED_D128],
  'qwen/qwen3-1.7b': [2048, 28, 6144, 16, 8, 151936, 40960, TIED_D128],
  'qwen/qwen3-4b': [2560, 36, 9728, 32, 8, 151936, 40960, TIED_D128],
  'qwen/qwen3-8b': [4096, 36, 12288, 32, 8, 151936, 40960, D128],
  'qwen/qwen3-14b': [5120, 40, 17408, 40, 8, 151936, 40960, D128],
  'qwen/qwen3-32b': [5120, 64, 25600, 64, 8, 151936, 40960, D128],
});

const GEMMA = {
  ...table('gemma', {
    'google/gemma-2b': [2048, 18, 16384, 8, 1, 256000, 8192, D256],
    'google/gemma-7b': [3072, 28, 24576, 16, 16, 256000, 8192, D256],
    'google/gemma-1.1-2b': [2048, 18, 16384, 8, 1, 256000, 8192, D256],
    'google/gemma-1.1-7b': [3072, 28, 24576, 16, 16, 256000, 8192, D256],
  }),
  ...table('gemma2', {
    'google/gemma-2-2b': [2304, 26, 9216, 8, 4, 256000, 8192, { ...D256, sliding_window: 4096 }],
    'google/gemma-2-9b': [3584, 42, 14336, 16, 8, 256000, 8192, { ...D256, sliding_window: 4096 }],
    'google/gemma-2-27b': [4608, 46, 36864, 32, 16, 256000, 8192, { ...TIED_D128, sliding_window: 4096 }],
  }),
  ...table('gemma3_text', {
    'google/gemma-3-1b': [1152, 26, 6912, 4, 1, 262144, 32768, { ...D256, sliding_window: 512 }],
  }),
  'google/gemma-3-4b': gemma3([2560, 34, 10240, 8, 4, 262208, 131072, D256]),
  'google/gemma-3-12b': gemma3([3840, 48, 15360, 16, 8, 262208, 131072, D256]),
  'google/gemma-3-27b': gemma3([5376, 62, 21504, 32, 16, 262208, 131072, TIED_D128]),
};

/** Gemma 3 from 4B on has SigLIP beside its decoder. */
function gemma3(row: Row): ZooEntry {
  return {
    model_type: 'gemma3',
    text_config: { ...entry('gemma3_text', row), sliding_window: 1024 },
    vision_config: {
      hidden_size: 1152,
      intermediate_size: 4304,
      num_hidden_layers: 27,
      num_attention_heads: 16,
      patch_size: 14,
      image_size: 896,
    },
  };
}

const neox = (hidden: number, layers: number, heads: number, vocab: number): Row => [
  hidden,
  layers,
  4 * hidden,
  heads,
  heads,
  vocab,
  2048,
];

const OTHERS = {
  ...table('phi3', {
    'microsoft/phi-3-mini-4k': [3072, 32, 8192, 32, 32, 32064, 4096],
    'microsoft/phi-3-mini-128k': [3072, 32, 8192, 32, 32, 32064, 131072],
    'microsoft/phi-3.5-mini': [3072, 32, 8192, 32, 32, 32064, 131072],
    'microsoft/phi-3-medium-4k': [5120, 40, 17920, 40, 10, 32064, 4096],
    'microsoft/phi-4': [5120, 40, 17920, 40, 10, 100352, 16384],
    'microsoft/phi-4-mini': [3072, 32, 8192, 24, 8, 200064, 131072, TIED],
  }),
  ...table('phi', {
    'microsoft/phi-1_5': [2048, 24, 8192, 32, 32, 51200, 2048],
    'microsoft/phi-2': [2560, 32, 10240, 32, 32, 51200, 2048],
  }),
  ...table('olmo', {
    'allenai/olmo-1b-hf': [2048, 16, 8192, 16, 16, 50304, 2048, TIED],
    'allenai/olmo-7b-hf': [4096, 32, 11008, 32, 32, 50304, 2048],
  }),
  ...table('olmo2', {
    'allenai/olmo-2-0425-1b': [2048, 16, 8192, 16, 16, 100352, 4096],
    'allenai/olmo-2-1124-7b': [4096, 32, 11008, 32, 32, 100352, 4096],
    'allenai/olmo-2-1124-13b': [5120, 40, 13824, 40, 40, 100352, 4096],
    'allenai/olmo-2-0325-32b': [5120, 64, 27648, 40, 8, 100352, 4096],
  }),
  ...table('gpt_neox', {
    'eleutherai/pythia-70m': neox(512, 6, 8, 50304),
    'eleutherai/pythia-160m': neox(768, 12, 12, 50304),
    'eleutherai/pythia-410m': neox(1024, 24, 16, 50304),
    'eleutherai/pythia-1b': neox(2048, 16, 8, 50304),
    'eleutherai/pythia-1.4b': neox(2048, 24, 16, 50304),
    'eleutherai/pythia-2.8b': neox(2560, 32, 32, 50304),
    'eleutherai/pythia-6.9b': neox(4096, 32, 32, 50432),
    'eleutherai/pythia-12b': neox(5120, 36, 40, 50688),
    'eleutherai/gpt-neox-20b': neox(6144, 44, 64, 50432),
  }),
  ...table('smollm3', { 'huggingfacetb/smollm3-3b': [2048, 36, 11008, 16, 4, 128256, 65536, TIED] }),
  ...table('starcoder2', {
    'bigcode/starcoder2-3b': [3072, 30, 12288, 24, 2, 49152, 16384, TIED],
    'bigcode/starcoder2-7b': [4608, 32, 18432, 36, 4, 49152, 16384, TIED],
    'bigcode/starcoder2-15b': [6144, 40, 24576, 48, 4, 49152, 16384],
  }),
  ...table('granite', { 'ibm-granite/granite-3.0-8b': [4096, 40, 12800, 32, 8, 49155, 4096, TIED] }),
  ...table('glm4', {
    'thudm/glm-4-9b-0414': [4096, 40, 13696, 32, 2, 151552, 32768, D128],
    'thudm/glm-4-32b-0414': [6144, 61, 23040, 48, 2, 151552, 32768, { ...D128, attention_bias: false }],
  }),
  gpt2: { model_type: 'gpt2', n_embd: 768, n_layer: 12, n_head: 12 },
  'gpt2-medium': { model_type: 'gpt2', n_embd: 1024, n_layer: 24, n_head: 16 },
  'gpt2-large': { model_type: 'gpt2', n_embd: 1280, n_layer: 36, n_head: 20 },
  'gpt2-xl': { model_type: 'gpt2', n_embd: 1600, n_layer: 48, n_head: 25 },
  'facebook/opt-125m': opt(768, 12, 12),
  'facebook/opt-1.3b': opt(2048, 24, 32),
  'facebook/opt-6.7b': opt(4096, 32, 32),
  'facebook/opt-13b': opt(5120, 40, 40),
  'facebook/opt-30b': opt(7168, 48, 56),
  'facebook/opt-66b': opt(9216, 64, 72),
  'bigscience/bloom-560m': { model_type: 'bloom', hidden_size: 1024, n_layer: 24, n_head: 16 },
  'bigscience/bloom-7b1': { model_type: 'bloom', hidden_size: 4096, n_layer: 30, n_head: 32 },
  'bigscience/bloom': { model_type: 'bloom', hidden_size: 14336, n_layer: 70, n_head: 112 },
  'tiiuae/falcon-7b': { model_type: 'falcon', hidden_size: 4544, num_hidden_layers: 32, num_attention_heads: 71 },
  'tiiuae/falcon-40b': {
    model_type: 'falcon',
    hidden_size: 8192,
    num_hidden_layers: 60,
    num_attention_heads: 128,
    num_kv_heads: 8,
    new_decoder_architecture: true,
  },
};

function opt(hidden: number, layers: number, heads: number): ZooEntry {
  return {
    model_type: 'opt',
    hidden_size: hidden,
    word_embed_proj_dim: hidden,
    ffn_dim: 4 * hidden,
    num_hidden_layers: layers,
    num_attention_heads: heads,
  };
}

/** Qwen's models with a vision tower: the text sizes stand beside the tower's. */
const VISION = {
  'qwen/qwen2-vl-2b': entry('qwen2_vl', [1536, 28, 8960, 12, 2, 151936, 32768, { ...TIED, vision_config: {} }]),
  'qwen/qwen2-vl-7b': entry('qwen2_vl', [3584, 28, 18944, 28, 4, 152064, 32768, { vision_config: {} }]),
  'qwen/qwen2.5-vl-3b': entry('qwen2_5_vl', [2048, 36, 11008, 16, 2, 151936, 128000, { ...TIED, vision_config: {} }]),
  'qwen/qwen2.5-vl-7b': entry('qwen2_5_vl', [3584, 28, 18944, 28, 4, 152064, 128000, { vision_config: {} }]),
};

/** By hub id in lower case. */
export const ZOO: Readonly<Record<string, ZooEntry>> = {
  ...LLAMA,
  ...MISTRAL,
  ...QWEN2,
  ...QWEN3,
  ...GEMMA,
  ...OTHERS,
  ...VISION,
  ...MOE_ZOO,
};

/** Endings that name a fine-tuned, dated or repackaged release of the same architecture. */
const RELEASES =
  /-(instruct|chat|base|it|pt|hf|sft|thinking|bf16|fp8|fp16|dequantized|bnb-4bit|bnb-nf4-bf16|awq|gptq|\d{4}|v\d+(\.\d+)?|dpo|zero|alpha|beta|unsloth)$/;

const BY_NAME = new Map(Object.keys(ZOO).map(id => [strip(baseName(id)), id]));

/** The zoo's entry for a hub id or a folder that is named after one, or null. */
export function zooEntry(id: string): ZooEntry | null {
  const name = id.toLowerCase();
  if (Object.hasOwn(ZOO, name)) return ZOO[name] ?? null;
  const plain = baseName(name).replace(/-(instruct|chat|base)(?=-)/, '');
  for (let base = plain; ; base = base.replace(RELEASES, '')) {
    const found = BY_NAME.get(strip(base)) ?? BY_NAME.get(base);
    if (found !== undefined) return ZOO[found] ?? null;
    if (!RELEASES.test(base)) return null;
  }
}

function baseName(id: string): string {
  return (
    id
      .replace(/(?<!\/)\/+$/, '')
      .split('/')
      .at(-1) ?? id
  );
}

/** `meta-llama-3.1-8b` and `llama-3.1-8b` are one, and so are a checkpoint with and without -hf. */
function strip(name: string): string {
  return name.replace(/^meta-/, '').replace(/-hf$/, '');
}

/**
 * Models that training configs name by their hub id, with the sizes of their published config.json: data.
 * Every entry is read by the Hugging Face reader, so a zoo model and its own config.json count alike.
 */

type ZooEntry = Readonly<Record<string, string | number | boolean | null>>;

const llama = (
  hidden_size: number,
  num_hidden_layers: number,
  intermediate_size: number,
  num_attention_heads: number,
  num_key_value_heads: number,
  vocab_size: number,
  max_position_embeddings: number,
  tie_word_embeddings = false,
): ZooEntry => ({
  model_type: 'llama',
  hidden_size,
  num_hidden_layers,
  intermediate_size,
  num_attention_heads,
  num_key_value_heads,
  vocab_size,
  max_position_embeddings,
  tie_word_embeddings,
});

const qwen3 = (entry: ZooEntry): ZooEntry => ({
  model_type: 'qwen3',
  head_dim: 128,
  vocab_size: 151936,
  max_position_embeddings: 40960,
  ...entry,
});

/** By hub id in lower case; `aliases` below lists other names of the same sizes. */
export const ZOO: Readonly<Record<string, ZooEntry>> = {
  'meta-llama/llama-2-7b-hf': llama(4096, 32, 11008, 32, 32, 32000, 4096),
  'meta-llama/llama-2-13b-hf': llama(5120, 40, 13824, 40, 40, 32000, 4096),
  'meta-llama/llama-2-70b-hf': llama(8192, 80, 28672, 64, 8, 32000, 4096),
  'meta-llama/meta-llama-3-8b': llama(4096, 32, 14336, 32, 8, 128256, 8192),
  'meta-llama/meta-llama-3-70b': llama(8192, 80, 28672, 64, 8, 128256, 8192),
  'meta-llama/llama-3.1-8b': llama(4096, 32, 14336, 32, 8, 128256, 131072),
  'meta-llama/llama-3.1-70b': llama(8192, 80, 28672, 64, 8, 128256, 131072),
  'meta-llama/llama-3.1-405b': llama(16384, 126, 53248, 128, 8, 128256, 131072),
  'meta-llama/llama-3.2-1b': llama(2048, 16, 8192, 32, 8, 128256, 131072, true),
  'meta-llama/llama-3.2-3b': llama(3072, 28, 8192, 24, 8, 128256, 131072, true),
  'huggingfacetb/smollm-135m': llama(576, 30, 1536, 9, 3, 49152, 2048, true),
  'huggingfacetb/smollm-360m': llama(960, 32, 2560, 15, 5, 49152, 2048, true),
  'huggingfacetb/smollm-1.7b': llama(2048, 24, 8192, 32, 32, 49152, 2048, true),
  'huggingfacetb/smollm2-1.7b': llama(2048, 24, 8192, 32, 32, 49152, 8192, true),
  'tinyllama/tinyllama-1.1b-chat-v1.0': llama(2048, 22, 5632, 32, 4, 32000, 2048),
  '01-ai/yi-34b': llama(7168, 60, 20480, 56, 8, 64000, 4096),
  'qwen/qwen3-8b': qwen3({
    hidden_size: 4096,
    num_hidden_layers: 36,
    intermediate_size: 12288,
    num_attention_heads: 32,
    num_key_value_heads: 8,
  }),
  'qwen/qwen3-32b': qwen3({
    hidden_size: 5120,
    num_hidden_layers: 64,
    intermediate_size: 25600,
    num_attention_heads: 64,
    num_key_value_heads: 8,
  }),
};

/** Endings that name a fine-tuned release of the same architecture. */
const RELEASES = ['-instruct', '-chat', '-base', '-it'];

/** The zoo's entry for a hub id, or null. */
export function zooEntry(id: string): ZooEntry | null {
  const name = id.toLowerCase();
  const candidates = [name, ...RELEASES.filter(end => name.endsWith(end)).map(end => name.slice(0, -end.length))];
  candidates.push(...candidates.map(candidate => candidate.replace('/meta-llama-3.1-', '/llama-3.1-')));
  const found = candidates.find(candidate => Object.hasOwn(ZOO, candidate));
  return found === undefined ? null : (ZOO[found] as ZooEntry);
}

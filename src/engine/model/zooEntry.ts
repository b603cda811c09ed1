/** The form of an entry of the zoo. */

/** A config.json in short. */
export interface ZooEntry {
  readonly [key: string]: string | number | boolean | null | readonly number[] | ZooEntry;
}

/** Hidden, layers, feed-forward, heads, kv heads, vocabulary, longest sequence, then what is particular. */
export type Row = readonly [
  hidden: number,
  layers: number,
  ffn: number,
  heads: number,
  kvHeads: number,
  vocab: number,
  longest: number,
  more?: ZooEntry,
];

/** An entry from the columns of the zoo's tables. */
export function entry(modelType: string, row: Row): ZooEntry {
  const [hidden, layers, ffn, heads, kvHeads, vocab, longest, more = {}] = row;
  return {
    model_type: modelType,
    hidden_size: hidden,
    num_hidden_layers: layers,
    intermediate_size: ffn,
    num_attention_heads: heads,
    num_key_value_heads: kvHeads,
    vocab_size: vocab,
    max_position_embeddings: longest,
    tie_word_embeddings: false,
    ...more,
  };
}

/** The model of a published run: sizes that the row states, and what its family fixes. */
import { zooSetup } from '../configs/zooModel';
import type { LatentSizes } from '../model/layer';
import { emptySizes, type ModelSizes } from '../model/sizes';
import { LLAMA_TRAITS, type Traits } from '../model/traits';
import { zooEntry } from '../model/zoo';
import type { TrainingSetup } from '../setup/setup';
import { flag, number, text } from './cells';
import type { Row } from './pack';

/** Model sizes, with the guesses that a missing column needs. */
export function readSizes(row: Row, assumed: string[]): ModelSizes {
  const layers = number(row.layers);
  const hidden = number(row.hidden);
  const heads = number(row.heads);
  const ffn = number(row.ffn_hidden);
  const experts = number(row.moe_experts);
  const known = layers !== null && hidden !== null && heads !== null;
  const assume = <T>(value: T | null, name: string, fallback: T): T | null => {
    if (value !== null || !known) return value;
    assumed.push(name);
    return fallback;
  };
  return {
    ...emptySizes(),
    name: text(row.model),
    layers,
    hidden,
    heads,
    ffn: ffn ?? number(row.moe_ffn_hidden) ?? assume(ffn, 'ffn', 4 * (hidden ?? 0)),
    kvHeads: number(row.kv_heads) ?? heads,
    headDim: number(row.head_dim) ?? knownModel(row)?.sizes.headDim ?? (known ? hidden / heads : null),
    vocab: assume(number(row.vocab), 'vocab', row.gated_mlp === '0' ? 51_200 : 128_000),
    tied: assume(flag(row.tied_embeddings), 'tied', false),
    gatedMlp: assume(flag(row.gated_mlp), 'gatedMlp', true),
    experts,
    topK: experts === null ? null : (number(row.moe_topk) ?? assume(null, 'topK', 2)),
    expertFfn: experts === null ? null : (number(row.moe_ffn_hidden) ?? ffn),
    sharedExperts: number(row.moe_shared),
  };
}

const models = new Map<string, TrainingSetup | null>();

/**
 * The published model of the row's name, where hidden size and heads agree: rows leave out head dimensions that are not
 * hidden / heads, and windows.
 */
function knownModel(row: Row): TrainingSetup | null {
  const name = (row.model ?? '')
    .toLowerCase()
    .split(/[ (]/)[0]
    .replace(/^(gemma|llama)(?=\d)/, '$1-');
  let found = models.get(name);
  if (found === undefined) {
    const entry = name === '' ? null : zooEntry(name);
    found = entry === null ? null : zooSetup(entry);
    models.set(name, found);
  }
  if (found === null) return null;
  const { hidden, heads } = found.sizes;
  return hidden === number(row.hidden) && heads === number(row.heads) ? found : null;
}

const DEEPSEEK: LatentSizes = { queryRank: 1536, kvRank: 512, nopeDim: 128, ropeDim: 64, valueDim: 128 };

/** Low-rank sizes by the public configs of DeepSeek-V2 and V3. */
export function readTraits(row: Row): Traits {
  const model = (row.model ?? '').toLowerCase();
  const notes = row.notes ?? '';
  const gated = row.gated_mlp !== '0';
  const style: Partial<Traits> = gated
    ? {}
    : { norm: 'layer', qkvBias: true, outBias: true, mlpBias: true, positionRows: number(row.seq_len) ?? 0 };
  const hasLatent = /deepseek-?v?[23]|kimi-k2/.test(model) || /\bMLA\b/.test(notes);
  const dense = /first (\d+) layers? dense/i.exec(notes)?.[1] ?? (/first layer dense/i.test(notes) ? '1' : null);
  const firstDense = dense !== null ? Number(dense) : hasLatent ? (/v2/.test(model) || /kimi/.test(model) ? 1 : 3) : 0;
  const published = knownModel(row);
  const isWhole = published?.sizes.layers === number(row.layers);
  return {
    ...LLAMA_TRAITS,
    ...style,
    windows: isWhole ? (published?.traits.windows ?? null) : null,
    latent: hasLatent ? (/lite/.test(model) ? { ...DEEPSEEK, queryRank: null } : DEEPSEEK) : null,
    moe: { ...LLAMA_TRAITS.moe, firstDense },
  };
}

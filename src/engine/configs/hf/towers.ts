/**
 * What stands beside the decoder in composite models: vision and audio towers with their projectors, encoders, pooling
 * heads. Counted as the transformers classes build them; defaults are those of the config classes.
 */
import type { CountedPart } from '../../model/layer';
import { encoderLayer, layerNorm, linear, patches, whisperAttention } from './parts';
import type { Values } from './values';

type Towers = (config: Values, hidden: number) => CountedPart[];

const part = (name: string, parameters: number): CountedPart => ({ name, parameters });

/** Patches and sizes of a square image in a row. */
const grid = (image: number, patch: number): number => Math.floor(image / Math.max(1, patch)) ** 2;

/** Qwen2-VL: spatial patches merged four to one. */
const qwen2Vision: Towers = (config, hidden) => {
  const vision = config.under('vision_config');
  const h = vision.int('embed_dim', 1280);
  const patch = patches(3 * 2 * vision.int('patch_size', 14) ** 2, h, false);
  const merged = h * vision.int('spatial_merge_size', 2) ** 2;
  const merger = layerNorm(h) + linear(merged, merged) + linear(merged, hidden);
  const layer = encoderLayer(h, h * vision.int('mlp_ratio', 4));
  return [part('vision', patch + vision.int('depth', 32) * layer + merger)];
};

/** Qwen2.5-VL: RMS norms and a gated MLP. */
const qwen25Vision: Towers = (config, hidden) => {
  const vision = config.under('vision_config');
  const h = vision.int('hidden_size', 1280);
  const f = vision.int('intermediate_size', 3420);
  const patch = patches(3 * 2 * vision.int('patch_size', 14) ** 2, h, false);
  const layer = 2 * h + 4 * linear(h, h) + 2 * linear(h, f) + linear(f, h);
  const merged = h * vision.int('spatial_merge_size', 2) ** 2;
  const merger = h + linear(merged, merged) + linear(merged, vision.int('out_hidden_size', hidden));
  return [part('vision', patch + vision.int('depth', 32) * layer + merger)];
};

/** Qwen3-VL and Qwen3.5: learned positions, and a merger for each layer that feeds the decoder's depth. */
const qwen3Vision: Towers = (config, hidden) => {
  const vision = config.under('vision_config');
  const h = vision.int('hidden_size', 1152);
  const patch = 3 * vision.int('temporal_patch_size', 2) * vision.int('patch_size', 16) ** 2;
  const merged = h * vision.int('spatial_merge_size', 2) ** 2;
  const merge = linear(merged, merged) + linear(merged, vision.int('out_hidden_size', hidden));
  const deep = (vision.list('deepstack_visual_indexes') ?? []).length * (layerNorm(merged) + merge);
  const layers = vision.int('depth', 27) * encoderLayer(h, vision.int('intermediate_size', 4304));
  const tables = patches(patch, h) + vision.int('num_position_embeddings', 2304) * h;
  return [part('vision', tables + layers + layerNorm(h) + merge + deep)];
};

/** SigLIP without its pooling head, and Gemma 3's projector. */
const gemma3Vision: Towers = (config, hidden) => {
  const vision = config.under('vision_config');
  const h = vision.int('hidden_size', 768);
  const patch = vision.int('patch_size', 16);
  const tables = patches(3 * patch ** 2, h) + grid(vision.int('image_size', 224), patch) * h;
  const layers = vision.int('num_hidden_layers', 12) * encoderLayer(h, vision.int('intermediate_size', 3072));
  return [part('vision', tables + layers + layerNorm(h)), part('projector', h * hidden + h)];
};

/** Gemma 4: rotary positions beside two learned tables, gated MLP, four norms a layer, norms on queries and keys. */
const gemma4Vision: Towers = (config, hidden) => {
  if (!config.hasMap('vision_config')) return [];
  const vision = config.under('vision_config');
  const h = vision.int('hidden_size', 768);
  const d = vision.int('head_dim', 64);
  const heads = vision.int('num_attention_heads', 12);
  const keys = vision.int('num_key_value_heads', heads);
  const layer = 4 * h + 2 * h * d * (heads + keys) + 2 * d + 3 * h * vision.int('intermediate_size', 3072);
  const tables = 3 * vision.int('patch_size', 16) ** 2 * h + 2 * vision.int('position_embedding_size', 10240) * h;
  return [part('vision', tables + vision.int('num_hidden_layers', 16) * layer), part('projector', h * hidden)];
};

/** Llama 4: a ViT with a class token, a shuffling adapter and a projector without biases. */
const llama4Vision: Towers = (config, hidden) => {
  const vision = config.under('vision_config');
  const h = vision.int('hidden_size', 768);
  const f = vision.int('intermediate_size', 5632);
  const patch = vision.int('patch_size', 14);
  const tables = patches(3 * patch ** 2, h, false) + h + (grid(vision.int('image_size', 448), patch) + 1) * h;
  const layers = vision.int('num_hidden_layers', 34) * encoderLayer(h, f);
  const out = vision.int('projector_output_dim', 4096);
  const adapter = f * vision.int('projector_input_dim', 4096) + out * out;
  const vit = tables + 2 * layerNorm(h) + layers + adapter;
  return [part('vision', vit), part('projector', vision.int('vision_output_dim', 7680) * hidden)];
};

/** Llama 3.2 vision: tiles with gated tables of positions, local and gated global layers. */
const mllamaVision: Towers = (config, hidden) => {
  const vision = config.under('vision_config');
  const h = vision.int('hidden_size', 1280);
  const patch = vision.int('patch_size', 14);
  const tiles = vision.int('max_num_tiles', 4);
  const positions = grid(vision.int('image_size', 448), patch) + 1;
  const ratios = (vision.list('supported_aspect_ratios') ?? new Array(8)).length + 1;
  const tables = patches(3 * patch ** 2, h, false) + h + positions * h + 1 + ratios * tiles * positions * h;
  const tileTables = 2 * (ratios * tiles * h + 1);
  const f = vision.int('intermediate_size', 5120);
  const layer = 4 * h * h + linear(h, f) + linear(f, h) + 2 * layerNorm(h);
  const global = vision.int('num_global_layers', 8);
  const layers = (vision.int('num_hidden_layers', 32) + global) * layer + 2 * global;
  return [
    part('vision', tables + tileTables + 2 * layerNorm(h) + layers),
    part('projector', linear(vision.int('vision_output_dim', 7680), hidden)),
  ];
};

/** A ViT as in CLIP: class token, positions, a norm before and one after. */
function clipTower(vision: Values, defaults: { h: number; f: number; layers: number; patch: number }): number {
  const h = vision.int('hidden_size', defaults.h);
  const patch = vision.int('patch_size', defaults.patch);
  const tables = h + patches(3 * patch ** 2, h, false) + (grid(vision.int('image_size', 224), patch) + 1) * h;
  const layer = encoderLayer(h, vision.int('intermediate_size', defaults.f));
  return tables + 2 * layerNorm(h) + vision.int('num_hidden_layers', defaults.layers) * layer;
}

const CLIP_VISION = { h: 768, f: 3072, layers: 12, patch: 32 };

const clip: Towers = (config, hidden) => {
  const vision = config.under('vision_config');
  const width = config.int('projection_dim', 512);
  const projections = vision.int('hidden_size', CLIP_VISION.h) * width + hidden * width + 1;
  return [part('vision', clipTower(vision, CLIP_VISION)), part('projections', projections)];
};

const git: Towers = (config, hidden) => {
  const vision = config.under('vision_config');
  const width = vision.int('hidden_size', 768);
  return [
    part('vision', clipTower(vision, { ...CLIP_VISION, patch: 16 })),
    part('projector', linear(width, hidden) + layerNorm(hidden)),
  ];
};

/** LLaVA: CLIP, whose last norm serves its pooled output, and a projector of two layers. */
const llava: Towers = (config, hidden) => {
  const vision = config.under('vision_config');
  const width = vision.int('hidden_size', 1024);
  return [
    part('vision', clipTower(vision, { h: 1024, f: 4096, layers: 24, patch: 14 })),
    part('projector', linear(width, hidden) + linear(hidden, hidden)),
  ];
};

/** Whisper's encoder over frames: two convolutions, positions, layers whose keys have no bias. */
function audioEncoder(audio: Values, h: number, layers: number): number {
  const f = audio.int('encoder_ffn_dim', 4 * h);
  const convolutions = linear(3 * audio.int('num_mel_bins', 80), h) + linear(3 * h, h);
  return convolutions + layers * (whisperAttention(h) + linear(h, f) + linear(f, h) + 2 * layerNorm(h)) + layerNorm(h);
}

const whisper: Towers = (config, hidden) => {
  const positions = config.int('max_source_positions', 1500) * hidden;
  return [part('encoder', audioEncoder(config, hidden, config.int('encoder_layers', 4)) + positions)];
};

/** The decoder from speech codes to waves of the released Qwen2.5-Omni, which its config leaves at the defaults. */
const OMNI_WAVES = 449_051_264;

const omni: Towers = (config, hidden) => {
  const thinker = config.under('thinker_config');
  const audio = thinker.under('audio_config');
  const h = audio.int('d_model', 1280);
  const encoder = audioEncoder(audio, h, audio.int('encoder_layers', 32)) + 2 * hidden + linear(h, hidden);
  const speaks = config.flag('enable_audio_output') ?? true;
  return [
    ...qwen25Vision(thinker, hidden),
    part('audio', encoder),
    ...(speaks ? [part('talker', omniTalker(config.under('talker_config'))), part('waves', OMNI_WAVES)] : []),
  ];
};

function omniTalker(talker: Values): number {
  const h = talker.int('hidden_size', 896);
  const width = talker.int('embedding_size', 3584);
  const vocab = talker.int('vocab_size', 8448);
  const query = talker.int('num_attention_heads', 12) * talker.int('head_dim', 128);
  const keys = talker.int('num_key_value_heads', 4) * talker.int('head_dim', 128);
  const attention = linear(h, query) + 2 * linear(h, keys) + query * h;
  const layer = attention + 3 * h * talker.int('intermediate_size', 18944) + 2 * h;
  return vocab * width + talker.int('num_hidden_layers', 24) * layer + h + h * vocab + linear(width, h);
}

/** T5: an encoder as deep as num_layers says, and a table of relative positions in each stack. */
const t5: Towers = (config, hidden) => {
  const inner = config.int('num_heads', 8) * config.int('d_kv', 64);
  const gated = config.text('feed_forward_proj')?.startsWith('gated') === true;
  const feedForward = (gated ? 3 : 2) * hidden * config.int('d_ff', 2048);
  const layer = 4 * hidden * inner + feedForward + 2 * hidden;
  const bias = config.int('relative_attention_num_buckets', 32) * config.int('num_heads', 8);
  return [part('encoder', config.int('num_layers', 6) * layer + bias + hidden), part('relative positions', bias)];
};

/** BERT: the head of masked language models or the pooler, by the class that the file names. */
const bert: Towers = (config, hidden) => {
  const types = config.int('type_vocab_size', 2) * hidden;
  const name = (config.list('architectures') ?? []).join(' ');
  const masked = /MaskedLM|PreTraining|LMHead/.test(name);
  const transform = linear(hidden, hidden) + layerNorm(hidden) + config.int('vocab_size', 30522);
  return [part('token types', types), masked ? part('head', transform) : part('pooler', linear(hidden, hidden))];
};

/** DeepSeek-V4: the residual streams become one before the final norm. */
const streams: Towers = (config, hidden) => {
  const count = config.int('hc_mult', 4);
  return [part('stream collapse', count * count * hidden + count + 1)];
};

/** By model_type of the file. */
export const TOWERS: Readonly<Record<string, Towers>> = {
  qwen2_vl: qwen2Vision,
  qwen2_5_vl: qwen25Vision,
  qwen3_vl: qwen3Vision,
  qwen3_vl_moe: qwen3Vision,
  qwen3_5: qwen3Vision,
  qwen3_5_moe: qwen3Vision,
  qwen2_5_omni: omni,
  gemma3: gemma3Vision,
  gemma4: gemma4Vision,
  llama4: llama4Vision,
  mllama: mllamaVision,
  llava,
  deepseek_v4: streams,
  clip,
  git,
  whisper,
  t5,
  bert,
};

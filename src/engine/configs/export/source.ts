/** What an export starts from: a whole setup, and what formats say of its model. */
import { countParameters } from '../../model/parameters';
import type { ModelSizes } from '../../model/sizes';
import type { Traits } from '../../model/traits';
import { zooEntry } from '../../model/zoo';
import type { Plan } from '../../plan/keys';
import { type Cluster, setupModel, type TrainingSetup } from '../../setup/setup';
import { readHfConfig } from '../hf/read';
import { parseJson } from '../json';

/** DeepSpeed's file beside a config that names one. */
export const ZERO_FILE = 'ds_config.json';

export interface ExportSource {
  readonly sizes: ModelSizes;
  readonly traits: Traits;
  readonly plan: Plan;
  readonly cluster: Cluster;
  /** The model's name, where the zoo knows it as a hub id. */
  readonly hub: string | null;
  /** Its config.json, where a family of transformers has its layers. */
  readonly config: string | null;
  /** Layers as Megatron's options can say them. */
  readonly isPlain: boolean;
}

export function exportSource(setup: TrainingSetup): ExportSource {
  const { sizes, traits, plan, cluster } = setup;
  const { name } = sizes;
  const hub = name !== null && isHubId(name) && zooEntry(name) !== null ? name : null;
  return { sizes, traits, plan, cluster, hub, config: hfConfig(setup, hub), isPlain: isPlain(setup) };
}

const isHubId = (name: string): boolean => /^[\w.-]+\/[\w.-]+$/.test(name);

function isPlain({ sizes, traits }: TrainingSetup): boolean {
  const { latent, variants, beside, sinks, normsPerLayer, embeddingWidth, windows } = traits;
  const alike = variants.length === 0 && beside.length === 0 && !sinks && windows === null;
  const isKnown = sizes.layers !== null && sizes.hidden !== null && sizes.ffn !== null && sizes.heads !== null;
  return isKnown && alike && latent === null && normsPerLayer === 2 && embeddingWidth === null;
}

/** The first config.json, of the families by their traits, that counts as the model does. */
function hfConfig(setup: TrainingSetup, hub: string | null): string | null {
  const model = setupModel(setup);
  const known = hub === null ? null : zooEntry(hub);
  if (known !== null) return JSON.stringify(known, null, 2);
  if (model === null) return null;
  const total = countParameters(model).total;
  for (const modelType of FAMILIES) {
    const text = JSON.stringify(configOf(setup.sizes, setup.traits, modelType), null, 2);
    const { root } = parseJson('config.json', text);
    const read = root === null ? null : readHfConfig('config.json', root, []).setup;
    const again = read === null ? null : setupModel(read);
    if (again !== null && countParameters(again).total === total) return text;
  }
  return null;
}

const FAMILIES = ['llama', 'qwen2', 'qwen3', 'mixtral', 'qwen3_moe'];

/** The names of the classes that Hugging Face's loaders look for. */
const CLASSES: Readonly<Record<string, string>> = {
  llama: 'LlamaForCausalLM',
  qwen2: 'Qwen2ForCausalLM',
  qwen3: 'Qwen3ForCausalLM',
  mixtral: 'MixtralForCausalLM',
  qwen3_moe: 'Qwen3MoeForCausalLM',
};

function configOf(sizes: ModelSizes, traits: Traits, modelType: string): Record<string, unknown> {
  const isMixtral = modelType === 'mixtral';
  return {
    model_type: modelType,
    architectures: [CLASSES[modelType]],
    hidden_size: sizes.hidden,
    num_hidden_layers: sizes.layers,
    intermediate_size: isMixtral ? sizes.expertFfn : sizes.ffn,
    num_attention_heads: sizes.heads,
    num_key_value_heads: sizes.kvHeads,
    head_dim: sizes.headDim,
    vocab_size: sizes.vocab,
    max_position_embeddings: sizes.maxSeqLen ?? 8192,
    tie_word_embeddings: sizes.tied,
    ...(traits.outBias ? { attention_bias: true } : {}),
    ...(traits.mlpBias ? { mlp_bias: true } : {}),
    ...(sizes.experts === null ? {} : { num_experts_per_tok: sizes.topK }),
    ...(sizes.experts !== null && isMixtral ? { num_local_experts: sizes.experts } : {}),
    ...(sizes.experts !== null && !isMixtral
      ? { num_experts: sizes.experts, moe_intermediate_size: sizes.expertFfn }
      : {}),
  };
}

/** The lines of a text, without those that are left out. */
export function textOf(...lines: (string | false | null)[]): string {
  return `${lines.filter(line => typeof line === 'string').join('\n')}\n`;
}

/** The machine, of which frameworks want whole nodes. */
export function machine({ cluster }: ExportSource): { gpus: number; nodes: number; perNode: number } {
  const gpus = cluster.gpus ?? 1;
  const perNode = cluster.gpusPerNode ?? Math.min(8, gpus);
  const whole = gpus % perNode === 0 ? perNode : 1;
  return { gpus, nodes: gpus / whole, perNode: whole };
}

/** What recomputation repeats and what it therefore does not keep, by part of a layer. */
import { LAYER_PARTS, type LayerPart } from '../model/operator';
import type { ReadyPlan } from '../plan/ready';

export interface RecomputeRule {
  /** Share of the layers that are repeated as a whole, keeping only their input; by layers a stage where a number is given. */
  readonly fullShare: number;
  readonly fullLayers: number | null;
  /** By LAYER_PARTS, in the other layers: share of the part's forward pass that is repeated. */
  readonly repeated: readonly number[];
  /** The scores of unfused attention are not kept. */
  readonly dropsScores: boolean;
  /** Kept are the layer's input, attention's output and the output of every second product, not inputs. */
  readonly keepsOutputs: boolean;
}

const NONE = LAYER_PARTS.map(() => 0);

/** Megatron's names of modules (--recompute-modules), by parts. */
const MODULES: Readonly<Record<string, readonly LayerPart[]>> = {
  core_attn: ['core'],
  layernorm: ['norm'],
  mla_up_proj: ['latent-up', 'rotary'],
  mlp: ['mlp', 'activation'],
  moe_act: ['expert-activation'],
  moe: ['router', 'dispatch', 'experts', 'expert-activation', 'shared-experts'],
  shared_experts: ['shared-experts'],
};

const rules = new Map<string, RecomputeRule>();

export function recomputeRule({
  recompute,
  recomputeOps,
  recomputeLayers,
}: Pick<ReadyPlan, 'recompute' | 'recomputeOps' | 'recomputeLayers'>): RecomputeRule {
  const key = `${recompute}|${recomputeOps ?? ''}|${recomputeLayers ?? ''}`;
  let rule = rules.get(key);
  if (rule === undefined) {
    rule = makeRule(recompute, recomputeOps ?? '', recomputeLayers);
    rules.set(key, rule);
  }
  return rule;
}

function makeRule(recompute: ReadyPlan['recompute'], ops: string, layers: number | null): RecomputeRule {
  const nothing: RecomputeRule = {
    fullShare: 0,
    fullLayers: null,
    repeated: NONE,
    dropsScores: false,
    keepsOutputs: false,
  };
  if (recompute === 'none') return nothing;
  if (recompute === 'full') return { ...nothing, fullShare: 1, fullLayers: layers };
  const everyNth = /every-(\d+)/.exec(ops);
  if (everyNth !== null) return { ...nothing, fullShare: 1 / Number(everyNth[1]) };
  if (ops === 'op' || ops === 'graph-default')
    return { ...nothing, repeated: everySecondProduct(), keepsOutputs: true };
  const parts = new Set(ops.split(/[+,/]/).flatMap(name => MODULES[name.trim()] ?? []));
  const repeated = LAYER_PARTS.map(part => (parts.has(part) ? 1 : 0));
  // Without names, what is meant is the attention's scores (Korthikanti et al., arXiv 2205.05198, section 5).
  return { ...nothing, repeated, dropsScores: parts.size === 0 || parts.has('core') };
}

/** PyTorch's selective checkpointing by operator as torchtitan sets it: keeps attention and every second product. */
function everySecondProduct(): number[] {
  const whole = new Set<LayerPart>(['norm', 'rotary', 'activation', 'expert-activation', 'dispatch']);
  return LAYER_PARTS.map(part => (part === 'core' ? 0 : whole.has(part) ? 1 : 0.5));
}

/**
 * The operator table: what one rank does with one micro-batch in one layer, in the embedding and in the head. The cost
 * model, the memory model and the trainer all read it.
 *
 * Legend: b sequences of a micro-batch, s sequence length, c cp, t tp, T = b·s/c tokens a rank, h hidden,
 * f feed-forward width, V vocabulary, E experts, k experts a token, e ep.
 */
import type { Model } from './architecture';
import { attentionOperators, latentOperators } from './attentionOperators';
import type { Experts, Layer, Mlp } from './layer';
import {
  ACTIVATION_FP8,
  BYTES,
  INPUT_FP8,
  kept,
  type LayerPart,
  linear,
  type Operator,
  sharded,
  split,
  tokensPerRank,
  type Workload,
} from './operator';

export function layerOperators(hidden: number, layer: Layer, work: Workload): Operator[] {
  const { mixer, feedForward } = layer;
  return [
    norms(hidden, layer, work),
    ...(mixer.kind === 'latent' ? latentOperators(hidden, mixer, work) : attentionOperators(hidden, mixer, work)),
    ...(feedForward.kind === 'moe'
      ? expertOperators(hidden, feedForward, work)
      : mlpOperators('mlp', 'mlp', hidden, feedForward, work)),
  ];
}

/** Norms and residual additions: about ten passes over T·h; their inputs are kept, in the sharded layout where sp. */
function norms(hidden: number, layer: Layer, work: Workload): Operator {
  const width = sharded(tokensPerRank(work) * hidden, work);
  const inputs = layer.norms === 1 ? 1 : 2;
  return {
    name: 'norms',
    part: 'norm',
    kind: 'pointwise',
    bytes: 10 * BYTES * width,
    saved: [kept('norm inputs', inputs * BYTES * width)],
  };
}

function mlpOperators(
  name: string,
  part: LayerPart,
  hidden: number,
  { width, gated }: Pick<Mlp, 'width' | 'gated'>,
  work: Workload,
): Operator[] {
  const tokens = tokensPerRank(work);
  const local = width / work.tp;
  const branches = gated ? 2 : 1;
  return [
    split(
      linear(`${name} in`, part, tokens, branches * local, hidden, [
        kept(`${name} input`, BYTES * sharded(tokens * hidden, work), ['norm', part], INPUT_FP8),
      ]),
      new Array<number>(branches).fill(local),
    ),
    activation(name, part === 'mlp' ? 'activation' : part, part, tokens, local, gated),
    linear(`${name} out`, part, tokens, hidden, local, [
      kept(`${name} product`, BYTES * tokens * local, [part === 'mlp' ? 'activation' : part], INPUT_FP8),
    ]),
  ];
}

function activation(
  name: string,
  part: LayerPart,
  before: LayerPart,
  rows: number,
  width: number,
  gated: boolean,
): Operator {
  const branches = gated ? 2 : 1;
  return {
    name: `${name} activation`,
    part,
    kind: 'pointwise',
    bytes: (branches + 1) * BYTES * rows * width,
    saved: [kept(`${name} pre-activation`, branches * BYTES * rows * width, [before], ACTIVATION_FP8)],
  };
}

/** Router, exchange buffers, the rank's share of routed experts and the shared experts. */
function expertOperators(hidden: number, moe: Experts, work: Workload): Operator[] {
  const tokens = tokensPerRank(work);
  const local = Math.max(1, moe.experts / work.ep);
  const routed = ((tokens * moe.topK * work.etp) / work.tp) * work.expertImbalance;
  const width = moe.width / work.etp;
  const branches = moe.gated ? 2 : 1;
  const perExpert = routed / local;
  const shared = { width: moe.sharedWidth, gated: moe.gated };
  return [
    linear('router', 'router', sharded(tokens, work), moe.experts, hidden, [
      kept('moe input', BYTES * sharded(tokens * hidden, work), ['norm']),
      kept('router logits', 4 * sharded(tokens * moe.experts, work), ['router']),
    ]),
    // Permutation, padding and combination: about 4.4 passes over every routed row.
    {
      name: 'dispatch and combine',
      part: 'dispatch',
      kind: 'pointwise',
      bytes: 4.4 * BYTES * routed * hidden,
      saved: [kept('dispatched rows', BYTES * routed * hidden, ['dispatch'], INPUT_FP8)],
    },
    linear('expert in', 'experts', perExpert, branches * width, hidden, [], local),
    activation('expert', 'expert-activation', 'experts', routed, width, moe.gated),
    linear(
      'expert out',
      'experts',
      perExpert,
      hidden,
      width,
      [kept('expert product', BYTES * routed * width, ['expert-activation'], INPUT_FP8)],
      local,
    ),
    ...(moe.sharedWidth === 0 ? [] : mlpOperators('shared expert', 'shared-experts', hidden, shared, work)),
  ];
}

/** Look-up and addition of positions; in the stage that holds the embedding. */
export function embeddingOperators(model: Model, work: Workload): Operator[] {
  return [
    {
      name: 'embedding',
      part: null,
      kind: 'pointwise',
      bytes: 6 * BYTES * tokensPerRank(work) * model.hidden,
      saved: [],
    },
  ];
}

/** Final norm, projection to the vocabulary and loss; in the stage that holds the head. `vocab` is the padded one. */
export function headOperators(model: Model, vocab: number, work: Workload): Operator[] {
  const tokens = tokensPerRank(work);
  const logits = (tokens * vocab) / work.tp;
  return [
    linear('vocabulary projection', null, tokens, vocab / work.tp, model.hidden, [
      kept('head input', 2 * BYTES * sharded(tokens * model.hidden, work)),
    ]),
    // Soft-max, loss and their gradient in fp32: 16 bytes a logit over forward and backward.
    { name: 'loss', part: null, kind: 'pointwise', bytes: 16 * logits, saved: [] },
  ];
}

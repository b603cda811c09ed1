/**
 * A scaled-down twin of a training run: the same degrees, schedule and sharding on a network of the same shape but with
 * small widths, so that the program of the plan can be proved in seconds. What it proves is the plan's communication and
 * order, not the run's numbers.
 */
import type { Model } from '../model/architecture';
import { defaultVirtual } from '../pipeline/buildOrder';
import { defaultSchedule } from '../plan/complete';
import type { Plan } from '../plan/keys';
import { type Problem, problem } from '../problem';
import { setupModel, type TrainingSetup } from '../setup/setup';
import { defaultText, textBatch } from './data';
import type { DecoderNetwork } from './network';
import { type Progress, type Proof, prove } from './prove';
import { trainPlanOf, type TrainPlan } from './trainPlan';

/** What is smaller than in the setup, so that a proof can say so. */
export interface TwinChange {
  readonly key: string;
  readonly from: number;
  readonly to: number;
}

export interface Twin {
  readonly network: DecoderNetwork;
  readonly plan: TrainPlan;
  readonly changes: readonly TwinChange[];
}

/** Ranks that a proof simulates at most; more data-parallel ranks repeat what fewer show. */
const MOST_RANKS = 64;
const HEAD_DIM = 4;
const MOST_EXPERTS = 16;

/** The twin of a setup whose plan is known; a problem names what the trainer does not have. */
export function twinOf(setup: TrainingSetup): Twin | Problem {
  const model = setupModel(setup);
  if (!model) return problem('value-unknown', { key: 'model' }, { severity: 'error' });
  const { mixer } = model.groups[0].layer;
  if (mixer.kind !== 'attention') return problem('not-modelled', { what: 'latent attention' }, { severity: 'error' });
  const degrees = smallDegrees(setup.plan);
  const batch = smallBatch(setup.plan, degrees);
  const network = smallNetwork(model, mixer.heads / mixer.kvHeads, degrees, batch.seqLen);
  const asked = { ...setup.plan, ...degrees, ...batch, optimizer: optimizerOf(setup.plan), stageLayers: null };
  const { plan, problems } = trainPlanOf(asked, network);
  if (problems.length > 0) return problems[0];
  return { network, plan, changes: changesOf(setup, { network, plan }) };
}

/** Proves the twin; yields after each step, and stops where the caller stops asking. */
/** On the bytes of a text, each as a token by its rest over the twin's small vocabulary; null: the trainer's own text. */
export function* proveTwin(twin: Twin, steps = 3, bytes: Uint8Array | null = null): Generator<Progress, Proof> {
  const { network, plan } = twin;
  const text = (bytes ?? defaultText()).map(byte => byte % network.vocab);
  return yield* prove({ network, plan, type: 'f64', steps, seed: 1, batch: textBatch(text, plan.seqLen), clipNorm: 1 });
}

/** The optimizer's kind does not change who holds what: all with state are proved as AdamW. */
const optimizerOf = ({ optimizer }: Plan): 'sgd' | 'adamw' =>
  optimizer === 'sgd' || optimizer === 'none' ? 'sgd' : 'adamw';

type Degrees = Pick<TrainPlan, 'dp' | 'tp' | 'cp' | 'pp' | 'vpp' | 'ep' | 'shardSize' | 'schedule'>;

/** dp first comes down to what fits, then the others are halved, the largest first; ep stays a divisor. */
function smallDegrees(plan: Plan): Degrees {
  const sizes = { dp: plan.dp ?? 1, tp: plan.tp ?? 1, cp: plan.cp ?? 1, pp: plan.pp ?? 1 };
  const world = () => sizes.dp * sizes.tp * sizes.cp * sizes.pp;
  while (world() > MOST_RANKS && sizes.dp > 2) sizes.dp = lower(sizes.dp);
  while (world() > MOST_RANKS) {
    const key = (['pp', 'cp', 'tp'] as const).reduce((a, b) => (sizes[b] > sizes[a] ? b : a));
    sizes[key] = lower(sizes[key]);
  }
  const ranks = sizes.dp * sizes.cp * sizes.tp;
  const ep = largestDivisor(ranks, Math.min(plan.ep ?? 1, MOST_EXPERTS));
  const data = sizes.dp * sizes.cp;
  // Hybrid sharding has at least two copies, or it would be stage 3.
  const asked = plan.sharding === 'hsdp' ? Math.min(plan.shardSize ?? data / 2, data / 2) : plan.shardSize;
  const shards = asked === null ? null : largestDivisor(data, asked);
  const schedule =
    sizes.pp === 1 ? 'none' : (plan.schedule ?? defaultSchedule({ pp: sizes.pp, vpp: plan.vpp }) ?? '1f1b');
  const vpp = sizes.pp === 1 ? 1 : Math.min(plan.vpp ?? defaultVirtual(schedule), 4);
  return { ...sizes, ep, vpp, shardSize: shards, schedule };
}

/** The next smaller size: a half, or the quotient by the smallest divisor. */
function lower(size: number): number {
  for (let d = 2; d <= size; d++) if (size % d === 0) return size / d;
  return 1;
}

function largestDivisor(whole: number, most: number): number {
  let best = 1;
  for (let d = 1; d <= Math.min(whole, most); d++) if (whole % d === 0) best = d;
  return best;
}

/** One sequence a micro-batch, as many micro-batches as the plan has, up to two a stage (four where streams meet). */
function smallBatch(plan: Plan, { dp, tp, cp, pp, schedule }: Degrees) {
  const real = (plan.globalBatch ?? 1) / ((plan.microBatch ?? 1) * (plan.dp ?? 1));
  const least = schedule.startsWith('dualpipe') ? 2 * pp : 1;
  const even = schedule === 'dualpipe' ? 2 : 1;
  const microBatches = Math.ceil(Math.max(least, Math.min(2 * pp, Math.ceil(real))) / even) * even;
  return { microBatch: 1, globalBatch: dp * microBatches, seqLen: 2 * cp * tp };
}

/** Heads are as many as the degrees divide, with the ratio of grouped heads where it is a whole number. */
function smallNetwork(model: Model, group: number, degrees: Degrees, seqLen: number): DecoderNetwork {
  const { tp, cp, pp, vpp, ep, schedule } = degrees;
  const { feedForward, norm } = model.groups[0].layer;
  const moe = model.groups.map(g => g.layer.feedForward).find(f => f.kind === 'moe');
  const kvHeads = tp * cp;
  const heads = kvHeads * (Number.isInteger(group) ? Math.min(group, 2) : 1);
  const hidden = heads * HEAD_DIM;
  const experts = moe ? Math.min(MOST_EXPERTS, Math.max(2, ep) * Math.max(1, Math.min(2, moe.experts / ep))) : 0;
  const perExpert = Math.ceil(experts / ep) * ep;
  return {
    kind: 'decoder',
    layers: pp * (schedule.startsWith('dualpipe') ? 2 : vpp),
    hidden,
    heads,
    kvHeads,
    headDim: HEAD_DIM,
    ffn: moe ? 0 : 2 * hidden,
    gated: feedForward.gated,
    vocab: 8 * tp,
    norm: norm === 'rms' ? 'rms' : 'layer',
    positionRows: model.positionRows > 0 ? seqLen : 0,
    tied: model.tied,
    experts: moe ? perExpert : 0,
    topK: moe ? Math.min(moe.topK, perExpert, 4) : 0,
    expertFfn: moe ? hidden : 0,
  };
}

function changesOf({ plan, sizes }: TrainingSetup, twin: Pick<Twin, 'network' | 'plan'>): TwinChange[] {
  const pairs: [string, number | null, number][] = [
    ...(['dp', 'tp', 'cp', 'pp', 'vpp', 'ep', 'microBatch', 'globalBatch', 'seqLen'] as const).map(
      (key): [string, number | null, number] => [key, plan[key], twin.plan[key]],
    ),
    ...(['layers', 'hidden', 'heads', 'kvHeads', 'ffn', 'vocab', 'experts', 'topK'] as const).map(
      (key): [string, number | null, number] => [key, sizes[key], twin.network[key]],
    ),
  ];
  return pairs.flatMap(([key, from, to]) => (from === null || from === to ? [] : [{ key, from, to }]));
}

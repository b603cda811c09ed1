/** `meshlens train`: runs a plan on a simulated mesh beside the serial run, and says where they part. */
import type { MemoryKind, RealType } from '../engine/trainer/heap';
import { defaultText, textBatch } from '../engine/trainer/data';
import { type Network, networkOf, PRESETS, type PresetName } from '../engine/trainer/network';
import { type AxisTraffic, type Mismatch, type Proof, prove, type Tolerance } from '../engine/trainer/prove';
import { trainPlanOf } from '../engine/trainer/trainPlan';
import { missingSizes } from '../engine/model/architecture';
import type { Plan } from '../engine/plan/keys';
import { type Problem, problem } from '../engine/problem';
import { setupModel, type TrainingSetup } from '../engine/setup/setup';

export interface TrainOptions {
  /** Ignored where `setup` is given; tiny-llama where neither is. */
  readonly preset?: PresetName;
  /** A config file's model and plan. */
  readonly setup?: TrainingSetup | null;
  /** Bytes of the text to train on; a built-in one where absent. */
  readonly data?: Uint8Array | null;
  /** Keys of the command line, which go before the config's. */
  readonly plan: Partial<Plan>;
  readonly steps: number;
  readonly dtype?: RealType;
  readonly backend?: 'simulated' | 'threads';
  /** Largest norm of the whole gradient; no clipping where absent. */
  readonly clipNorm?: number | null;
}

/** All null where the plan breaks a rule. Loss and weights differ by absolute values, gradients relative to the tensor's largest. */
export interface TrainDocument {
  readonly losses: readonly number[] | null;
  readonly serialLosses: readonly number[] | null;
  readonly maxLossDifference: number | null;
  readonly maxGradientDifference: number | null;
  readonly maxWeightDifference: number | null;
  readonly equal: boolean | null;
  readonly tolerance: Tolerance | null;
  /** Where the runs part: the first place of each kind. */
  readonly mismatches: readonly Mismatch[] | null;
  readonly traffic: readonly AxisTraffic[] | null;
  /** Weights, gradients, optimizer and activations; temporary buffers are in `memory`. */
  readonly peakBytesPerRank: readonly number[] | null;
  readonly predictedPeakBytesPerRank: readonly number[] | null;
  /** Peaks by rank of what memory is for. */
  readonly memory: Readonly<Record<MemoryKind, readonly number[]>> | null;
  readonly virtualSeconds: number | null;
  readonly bubbleFraction: number | null;
  readonly predictedBubbleFraction: number | null;
}

const UNKNOWN: TrainDocument = {
  losses: null,
  serialLosses: null,
  maxLossDifference: null,
  maxGradientDifference: null,
  maxWeightDifference: null,
  equal: null,
  tolerance: null,
  mismatches: null,
  traffic: null,
  peakBytesPerRank: null,
  predictedPeakBytesPerRank: null,
  memory: null,
  virtualSeconds: null,
  bubbleFraction: null,
  predictedBubbleFraction: null,
};

const SEED = 2025;
/** Steps past this are a mistake. */
const MOST_STEPS = 10_000;

/** The document without `schema` and `command`, and what is wrong with the options. */
export function trainCommand(options: TrainOptions): { document: TrainDocument; problems: readonly Problem[] } {
  const { steps, dtype = 'f64', clipNorm = null } = options;
  const network = networkFrom(options);
  if ('code' in network) return { document: UNKNOWN, problems: [network] };
  const { plan, problems } = trainPlanOf({ ...options.setup?.plan, ...known(options.plan) }, network);
  const found = [...wrongOptions(options), ...problems];
  if (found.length > 0) return { document: UNKNOWN, problems: found };
  const vocabulary = network.kind === 'mlp' ? 1 : network.vocab;
  // Bytes are the tokens; a smaller vocabulary folds them.
  const text = (options.data ?? defaultText()).map(byte => byte % vocabulary);
  const batch = textBatch(text, plan.seqLen);
  const run = prove({ network, plan, type: dtype, steps, seed: SEED, batch, clipNorm });
  for (;;) {
    const next = run.next();
    if (next.done === true) return { document: documentOf(next.value), problems: [] };
  }
}

/** The keys that have a value. */
const known = (plan: Partial<Plan>): Partial<Plan> =>
  Object.fromEntries(Object.entries(plan).filter(([, value]) => value !== null));

function networkFrom({ setup, preset = 'tiny-llama' }: TrainOptions): Network | Problem {
  if (!setup) return PRESETS[preset];
  const model = setupModel(setup);
  if (!model) return problem('value-unknown', { key: missingSizes(setup.sizes).join(', ') }, { severity: 'error' });
  return networkOf(model);
}

function wrongOptions({ steps, data, backend = 'simulated' }: TrainOptions): Problem[] {
  const found: Problem[] = [];
  if (!Number.isInteger(steps) || steps < 1 || steps > MOST_STEPS)
    found.push(
      problem('value-invalid', { key: 'steps', value: steps, expected: `an integer from 1 to ${MOST_STEPS}` }),
    );
  if (data?.length === 0)
    found.push(problem('value-invalid', { key: 'data', value: '', expected: 'a file with text' }));
  if (backend === 'threads')
    found.push(problem('not-modelled', { key: 'backend', value: backend }, { severity: 'error' }));
  return found;
}

function documentOf(proof: Proof): TrainDocument {
  const { memory, predictedMemory } = proof;
  return {
    losses: proof.losses,
    serialLosses: proof.serialLosses,
    maxLossDifference: proof.maxLossDifference,
    maxGradientDifference: proof.maxGradientDifference,
    maxWeightDifference: proof.maxWeightDifference,
    equal: proof.equal,
    tolerance: proof.tolerance,
    mismatches: proof.mismatches,
    traffic: proof.traffic,
    peakBytesPerRank: memory.map(m => m.weights + m.gradients + m.optimizer + m.activations),
    predictedPeakBytesPerRank: predictedMemory.map(m => m.weights + m.gradients + m.optimizer + m.activations),
    memory: {
      weights: memory.map(m => m.weights),
      gradients: memory.map(m => m.gradients),
      optimizer: memory.map(m => m.optimizer),
      activations: memory.map(m => m.activations),
      buffers: memory.map(m => m.buffers),
    },
    virtualSeconds: proof.virtualSeconds,
    bubbleFraction: proof.bubbleFraction,
    predictedBubbleFraction: proof.predictedBubbleFraction,
  };
}

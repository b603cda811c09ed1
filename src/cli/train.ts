/** `meshlens train`: runs a plan on a simulated mesh or in threads beside the serial run, and says where they part. */
import type { MemoryKind, RealType } from '../engine/trainer/heap';
import { defaultText, emptyText, textBatch } from '../engine/trainer/data';
import { type Network, networkOf, PRESETS, type PresetName } from '../engine/trainer/network';
import { ADAMW } from '../engine/trainer/optimizer';
import {
  type AxisTraffic,
  type Mismatch,
  type Proof,
  type ProofOptions,
  prove,
  type Tolerance,
} from '../engine/trainer/prove';
import { unitsOf } from '../engine/trainer/parameters';
import { type TrainPlan, trainPlanOf } from '../engine/trainer/trainPlan';
import { type TwinChange, twinOf } from '../engine/trainer/twin';
import { missingSizes } from '../engine/model/sizes';
import type { Plan } from '../engine/plan/keys';
import { type Problem, type ProblemCode, problem } from '../engine/problem';
import { setupModel, type TrainingSetup } from '../engine/setup/setup';
import { threadBytes, type ThreadedOptions, trainInThreads } from '../node/trainer/trainInThreads';

export interface TrainOptions {
  /** Ignored where `setup` is given; tiny-llama where neither is. */
  readonly preset?: PresetName;
  /** A config file's model and plan. One too large for a host is scaled down, keeping its degrees. */
  readonly setup?: TrainingSetup | null;
  /** Bytes of the text to train on; a built-in one where absent. */
  readonly data?: Uint8Array | null;
  /** Keys of the command line, which go before the config's. */
  readonly plan: Partial<Plan>;
  readonly steps: number;
  readonly dtype?: RealType;
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
  /** In threads: seconds that each step took on this machine. */
  readonly wallSecondsPerStep: readonly number[] | null;
  /** What was made smaller where a config's model is too large to run here; null where it was run as it is. */
  readonly scaledDown: readonly TwinChange[] | null;
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
  wallSecondsPerStep: null,
  scaledDown: null,
};

const SEED = 2025;
/** Steps past this are a mistake. */
const MOST_STEPS = 10_000;

export interface TrainAnswer {
  /** Without `schema` and `command`. */
  readonly document: TrainDocument;
  /** What is wrong with the options. */
  readonly problems: readonly Problem[];
}

/** On the simulated mesh. */
export function trainCommand(options: TrainOptions): TrainAnswer {
  const prepared = prepare(options);
  if ('problems' in prepared) return { document: UNKNOWN, problems: prepared.problems };
  const { run, scaledDown } = prepared;
  return { document: documentOf(end(prove(run)), scaledDown, null), problems: [] };
}

/** In worker threads: losses are compared at each step, gradients and weights at the first and the last. */
export async function trainThreadsCommand(options: TrainOptions, threads: ThreadedOptions): Promise<TrainAnswer> {
  const prepared = prepare(options);
  if ('problems' in prepared) return { document: UNKNOWN, problems: prepared.problems };
  const { run, text, scaledDown } = prepared;
  const { network, plan, type, seed, steps, clipNorm } = run;
  const kept = [0, steps - 1];
  const job = { network, plan, type, seed, steps, clipNorm, optimizer: ADAMW, text, kept };
  const bytes = threadBytes(job);
  if (bytes > MOST_THREAD_BYTES) {
    const expected = `simulated: the ranks’ buffers take ${bytes} bytes, more than ${MOST_THREAD_BYTES}`;
    return { document: UNKNOWN, problems: [problem('value-invalid', { key: 'backend', value: 'threads', expected })] };
  }
  const found = await trainInThreads(job, threads);
  const seconds = found.map(step => step.seconds);
  let step = 0;
  return { document: documentOf(end(prove(run, () => found[step++])), scaledDown, seconds), problems: [] };
}

/** A WebAssembly memory's limit, less what is not buffers. */
const MOST_THREAD_BYTES = 4e9;

function end(proof: ReturnType<typeof prove>): Proof {
  for (;;) {
    const next = proof.next();
    if (next.done === true) return next.value;
  }
}

interface Prepared {
  readonly run: Required<Pick<ProofOptions, 'network' | 'plan' | 'type' | 'steps' | 'seed' | 'batch' | 'clipNorm'>>;
  /** The tokens of the run's batch. */
  readonly text: Uint8Array;
  readonly scaledDown: readonly TwinChange[] | null;
}

function prepare(options: TrainOptions): Prepared | { problems: readonly Problem[] } {
  const { steps, dtype: type = 'f64', clipNorm = null } = options;
  const wrong = wrongOptions(options);
  const job = jobOf(options);
  const problems = [...wrong, ...('problems' in job ? job.problems : [])];
  if ('problems' in job || problems.length > 0) return { problems };
  const { network, plan, scaledDown } = job;
  const vocabulary = network.kind === 'mlp' ? 1 : network.vocab;
  // Bytes are the tokens; a smaller vocabulary folds them.
  const text = (options.data ?? defaultText()).map(byte => byte % vocabulary);
  const batch = textBatch(text, plan.seqLen);
  return { run: { network, plan, type, steps, seed: SEED, batch, clipNorm }, text, scaledDown };
}

interface Job {
  readonly network: Network;
  readonly plan: TrainPlan;
  readonly scaledDown: readonly TwinChange[] | null;
}

/** A config's own network where it is small, else its twin. */
function jobOf({ setup, preset = 'tiny-llama', plan: asked, steps }: TrainOptions): Job | { problems: Problem[] } {
  if (!setup) return checked(PRESETS[preset], known(asked));
  const merged = { ...setup, plan: { ...setup.plan, ...known(asked) } };
  const model = setupModel(merged);
  if (!model) {
    const key = missingSizes(merged.sizes).join(', ');
    return { problems: [problem('value-unknown', { key }, { severity: 'error' })] };
  }
  const network = networkOf(model);
  const found = 'code' in network ? { problems: [network] } : checked(network, merged.plan);
  if ('problems' in found) {
    // The twin's sizes would fit a plan that these do not.
    const broken = found.problems.filter(({ code }) => BROKEN.has(code));
    if (broken.length > 0) return { problems: broken };
  } else if (isSmall(found, steps)) return found;
  const twin = twinOf(merged);
  return 'code' in twin ? { problems: [twin] } : { ...twin, scaledDown: twin.changes };
}

function checked(network: Network, asked: Partial<Plan>): Job | { problems: Problem[] } {
  const { plan, problems } = trainPlanOf(asked, network);
  return problems.length > 0 ? { problems } : { network, plan, scaledDown: null };
}

/** Rules of every framework; the others are limits of this trainer, which a twin avoids or meets again. */
const BROKEN: ReadonlySet<ProblemCode> = new Set([
  'heads-tp',
  'layers-pp',
  'sequence-cp',
  'sequence-sp',
  'experts-ep',
  'expert-ranks',
  'batch-identity',
  'schedule-shape',
]);

/** More than this takes minutes, or does not fit a host's memory. */
const MOST_PARAMETERS = 5e6;
const MOST_FLOPS = 1e12;

function isSmall({ network, plan }: Job, steps: number): boolean {
  const specs = unitsOf(network).flatMap(unit => unit.parameters);
  const parameters = specs.reduce((sum, { rows, cols }) => sum + rows * cols, 0);
  const flops = 6 * parameters * plan.globalBatch * plan.seqLen * steps;
  return parameters <= MOST_PARAMETERS && flops <= MOST_FLOPS;
}

/** The keys that have a value. */
const known = (plan: Partial<Plan>): Partial<Plan> =>
  Object.fromEntries(Object.entries(plan).filter(([, value]) => value !== null));

function wrongOptions({ steps, data }: TrainOptions): Problem[] {
  const found: Problem[] = [];
  if (!Number.isInteger(steps) || steps < 1 || steps > MOST_STEPS)
    found.push(
      problem('value-invalid', { key: 'steps', value: steps, expected: `an integer from 1 to ${MOST_STEPS}` }),
    );
  if (data?.length === 0) found.push(emptyText());
  return found;
}

function documentOf(
  proof: Proof,
  scaledDown: readonly TwinChange[] | null,
  wallSecondsPerStep: readonly number[] | null,
): TrainDocument {
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
    wallSecondsPerStep,
    scaledDown,
  };
}

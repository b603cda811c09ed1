/**
 * The estimate that a user reads: time by parts, memory by stage, bounds, assumptions and problems. Whatever is not
 * known stays null and is asked for by a problem.
 */
import { isAcceleratorId } from '../hardware/accelerators';
import { MEMORY_CONSTANTS, UNCERTAINTY, stackOf } from '../hardware/calibration';
import { missingSizes } from '../model/sizes';
import { flopsConventions } from '../model/flops';
import type { Parameters } from '../model/parameters';
import { completeSetup } from '../plan/complete';
import type { PlanKey } from '../plan/keys';
import { isReady, microBatches, missingPlanKeys, type ReadyPlan } from '../plan/ready';
import { checkPlan } from '../plan/rules';
import { type Args, type Problem, problem } from '../problem';
import type { FieldPath, TrainingSetup } from '../setup/setup';
import { planContext, scheduleShape } from './context';
import { stateBytes } from './memory';
import { memoryEstimate, type MemoryEstimate } from './memoryEstimate';
import { HIDDEN_PARTS, type HiddenPart, OUT, TIME_PARTS, type TimePart } from './output';
import type { Tables } from './prepare';
import { type Prepared, preparedOf } from './prepared';
import { scheduleProblem } from './schedule';
import { type StageTimes, stageTimes } from './stageTimes';
import { type PlanRule, planRules } from './planRules';
import { evaluate } from './step';
import { type EvidenceRun, nearestRuns } from '../validation/nearest';

export { memoryEstimate, type MemoryEstimate };

export interface Throughput {
  readonly stepSeconds: number;
  readonly tokensPerSecondPerGpu: number;
  readonly modelFlopsPerSecondPerGpu: number;
  readonly mfu: number;
  readonly hfu: number;
  readonly convention: string;
}

/** MFU as a report with this convention would print it, of the 16-bit peak or of that of the plan's own dtype. */
interface NamedMfu {
  readonly convention: string;
  readonly peak: 'bf16' | 'fp8';
  readonly mfu: number;
}

export interface PipelineEstimate {
  readonly schedule: string;
  readonly stages: number;
  readonly microBatches: number;
  readonly bubbleFraction: number;
  readonly spanBubbleFraction: number;
  readonly virtual: number;
  /** Of one micro-batch, by stage. */
  readonly stageSeconds: StageTimes | null;
}

/** Something that was taken for granted; words are made at the edge. */
export interface Assumption {
  readonly code: string;
  readonly args: Args;
}

/** What a model needs under the plan whatever the batch. */
export interface StateMemory {
  /** Of the whole model, in bytes. */
  readonly weights: number;
  readonly gradients: number;
  readonly optimizer: number;
  /** Kept for the backward pass by one token through all layers, without any parallelism. */
  readonly activationPerToken: number | null;
}

export interface Estimate {
  readonly setup: TrainingSetup;
  readonly parameters: Parameters | null;
  readonly states: StateMemory | null;
  readonly throughput: Throughput | null;
  /** By convention; empty where there is no time. */
  readonly mfus: readonly NamedMfu[];
  readonly bounds: { readonly lowerSeconds: number; readonly upperSeconds: number; readonly coverage: number } | null;
  readonly time: Readonly<Record<TimePart, number>> | null;
  readonly hidden: Readonly<Record<HiddenPart, number>> | null;
  readonly memory: MemoryEstimate | null;
  readonly pipeline: PipelineEstimate | null;
  /** Published runs most like the setup, the nearest first; 'none' where none ran on its architecture. */
  readonly evidence:
    | 'none'
    | { readonly architecture: string; readonly stack: string; readonly runs: readonly EvidenceRun[] };
  readonly rules: readonly PlanRule[];
  readonly assumptions: readonly Assumption[];
  readonly problems: readonly Problem[];
}

/**
 * Estimates a setup as read; completes it first. `readProblems` are those of its files. Where only the figures count,
 * the look-up of published runs is left out: its first answer takes longer than a frame.
 */
export function estimate(
  read: TrainingSetup,
  readProblems: readonly Problem[] = [],
  nearest: typeof nearestRuns | null = nearestRuns,
): Estimate {
  const setup = completeSetup(read);
  const prepared = preparedOf(setup);
  const problems = [...readProblems, ...checkPlan(setup)];
  const nothing = {
    rules: [],
    mfus: [],
    throughput: null,
    bounds: null,
    time: null,
    hidden: null,
    memory: null,
    pipeline: null,
  };
  if (prepared === null) {
    problems.push(...missingSizes(setup.sizes).map(key => unknown(`model.${key}`)));
    return { setup, parameters: null, states: null, ...nothing, evidence: 'none', assumptions: [], problems };
  }
  const { parameters, tables } = prepared;
  problems.push(...unknowns(setup));
  const { plan } = setup;
  const blocked = problems.some(({ severity, code }) => severity === 'error' && code !== 'syntax');
  const base = {
    setup,
    parameters,
    states: stateMemory(setup, prepared),
    evidence: evidenceOf(setup, tables, nearest),
  };
  if (blocked || !isReady(plan)) return { ...base, ...nothing, assumptions: [], problems };
  const shape = scheduleProblem(scheduleShape(plan));
  if (shape !== null)
    return { ...base, ...nothing, assumptions: [], problems: [...problems, at(setup, shape, ['schedule', 'pp'])] };
  const memory = memoryEstimate(tables, plan, setup.cluster.capacityBytes);
  problems.push(...memoryProblems(setup, memory));
  const assumptions = assumptionsOf(setup, tables);
  if (tables.device === null) return { ...base, ...nothing, memory, assumptions, problems };
  const out = new Float64Array(OUT.length);
  evaluate(tables, plan, out);
  const rules = planRules(tables, plan, setup.cluster.nicBytesPerSecond);
  return { ...base, rules, memory, ...timeEstimate(tables, plan, out), assumptions, problems };
}

function timeEstimate(tables: Tables, plan: ReadyPlan, out: Float64Array) {
  const stepSeconds = out[OUT.stepSeconds] ?? 0;
  const time = Object.fromEntries(TIME_PARTS.map((part, i) => [part, out[OUT.parts + i] ?? 0])) as Record<
    TimePart,
    number
  >;
  const hidden = Object.fromEntries(HIDDEN_PARTS.map((part, i) => [part, out[OUT.hidden + i] ?? 0])) as Record<
    HiddenPart,
    number
  >;
  const width = stepWidth(tables, plan.stack);
  const throughput = throughputOf(tables, plan, stepSeconds, time);
  return {
    throughput,
    mfus: namedMfus(tables, plan, throughput),
    bounds: {
      lowerSeconds: stepSeconds * Math.exp(-width),
      upperSeconds: stepSeconds * Math.exp(width),
      coverage: UNCERTAINTY.coverage,
    },
    time,
    hidden,
    pipeline: {
      schedule: plan.schedule,
      stages: plan.pp,
      microBatches: microBatches(plan),
      bubbleFraction: out[OUT.bubbleFraction] ?? 0,
      spanBubbleFraction: out[OUT.spanBubbleFraction] ?? 0,
      virtual: plan.vpp,
      stageSeconds: stageTimes(tables, plan),
    },
  };
}

export function throughputOf(
  tables: Tables,
  plan: ReadyPlan,
  stepSeconds: number,
  time: Readonly<Record<TimePart, number>>,
): Throughput {
  const gpus = plan.dp * plan.tp * plan.cp * plan.pp;
  const tokens = plan.globalBatch * plan.seqLen;
  const [{ name: convention, perToken }] = conventionsOf(tables, plan);
  const peak = tables.device?.accelerator.peakFlopsPerSecond;
  const rate = peak?.bf16 ?? peak?.fp16 ?? 0;
  const modelRate = (tokens * perToken) / stepSeconds / gpus;
  // Recomputed FLOPs follow the recomputed share of the forward pass, which is a third of forward and backward.
  const repeated = time.forward > 0 ? time.recompute / time.forward / 3 : 0;
  return {
    stepSeconds,
    tokensPerSecondPerGpu: tokens / stepSeconds / gpus,
    modelFlopsPerSecondPerGpu: modelRate,
    mfu: modelRate / rate,
    hfu: (modelRate * (1 + repeated)) / rate,
    convention,
  };
}

function conventionsOf({ model }: Tables, { seqLen, adapter }: ReadyPlan) {
  return flopsConventions(model, seqLen, adapter !== 'none');
}

/** MFU under every convention, and for FP8 of both peaks: what a published figure may be compared with. */
function namedMfus(tables: Tables, plan: ReadyPlan, { mfu }: Throughput): NamedMfu[] {
  const conventions = conventionsOf(tables, plan);
  const { peak16, peak8 } = tables.device?.rates ?? { peak16: 1, peak8: null };
  const peaks =
    plan.dtype === 'fp8' && peak8 !== null
      ? ([
          ['bf16', 1],
          ['fp8', peak16 / peak8],
        ] as const)
      : ([['bf16', 1]] as const);
  return peaks.flatMap(([peak, scale]) =>
    conventions.map(({ name, perToken }) => ({
      convention: name,
      peak,
      mfu: mfu * scale * (perToken / conventions[0].perToken),
    })),
  );
}

function memoryProblems(setup: TrainingSetup, memory: MemoryEstimate): Problem[] {
  const { capacityBytes, peakBytes, lowerBytes, upperBytes, peakStage } = memory;
  if (capacityBytes === null) return [];
  const args = { peakBytes, lowerBytes, upperBytes, capacityBytes, stage: peakStage };
  const keys: PlanKey[] = ['microBatch', 'dp', 'pp', 'tp', 'seqLen'];
  if (peakBytes > capacityBytes) {
    const severity = lowerBytes > capacityBytes ? 'error' : 'warning';
    return [at(setup, problem('out-of-memory', args, { severity }), keys)];
  }
  return upperBytes > capacityBytes ? [at(setup, problem('memory-uncertain', args), keys)] : [];
}

/** Places a problem at the first of the keys that a file states. */
function at(setup: TrainingSetup, found: Problem, keys: readonly PlanKey[]): Problem {
  const sources = keys
    .map(key => setup.fields.get(`plan.${key}`)?.source)
    .filter(source => source !== undefined && source !== null);
  return { ...found, source: sources[0] ?? null };
}

function unknown(key: FieldPath): Problem {
  return problem('value-unknown', { key });
}

function unknowns(setup: TrainingSetup): Problem[] {
  const found = missingPlanKeys(setup.plan)
    .filter(key => key !== 'dp' || setup.cluster.gpus !== null)
    .map(key => unknown(`plan.${key}`));
  const { gpu, gpus } = setup.cluster;
  if (gpu === null || !isAcceleratorId(gpu)) found.push(problem('cluster-unknown', { what: 'gpu' }));
  else if (gpus === null) found.push(problem('cluster-unknown', { what: 'gpus' }));
  return found;
}

function stateMemory({ plan }: TrainingSetup, { parameters, tables }: Prepared): StateMemory {
  const one = {
    ...plan,
    dp: 1,
    tp: 1,
    cp: 1,
    pp: 1,
    vpp: 1,
    ep: 1,
    etp: 1,
    sp: false,
    microBatch: 1,
    globalBatch: 1,
    seqLen: plan.seqLen ?? 4096,
    stageLayers: null,
  };
  if (!isReady(one)) return { weights: 0, gradients: 0, optimizer: 0, activationPerToken: null };
  const bytes = stateBytes(one, stackOf(plan.stack));
  const { work, layout } = planContext(tables, one);
  const saved = layout.classes[0].kinds.reduce((sum, count, kind) => sum + count * work.layers[kind].savedBytes, 0);
  return {
    weights: bytes.weight * parameters.total,
    gradients: bytes.gradient * parameters.total,
    optimizer: bytes.optimizer * parameters.total,
    activationPerToken: saved / one.seqLen,
  };
}

const EVIDENCE_RUNS = 3;

function evidenceOf(
  setup: TrainingSetup,
  { device }: Tables,
  nearest: typeof nearestRuns | null,
): Estimate['evidence'] {
  if (device === null || nearest === null) return 'none';
  const runs = nearest(setup, EVIDENCE_RUNS);
  return runs.length === 0
    ? 'none'
    : { architecture: device.rates.architecture, stack: stackOf(setup.plan.stack).name, runs };
}

function assumptionsOf(setup: TrainingSetup, tables: Tables): Assumption[] {
  const { plan, cluster, fields } = setup;
  const found: Assumption[] = [];
  const defaults = [...fields]
    .filter(([path, { origin }]) => origin === 'default' && path.startsWith('plan.'))
    .map(([path]) => path.slice(5));
  if (defaults.length > 0) found.push({ code: 'defaults', args: { keys: defaults.join(', ') } });
  if (plan.attention === 'flash') found.push({ code: 'causal-flash', args: {} });
  found.push({
    code: 'allocator',
    args: { slack: stackOf(plan.stack).allocatorSlack, bytes: MEMORY_CONSTANTS.contextBytes },
  });
  if (tables.device !== null) {
    found.push({ code: 'capacity', args: { gpu: tables.device.accelerator.name, bytes: tables.device.capacityBytes } });
    const { evidence } = tables.device.constants;
    found.push({
      code: evidence === 'fitted' ? 'constants-fitted' : 'constants-assumed',
      args: { architecture: tables.device.accelerator.architecture },
    });
  }
  if (fields.get('cluster.nicBytesPerSecond')?.origin === 'default' && cluster.nodes !== null && cluster.nodes > 1) {
    found.push({ code: 'network-default', args: { bytesPerSecond: cluster.nicBytesPerSecond } });
  }
  if (setup.profile != null) found.push({ code: 'own-measurements', args: {} });
  if (stackOf(plan.stack).evidence === 'assumed') found.push({ code: 'stack-assumed', args: { stack: plan.stack } });
  return found;
}

/** Half-width of a step's interval on the logarithm: wider where there are no runs on the device or the stack. */
export function stepWidth({ device }: Tables, stack: string | null): number {
  const known = device?.constants.evidence === 'fitted' && stackOf(stack).evidence === 'fitted';
  return known ? UNCERTAINTY.knownStack : UNCERTAINTY.unknownStack;
}

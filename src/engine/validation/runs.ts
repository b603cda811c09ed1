/**
 * Published runs: a row of runs.csv as a setup with what was measured. What a row does not state and a prediction needs
 * is assumed and said so, or the row is skipped with its reason.
 */
import { isAcceleratorId } from '../hardware/accelerators';
import { completeSetup } from '../plan/complete';
import { FP8_RECIPES, type Plan, SCHEDULES, type ScheduleName } from '../plan/keys';
import { isReady } from '../plan/ready';
import { emptySetup, SetupBuilder, setupModel, type TrainingSetup } from '../setup/setup';
import { flag, number, text } from './cells';
import { parseCsv } from './csv';
import type { Row } from './pack';
import { readSizes, readTraits } from './runModels';

export type MemoryKind = 'allocated' | 'reserved' | 'device';

export interface Measured {
  readonly stepSeconds: number | null;
  readonly peakBytes: number | null;
  readonly memoryKind: MemoryKind;
  /** The peak is that of the first node's GPUs, on which a pipeline has its first stages. */
  readonly ofFirstNode: boolean;
  readonly oom: boolean | null;
}

export interface PublishedRun {
  readonly id: string;
  readonly source: string;
  readonly sourceName: string;
  readonly group: string;
  readonly sweep: string;
  readonly tier: string;
  readonly scores: readonly string[];
  readonly setup: TrainingSetup;
  readonly measured: Measured;
  readonly assumed: readonly string[];
  /** Why it cannot be predicted; null where it can. */
  readonly reason: string | null;
}

/** The runs of a text in the form of runs.csv. */
export function readRuns(csv: string): PublishedRun[] {
  return parseCsv(csv).map(readRun);
}

export function readRun(row: Row): PublishedRun {
  const assumed: string[] = [];
  const setup = readSetup(row, assumed);
  return {
    id: row.id ?? '',
    source: row.source_key ?? '',
    sourceName: row.source ?? '',
    group: row.group ?? '',
    sweep: row.sweep ?? '',
    tier: row.tier ?? '',
    scores: (row.scores ?? '').split('+'),
    setup,
    measured: readMeasured(row),
    assumed,
    reason: reasonToSkip(setup),
  };
}

function readMeasured(row: Row): Measured {
  const peak = number(row.peak_mem_gb);
  const unit = row.mem_unit === 'GB' ? 1e9 : 2 ** 30;
  const kind = row.mem_kind;
  return {
    stepSeconds: number(row.step_time_s),
    peakBytes: peak === null ? null : peak * unit,
    memoryKind: kind === 'reserved' || kind === 'device' ? kind : 'allocated',
    // Sources that watched all nodes say so; one that did not ran out of memory below the figures that it gives.
    ofFirstNode: kind === 'device' && /nvidia-smi memory/.test(row.notes ?? ''),
    oom: row.oom === '1' ? true : row.oom === '0' ? false : null,
  };
}

function reasonToSkip(setup: TrainingSetup): string | null {
  const { plan, cluster } = setup;
  if (setupModel(setup) === null) return 'model-sizes-unknown';
  if (cluster.gpu === null || !isAcceleratorId(cluster.gpu)) return 'device-unknown';
  if (cluster.gpus === null) return 'gpus-unknown';
  if (plan.seqLen === null) return 'sequence-unknown';
  if (plan.globalBatch === null) return 'batch-unknown';
  if (plan.dp === null) return 'layout-unknown';
  if (worldOf(plan) !== cluster.gpus) return 'world-size';
  return isReady(plan) ? null : 'plan-incomplete';
}

function worldOf({ dp, tp, cp, pp }: Plan): number {
  return (dp ?? 1) * (tp ?? 1) * (cp ?? 1) * (pp ?? 1);
}

function readSetup(row: Row, assumed: string[]): TrainingSetup {
  const builder = new SetupBuilder(emptySetup());
  Object.assign(builder.sizes, readSizes(row, assumed));
  builder.traits = readTraits(row);
  readPlan(row, builder.plan, assumed);
  const { cluster } = builder;
  // Neuron's rows count cores, two a chip.
  cluster.gpu = row.gpu === 'trn1' && row.gpus_per_node === '32' ? 'trn1-core' : text(row.gpu);
  cluster.gpus = number(row.gpus);
  cluster.gpusPerNode = number(row.gpus_per_node);
  if (cluster.gpusPerNode !== null && cluster.gpus !== null) {
    cluster.gpusPerNode = Math.min(cluster.gpusPerNode, Math.max(1, cluster.gpus));
  }
  cluster.nicBytesPerSecond = readNetwork(
    text(row.inter_link) ?? REPORTED_LINKS[row.stack ?? ''] ?? '',
    number(row.gpus_per_node) ?? 8,
  );
  if (/NVL72/.test(row.intra_link ?? '')) cluster.domainSize = 72;
  return completeSetup(builder.build());
}

function readPlan(row: Row, plan: Plan, assumed: string[]): void {
  const stack = readStack(row);
  const tp = number(row.tp) ?? 1;
  plan.stack = stack;
  plan.tp = tp;
  plan.pp = number(row.pp) ?? 1;
  plan.cp = number(row.cp) ?? 1;
  plan.ep = number(row.ep) ?? 1;
  plan.vpp = plan.pp > 1 ? (number(row.vpp) ?? 1) : 1;
  plan.dp = number(row.dp);
  const gpus = number(row.gpus);
  if (plan.dp === null && gpus !== null) plan.dp = gpus / (tp * plan.pp * plan.cp);
  if (plan.dp !== null && !Number.isInteger(plan.dp)) plan.dp = null;
  plan.etp = /expert-TP=(\d+)/.test(row.notes ?? '') ? Number(/expert-TP=(\d+)/.exec(row.notes ?? '')?.[1]) : 1;
  if (tp > 1 && (row.sp ?? '') === '' && SHARDS_SEQUENCES.test(stack ?? '')) assumed.push('sp');
  plan.sp = tp > 1 && (row.sp === '1' || assumed.includes('sp'));
  plan.seqLen = number(row.seq_len);
  plan.globalBatch = number(row.global_batch);
  plan.microBatch = number(row.micro_batch);
  if (plan.microBatch === null) {
    assumed.push('microBatch');
    plan.microBatch = likelyMicroBatch(plan);
  }
  readPrecision(row, plan, assumed);
  readSharding(row, plan, assumed);
  readRecompute(row.recompute ?? '', plan, assumed);
  plan.attention = row.flash_attention === '0' ? 'unfused' : 'flash';
  plan.schedule = readSchedule(row.schedule ?? '', plan);
  if (plan.cp > 1 && /context parallel by all-to-all/.test(row.notes ?? '')) plan.cpKind = 'all-to-all';
  plan.compiled = flag(row.compiled);
  plan.kernels = readKernels(row);
  plan.tpOverlap = (row.kernels ?? '').includes('tp-overlap') ? true : null;
  if (row.offload === 'cpu') {
    plan.offload = 'optimizer';
    plan.offloadDevice = 'cpu';
  }
}

/** Stacks whose recipes shard the sequence wherever they shard tensors. */
const SHARDS_SEQUENCES = /^(torchtitan|nemo|megatron-core|neuron)/;

/** Rows of torchtitan do not state its age; those of April 2025 and later are told by their source's date. */
function readStack(row: Row): string | null {
  const stack = text(row.stack);
  if (stack !== 'torchtitan' || row.compiled !== '1') return stack;
  return /2026|(Jun|Aug)[- ]2025|GraphTrainer/.test(`${row.source ?? ''} ${row.notes ?? ''}`)
    ? stack
    : 'torchtitan-2024';
}

/** Kernels that stand in the notes alone. */
const NOTED_KERNELS: readonly (readonly [sign: RegExp, kernel: string])[] = [
  [/chunked cross entropy/, 'chunked-loss'],
  [/\bDeepEP\b/, 'deepep'],
  [/\bHybridEP\b/, 'hybridep'],
  [/\bEP overlap\b/, 'ep-overlap'],
  [/\bCUDA graphs\b/, 'cuda-graphs'],
];

function readKernels(row: Row): string | null {
  const noted = NOTED_KERNELS.filter(([sign]) => sign.test(row.notes ?? '')).map(([, kernel]) => kernel);
  return text([row.kernels ?? '', ...noted].filter(name => name !== '').join('+'));
}

/** Without a pipeline most run the whole batch at once. */
function likelyMicroBatch({ pp, dp, globalBatch }: Plan): number {
  const whole = (globalBatch ?? 1) / (dp ?? 1);
  return pp === 1 && Number.isInteger(whole) && whole <= MOST_ASSUMED ? whole : 1;
}

const MOST_ASSUMED = 32;

function readPrecision(row: Row, plan: Plan, assumed: string[]): void {
  const dtype = row.dtype === 'fp4' ? 'nvfp4' : row.dtype;
  if (dtype === '') assumed.push('dtype');
  plan.dtype = dtype === 'fp16' || dtype === 'fp32' || dtype === 'fp8' || dtype === 'nvfp4' ? dtype : 'bf16';
  plan.fp8Recipe = FP8_RECIPES.find(recipe => recipe === row.fp8_recipe) ?? null;
  plan.optimizer = 'adamw';
  const adapter = /q?lora/i.exec(`${row.model ?? ''} ${row.notes ?? ''}`)?.[0].toLowerCase();
  if (adapter !== undefined) plan.adapter = adapter === 'qlora' ? 'qlora' : 'lora';
}

function readSharding(row: Row, plan: Plan, assumed: string[]): void {
  const found = (['none', 'zero1', 'zero2', 'zero3', 'hsdp'] as const).find(name => name === row.sharding);
  if (found === undefined) assumed.push('sharding');
  plan.sharding = found ?? 'zero1';
  // Weights that stay gathered after the forward pass are ZeRO-2's.
  if (/reshard_after_forward=never/.test(row.notes ?? '')) plan.sharding = 'zero2';
  plan.shardSize = number(row.shard_size);
}

/** `none`, `full`, `selective`, `selective:<what>`, or the names of what is repeated. */
function readRecompute(stated: string, plan: Plan, assumed: string[]): void {
  plan.recompute = 'none';
  if (stated === '') assumed.push('recompute');
  if (stated === '' && plan.stack?.startsWith('torchtitan') === true) {
    // What its configs set where they do not say.
    plan.recompute = 'selective';
    plan.recomputeOps = 'op';
    return;
  }
  if (stated === '' || stated === 'none') return;
  if (stated === 'full' || stated.startsWith('custom')) {
    plan.recompute = 'full';
    return;
  }
  plan.recompute = 'selective';
  plan.recomputeOps = stated.startsWith('partial') ? 'mlp' : (text(stated.replace(/^selective:?/, '')) ?? null);
}

function readSchedule(stated: string, plan: Plan): ScheduleName {
  if (plan.pp === 1) return 'none';
  const name = stated.split(' ')[0];
  const found = SCHEDULES.find(schedule => schedule === name);
  if (found !== undefined && found !== 'none' && !(found === '1f1b' && (plan.vpp ?? 1) > 1)) return found;
  return (plan.vpp ?? 1) > 1 ? 'interleaved-1f1b' : '1f1b';
}

/** Links that a report states and its rows do not, by stack: arXiv 2311.05610, read as one card a node. */
const REPORTED_LINKS: Readonly<Record<string, string | undefined>> = {
  'aleph-alpha-scaling-2023': 'IB HDR 200Gb/s per node',
};

/** Bytes per second of one GPU and direction, from texts such as `IB HDR 8x200Gb/s per node`. */
export function readNetwork(link: string, gpusPerNode: number): number | null {
  const several = /(?<!\d)(\d+)x ?(?:HDR |NDR )?(\d+) ?Gb/.exec(link);
  if (several !== null) return (Number(several[1]) * Number(several[2]) * 1e9) / 8 / gpusPerNode;
  const perGpu = /(?<!\d)(\d+) ?Gb\/s [\w\- ]*per GPU/.exec(link);
  if (perGpu !== null) return (Number(perGpu[1]) * 1e9) / 8;
  const perNode = (link.includes('per node') ? /(?<!\d)(\d+) ?Gb\/s/ : /(?<!\d)(\d+) ?Gbps\/node/).exec(link);
  if (perNode !== null) return (Number(perNode[1]) * 1e9) / 8 / gpusPerNode;
  return null;
}

/**
 * Where torchtitan's TOML keeps the plan, over its schemas from 2024-03 to 2026-02: degrees moved from [training] over
 * [experimental] to [parallelism], batch_size became local_batch_size. The newest name comes first.
 */
import type { Place } from '../places';

const SECTIONS = ['parallelism', 'experimental', 'training'];
const under = (key: string): string[] => SECTIONS.map(section => `${section}.${key}`);

/** Degrees with the default 1 of torchtitan/config (job_config.py). */
export const DEGREES: readonly Place[] = [
  { key: 'tp', at: [...under('tensor_parallel_degree'), 'training.sequence_parallel_degree'], absent: 1 },
  { key: 'cp', at: under('context_parallel_degree'), absent: 1 },
  { key: 'pp', at: under('pipeline_parallel_degree'), absent: 1 },
  { key: 'ep', at: under('expert_parallel_degree'), absent: 1 },
  { key: 'etp', at: under('expert_tensor_parallel_degree'), absent: 1 },
];

export const REPLICATE = under('data_parallel_replicate_degree');
export const SHARD = [...under('data_parallel_shard_degree'), 'training.data_parallel_degree'];
export const LOCAL_BATCH = ['training.local_batch_size', 'training.batch_size'];
export const GLOBAL_BATCH = ['training.global_batch_size'];
export const MICRO_BATCH = under('pipeline_parallel_microbatch_size');
export const SCHEDULE = under('pipeline_parallel_schedule');

export const SCHEDULE_WORDS = {
  '1F1B': '1f1b',
  GPipe: 'gpipe',
  Interleaved1F1B: 'interleaved-1f1b',
  InterleavedZeroBubble: 'zb-h1',
  ZBVZeroBubble: 'zb-v',
  DualPipeV: 'dualpipe-v',
  LoopedBFS: 'breadth-first',
  '1f1b': '1f1b',
  gpipe: 'gpipe',
  interleaved_1f1b: 'interleaved-1f1b',
} as const;

/** Schedules that put two chunks on each stage. */
export const LOOPED: readonly (string | null)[] = ['interleaved-1f1b', 'zb-h1', 'zb-v', 'dualpipe-v', 'breadth-first'];

const ON = { true: true, false: false };

export const CHOICES: readonly Place[] = [
  { key: 'seqLen', at: ['training.seq_len'], absent: 2048 },
  {
    key: 'recompute',
    at: ['activation_checkpoint.mode'],
    words: { none: 'none', selective: 'selective', full: 'full', memory_budget: 'selective' },
    absent: 'selective',
  },
  { key: 'compiled', at: ['compile.enable', 'training.compile'], words: ON, absent: false },
  { key: 'tpOverlap', at: under('enable_async_tensor_parallel'), words: ON },
  { key: 'optimizer', at: ['optimizer.name'], words: { AdamW: 'adamw', Adam: 'adam', Muon: 'muon' }, absent: 'adamw' },
  {
    key: 'dtype',
    at: ['training.mixed_precision_param'],
    words: { bfloat16: 'bf16', float32: 'fp32', float16: 'fp16' },
    absent: 'bf16',
  },
  {
    key: 'gradDtype',
    at: ['training.mixed_precision_reduce'],
    words: { float32: 'fp32', bfloat16: 'bf16' },
    absent: 'fp32',
  },
];

/** What selective checkpointing does (config/job_config.py): by operator, or every n-th layer whole; 2 unless stated. */
export const SELECTIVE: Place = {
  key: 'recomputeOps',
  at: ['activation_checkpoint.selective_ac_option'],
  words: { op: 'op', 1: 'every-1', 2: 'every-2', 3: 'every-3', 4: 'every-4', 8: 'every-8' },
  absent: 'every-2',
};

/**
 * Layouts that were published with a run, as judges of the search: what its authors chose should be legal and among the
 * best tenth of all feasible plans for the same GPUs, batch and sequence.
 */
import { readConfig } from '../../src/engine/configs/registry';
import { zooEntry } from '../../src/engine/model/zoo';
import { invariant } from '../../src/engine/problem';
import type { TrainingSetup } from '../../src/engine/setup/setup';
import { DEFAULT_OPTIONS, type SearchResult } from '../../src/engine/search/result';
import { search } from '../../src/engine/search/search';
import type { Fixed } from '../../src/engine/search/points';
import { setupOf } from './testSetups';

export interface PublishedLayout {
  readonly name: string;
  readonly source: string;
  readonly setup: TrainingSetup;
  /** What the software of its time could do; null: all that is searched. */
  readonly era: Fixed | null;
  /** Why it may stand outside of the best tenth of today's plans, or not fit; null where neither may be. */
  readonly exception: string | null;
}

type Values = Readonly<Record<string, string | number>>;

function zoo(model: string): TrainingSetup {
  const { setup } = readConfig('config.json', JSON.stringify(zooEntry(model)));
  invariant(setup !== null, `${model} is not in the zoo`);
  return setup;
}

function gpt(layers: number, hidden: number, heads: number): TrainingSetup {
  return setupOf({
    layers,
    hidden,
    ffn: 4 * hidden,
    heads,
    kvHeads: heads,
    headDim: hidden / heads,
    vocab: 51200,
    gatedMlp: 'false',
    tied: 'true',
    seqLen: 2048,
    gpu: 'a100-80',
    dtype: 'bf16',
  });
}

function layout(
  name: string,
  source: string,
  model: TrainingSetup,
  values: Values,
  { era = null, exception = null }: Partial<Pick<PublishedLayout, 'era' | 'exception'>> = {},
): PublishedLayout {
  return { name, source, setup: setupOf(values, model), era, exception };
}

/** Megatron-LM in 2021: no sequence parallelism, no selective recomputation, no sharded states, no zero-bubble schedule. */
const MEGATRON_2021 = {
  era: {
    sp: [false],
    tpOverlap: [false],
    cp: [1],
    recompute: ['none', 'full'],
    recomputeOps: [null],
    recomputeLayers: [null],
    sharding: ['none'],
    offload: ['none'],
    stageLayers: [null],
    schedule: ['none', 'gpipe', '1f1b', 'interleaved-1f1b'],
  },
  exception: 'recomputes everything, a quarter of its step, which selective recomputation has made needless since',
} as const;

const SC21 = 'Narayanan et al. 2021, arXiv 2104.04473, table 1';
const KORTHIKANTI = 'Korthikanti et al. 2022, arXiv 2205.05198, table 5';
const full = { tp: 8, sharding: 'none', recompute: 'full', stack: 'megatron-2021' };
const selective = {
  tp: 8,
  sp: 'true',
  sharding: 'none',
  recompute: 'selective',
  attention: 'unfused',
  stack: 'megatron-2022',
  microBatch: 1,
};

export const PUBLISHED: readonly PublishedLayout[] = [
  layout('Llama 3 405B on 16,384 H100', 'arXiv 2407.21783, table 4', zoo('meta-llama/llama-3.1-405b'), {
    gpu: 'h100-sxm',
    gpus: 16384,
    tp: 8,
    sp: 'true',
    pp: 16,
    dp: 128,
    seqLen: 8192,
    globalBatch: 2048,
    microBatch: 1,
    sharding: 'zero2',
    // 128 chunks of a layer, the first and the last of them empty (section 3.3.2).
    schedule: 'interleaved-1f1b',
    vpp: 8,
    stageLayers: [0, ...new Array<number>(126).fill(1), 0].join('/'),
  }),
  layout('DeepSeek-V3 on 2,048 H800', 'arXiv 2412.19437, sections 3.2 and 4.2', zoo('deepseek-ai/deepseek-v3'), {
    gpu: 'h800-sxm',
    gpus: 2048,
    pp: 16,
    ep: 64,
    dp: 128,
    seqLen: 4096,
    globalBatch: 15360,
    microBatch: 1,
    sharding: 'zero1',
    dtype: 'fp8',
    fp8Recipe: 'blockwise',
    schedule: 'dualpipe',
    recompute: 'selective',
    recomputeOps: 'layernorm+mla_up_proj+moe_act',
    kernels: 'deepep+ep-overlap',
    stack: 'deepseek',
  }),
  layout(
    'GPT 145.6B on 1,536 A100',
    SC21,
    gpt(80, 12288, 96),
    {
      ...full,
      gpus: 1536,
      pp: 8,
      vpp: 2,
      microBatch: 2,
      globalBatch: 2304,
      attention: 'unfused',
    },
    MEGATRON_2021,
  ),
  layout(
    'GPT 310B on 1,920 A100',
    SC21,
    gpt(96, 16384, 128),
    {
      ...full,
      gpus: 1920,
      pp: 16,
      vpp: 2,
      microBatch: 1,
      globalBatch: 2160,
      attention: 'unfused',
    },
    MEGATRON_2021,
  ),
  layout(
    'GPT 530B on 2,520 A100',
    SC21,
    gpt(105, 20480, 128),
    {
      ...full,
      gpus: 2520,
      pp: 35,
      vpp: 3,
      microBatch: 1,
      globalBatch: 2520,
      attention: 'unfused',
    },
    MEGATRON_2021,
  ),
  layout(
    'GPT 1T on 3,072 A100',
    SC21,
    gpt(128, 25600, 160),
    {
      ...full,
      gpus: 3072,
      pp: 64,
      microBatch: 1,
      globalBatch: 3072,
      attention: 'unfused',
    },
    MEGATRON_2021,
  ),
  layout('GPT 175B on 64 A100', KORTHIKANTI, gpt(96, 12288, 96), {
    ...selective,
    gpus: 64,
    pp: 8,
    vpp: 3,
    globalBatch: 64,
  }),
  layout('GPT 530B on 280 A100', KORTHIKANTI, gpt(105, 20480, 128), {
    ...selective,
    gpus: 280,
    pp: 35,
    vpp: 3,
    globalBatch: 280,
  }),
  layout('GPT 1T on 512 A100', KORTHIKANTI, gpt(128, 25600, 160), {
    ...selective,
    gpus: 512,
    pp: 64,
    globalBatch: 512,
  }),
];

/** The search around a published layout. */
export function searched({ setup }: PublishedLayout, fixed: Fixed): SearchResult {
  const run = search(setup, { ...DEFAULT_OPTIONS, fixed });
  let step = run.next();
  while (step.done !== true) step = run.next();
  return step.value;
}

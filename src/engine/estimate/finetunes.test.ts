import assert from 'node:assert/strict';
import { emptySizes } from '../model/sizes';
import { LLAMA_TRAITS } from '../model/traits';
import type { ReadyPlan } from '../plan/ready';
import { emptyCluster, emptySetup, SetupBuilder } from '../setup/setup';
import { estimate } from './estimate';

/**
 * Published fine-tuning on 1 to 8 cards, outside the calibration. The three runs at 256 tokens set the host's time of
 * models in plain Python and of ZeRO-3 (`assumedHostFactor`, `zero3Launches`); nothing was fitted to the others.
 */
interface Run {
  readonly name: string;
  readonly hidden: number;
  readonly layers: number;
  readonly ffn: number;
  readonly heads: number;
  readonly vocab: number;
  readonly gpu: string;
  readonly gpus: number;
  readonly plan: Partial<ReadyPlan>;
  readonly stepSeconds: number;
}

const LLAMA_7B = { hidden: 4096, layers: 32, ffn: 11008, heads: 32, vocab: 32000 };
const QWEN_7B = { ...LLAMA_7B, vocab: 151936 };
const QWEN_14B = { hidden: 5120, layers: 40, ffn: 13696, heads: 40, vocab: 152064 };
const QWEN_1_8B = { hidden: 2048, layers: 24, ffn: 5504, heads: 16, vocab: 151936 };

/** QwenLM/Qwen, README, "Profiling of Memory and Speed": one A100 80 GB, batch 1, 8 accumulations, seconds an iteration. */
const qwen = (model: typeof QWEN_7B, name: string, seqLen: number, stepSeconds: number, plan: Partial<ReadyPlan>) => ({
  name: `${name}, ${seqLen} tokens`,
  ...model,
  gpu: 'a100-80',
  gpus: 1,
  plan: { seqLen, microBatch: 1, globalBatch: 8, ...plan },
  stepSeconds,
});
const LORA = { adapter: 'lora', adapterRank: 64, stack: 'transformers' } as const;
const ZERO3 = { sharding: 'zero3', stack: 'deepspeed' } as const;

/**
 * AnswerDotAI/fsdp_qlora, benchmarks_03_2024.md: 1,024 samples of 2,048 tokens, the seconds of the whole over the steps.
 */
const answer = (name: string, gpu: string, microBatch: number, seconds: number, adapter: 'lora' | 'qlora') => ({
  name,
  ...LLAMA_7B,
  gpu,
  gpus: 2,
  plan: {
    ...{ seqLen: 2048, microBatch, globalBatch: 2 * microBatch, adapter, adapterRank: 64 },
    ...{ sharding: 'none', stack: 'accelerate' },
  } as Partial<ReadyPlan>,
  stepSeconds: (seconds * 2 * microBatch) / 1024,
});

const RUNS: readonly Run[] = [
  qwen(QWEN_1_8B, 'Qwen 1.8B, LoRA', 256, 1.0, LORA),
  qwen(QWEN_1_8B, 'Qwen 1.8B, LoRA', 8192, 6.8, LORA),
  qwen(QWEN_7B, 'Qwen 7B, LoRA', 256, 1.2, LORA),
  qwen(QWEN_7B, 'Qwen 7B, LoRA', 2048, 5.2, LORA),
  qwen(QWEN_7B, 'Qwen 7B, LoRA', 8192, 21.3, LORA),
  qwen(QWEN_14B, 'Qwen 14B, LoRA', 4096, 17.0, LORA),
  qwen(QWEN_1_8B, 'Qwen 1.8B, ZeRO-3', 256, 2.1, ZERO3),
  qwen(QWEN_1_8B, 'Qwen 1.8B, ZeRO-3', 4096, 2.8, ZERO3),
  answer('Llama 2 7B on two RTX 4090, LoRA', 'rtx-4090', 4, 437, 'lora'),
  answer('Llama 2 7B on two RTX 3090, QLoRA', 'rtx-3090', 8, 875, 'qlora'),
];

function stepSeconds({ gpu, gpus, plan, hidden, layers, ffn, heads, vocab }: Run): number {
  const builder = new SetupBuilder(emptySetup());
  Object.assign(builder.cluster, emptyCluster(), { gpu, gpus });
  Object.assign(builder.plan, { recompute: 'full', ...plan });
  const sizes = { hidden, layers, ffn, heads, kvHeads: heads, headDim: 128, vocab, tied: false, gatedMlp: true };
  Object.assign(builder.sizes, emptySizes(), sizes);
  builder.traits = LLAMA_TRAITS;
  const seconds = estimate(builder.build(), [], null).throughput?.stepSeconds;
  assert.ok(seconds !== undefined && seconds !== null);
  return seconds;
}

describe('published fine-tuning', () => {
  for (const run of RUNS)
    it(`${run.name}: within 20 % of ${run.stepSeconds.toFixed(2)} s`, () => {
      const error = stepSeconds(run) / run.stepSeconds - 1;
      assert.ok(Math.abs(error) < 0.2, `${(100 * error).toFixed(1)} %`);
    });
});

/** Builders of torchtune against the published models of the same name. */
import assert from 'node:assert/strict';
import { zooEntry } from '../../model/zoo';
import { zooSetup } from '../zooModel';
import { BUILDERS } from './keys';

/**
 * Layers, heads, kv heads, hidden, feed-forward, vocabulary as torchtune bd2a0fc7 passes them
 * (torchtune/models/NAME/_model_builders.py).
 */
const STATED: Readonly<Record<string, readonly number[]>> = {
  llama2_7b: [32, 32, 32, 4096, 11008, 32000],
  llama2_13b: [40, 40, 40, 5120, 13824, 32000],
  llama2_70b: [80, 64, 8, 8192, 28672, 32000],
  llama3_8b: [32, 32, 8, 4096, 14336, 128256],
  llama3_1_405b: [126, 128, 8, 16384, 53248, 128256],
  llama3_2_1b: [16, 32, 8, 2048, 8192, 128256],
  llama3_2_3b: [28, 24, 8, 3072, 8192, 128256],
  mistral_7b: [32, 32, 8, 4096, 14336, 32000],
  phi3_mini: [32, 32, 32, 3072, 8192, 32064],
  phi4_14b: [40, 40, 10, 5120, 17920, 100352],
  gemma_2b: [18, 8, 1, 2048, 16384, 256000],
  gemma_7b: [28, 16, 16, 3072, 24576, 256000],
  gemma2_2b: [26, 8, 4, 2304, 9216, 256000],
  gemma2_9b: [42, 16, 8, 3584, 14336, 256000],
  gemma2_27b: [46, 32, 16, 4608, 36864, 256000],
  qwen2_0_5b: [24, 14, 2, 896, 4864, 151936],
  qwen2_1_5b: [28, 12, 2, 1536, 8960, 151936],
  qwen2_7b: [28, 28, 4, 3584, 18944, 152064],
  qwen2_5_3b: [36, 16, 2, 2048, 11008, 151936],
  qwen2_5_14b: [48, 40, 8, 5120, 13824, 152064],
  qwen2_5_32b: [64, 40, 8, 5120, 27648, 152064],
  qwen2_5_72b: [80, 64, 8, 8192, 29568, 152064],
  qwen3_0_6b: [28, 16, 8, 1024, 3072, 151936],
  qwen3_1_7b: [28, 16, 8, 2048, 6144, 151936],
  qwen3_4b: [36, 32, 8, 2560, 9728, 151936],
  qwen3_8b: [36, 32, 8, 4096, 12288, 151936],
  qwen3_14b: [40, 40, 8, 5120, 17408, 151936],
  qwen3_32b: [64, 64, 8, 5120, 25600, 151936],
};

describe('builders of torchtune', () => {
  it('name models that are known', () => {
    for (const id of Object.values(BUILDERS)) assert.ok(zooEntry(id) !== null, id);
  });

  it('have the sizes of the published models', () => {
    for (const [builder, sizes] of Object.entries(STATED)) {
      const entry = zooEntry(BUILDERS[builder] ?? '');
      const found = entry === null ? null : (zooSetup(entry)?.sizes ?? null);
      assert.ok(found !== null, builder);
      const { layers, heads, kvHeads, hidden, ffn, vocab } = found;
      assert.deepEqual([builder, layers, heads, kvHeads, hidden, ffn, vocab], [builder, ...sizes]);
    }
  });
});

/** The trainings that the search is measured on. */
import { readConfig } from '../../src/engine/configs/registry';
import { zooEntry } from '../../src/engine/model/zoo';
import { invariant } from '../../src/engine/problem';
import type { TrainingSetup } from '../../src/engine/setup/setup';
import { setupOf } from './testSetups';

/** A model of the zoo on a cluster. */
function training(model: string, values: Readonly<Record<string, string | number>>): TrainingSetup {
  const { setup } = readConfig('config.json', JSON.stringify(zooEntry(model)));
  invariant(setup !== null, `${model} is not in the zoo`);
  return setupOf(values, setup);
}

const GPT3 = {
  layers: 96,
  hidden: 12288,
  ffn: 49152,
  heads: 96,
  kvHeads: 96,
  headDim: 128,
  vocab: 51200,
  gatedMlp: 'false',
  tied: 'true',
};

export const CASES: Readonly<Record<string, TrainingSetup>> = {
  'llama-3-8b on 64': training('meta-llama/meta-llama-3-8b', {
    gpu: 'h100-sxm',
    gpus: 64,
    globalBatch: 256,
    seqLen: 8192,
  }),
  'llama-3-70b on 512': training('meta-llama/meta-llama-3-70b', {
    gpu: 'h100-sxm',
    gpus: 512,
    globalBatch: 1024,
    seqLen: 8192,
  }),
  'deepseek-v3 on 2,048': training('deepseek-ai/deepseek-v3', {
    gpu: 'h800-sxm',
    gpus: 2048,
    globalBatch: 15360,
    seqLen: 4096,
    dtype: 'fp8',
  }),
  'gpt-3-175b on 4,096': setupOf({
    ...GPT3,
    gpu: 'a100-80',
    gpus: 4096,
    globalBatch: 1536,
    seqLen: 2048,
    stack: 'megatron-core',
  }),
};

/** What spoils a measurement, in words: found in the code of a benchmark or in its results. */
import { type Sentence, text } from './args';
import { translated } from './language';
import { SLOVAK } from './pitfalls.sk';

const ENGLISH = {
  'reduce-scatter-output': ({ ranks }) =>
    `This bandwidth of reduce-scatter counts the bytes of its output: it is ${ranks === undefined ? 'the number of ranks' : text(ranks)} times too low. nccl-tests counts the input.`,
  'duration-zero': () =>
    'A duration of 0 is printed: it is lost in rounding or in its unit; the bandwidth beside it tells the time.',
  'gib-as-gb': () => 'Bytes are divided by 1024³ and called GB: the figure is in GiB, 7.4 % below GB.',
  'no-warm-up': ({ name }) =>
    `${text(name)} is timed without a warm-up: the first call sets up connections and kernels.`,
  'single-sample': ({ name }) =>
    `${text(name)} is timed once: one sample tells nothing of the spread. Take the median of ten or more.`,
  'sync-without-device': () =>
    'torch.cuda.synchronize() without torch.cuda.set_device(rank) waits for GPU 0 on every rank, not for the rank’s own.',
  'no-sync': ({ name }) => `${text(name)} is timed without waiting for the GPU: only its launch is measured.`,
  'reseeded-shards': ({ name }) =>
    `${text(name)} seeds the generator with a constant at each call: all layers and all shards get the same weights, and are no slices of one model.`,
  'shard-scale': ({ name }) =>
    `These weights are scaled by the size of the shard (${text(name)}): they are too large by the root of the number of shards, and no slices of the serial model’s. Scale them by the whole size.`,
  'range-skips-first': ({ name }) => `range(${text(name)}, 0, −1) ends at 1: layer 0 is never reached.`,
} satisfies Readonly<Record<string, Sentence>>;

export const PITFALLS: Readonly<Record<string, Sentence>> = translated(ENGLISH, SLOVAK);

/** Words of the page that replays the lecture. {name} stands for a value. */
import type { SceneCode, SceneColumn } from '../../src/documents/lectureScenes';
import type { LecturePageName } from '../../src/protocol/lecture';
import { fill, translated } from '../../src/words/language';
import { SLOVAK } from './words.sk';

const ENGLISH = {
  title: 'The lecture, step by step',
  source:
    'Stanford CS336, spring 2025, lecture 8: its collectives and its three demonstrations, with the backward passes that it leaves as exercises. The numbers are those of a run on a simulated mesh, with weights that are slices of one serial network.',
  demo: 'Demonstration',
  previous: 'Previous',
  next: 'Next',
  play: 'Play',
  pause: 'Pause',
  noPlay: 'Nothing plays by itself where motion is reduced: use Next.',
  keys: 'Keys: ← and → go a step, Home and End to the ends, P plays and pauses.',
  place: 'Step {step} of {steps}',
  running: 'The demonstration runs…',
  failed: 'The demonstration broke off: {message}',
  rank: 'Rank',
  ranksTable: 'What each rank has at this step',
  printed: 'What the lecture prints here',
  printedNothing: 'The lecture prints nothing here.',

  'demo-collectives': 'Collectives',
  'demo-data-parallel': 'Data parallelism',
  'demo-tensor-parallel': 'Tensor parallelism',
  'demo-pipeline-parallel': 'Pipeline parallelism',

  'column-held': 'Holds',
  'column-sends': 'Sends chunks → to rank',
  'column-rows': 'Rows',
  'column-columns': 'Columns',
  'column-layers': 'Layers',
  'column-weights': 'Weights, first value each',
  'column-loss': 'Loss',
  'column-own': 'Its own',
  'column-whole': 'After the exchange',
  'column-sent': 'Sends',
  'column-received': 'Receives',
  'column-gradients': 'Gradients, first value each',

  'scene-start': '{op} begins. Each rank holds what the lecture gives it; a dot is what it does not hold.',
  'scene-step':
    '{op}, step {step} of {steps} round the ring: each rank sends chunks to the next, which adds or takes them.',
  'scene-end': '{op} has ended, after {steps} steps round the ring.',
  'scene-dp-slice': 'The batch of {rows} rows of {columns} numbers is cut: each of {ranks} ranks takes {local} rows.',
  'scene-dp-weights': 'Every rank has the same {layers} layers, {columns} × {columns} weights each.',
  'scene-dp-loss': 'Each rank runs forward on its own rows and has a loss of its own. The losses differ.',
  'scene-dp-gradient':
    'Layer {layer}: gradients of different rows differ; an all-reduce averages them. This is the only difference to one device.',
  'scene-dp-end': 'Each rank steps its own optimizer. With the same gradients all have the same weights again.',
  'scene-tp-slice':
    'The layers are cut by columns: each of {ranks} ranks computes {local} of {columns}. All have the whole batch of {rows} rows.',
  'scene-tp-weights': 'Each rank holds {columns} × {local} weights of each layer.',
  'scene-tp-gather': 'Layer {layer} forward: each rank computes its columns, and an all-gather makes them whole.',
  'scene-tp-reduce':
    'Layer {layer} backward: each rank has the part of the input’s gradient that its columns cause, and an all-reduce sums the parts.',
  'scene-tp-gradients': 'Each rank has the gradients of its own columns, and sends none of them.',
  'scene-pp-slice':
    'The layers are cut by depth: each of {ranks} ranks has {local}. The batch is cut into {microBatches} micro-batches of {size} rows.',
  'scene-pp-forward': 'Micro-batch {microBatch} forward: the first rank sends its activations on.',
  'scene-pp-backward': 'Micro-batch {microBatch} backward: the last rank sends the gradient of its input back.',
  'scene-pp-end':
    'All micro-batches are done: the loss is {loss}, the serial run’s {serialLoss}; gradients differ from it by at most {difference} of a tensor’s largest.',
} satisfies Record<string, string> &
  Record<`scene-${SceneCode}`, string> &
  Record<`column-${SceneColumn}`, string> &
  Record<`demo-${LecturePageName}`, string>;

type LectureWord = keyof typeof ENGLISH;

/** Open for the test of its templates. */
export const LECTURE_WORDS = translated(ENGLISH, SLOVAK);

export function tell(key: LectureWord, values: Readonly<Record<string, string | number>> = {}): string {
  return fill(LECTURE_WORDS[key], values);
}

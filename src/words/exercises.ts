/** The exercises in words: their texts to fill in, and what is said of a solution. */
import type { ExerciseName } from '../engine/exercises/exercises';
import type { Finding, FindingCode } from '../engine/exercises/grade';
import { int, type Sentence, text, time } from './args';
import { SLOVAK, SLOVAK_DEADLOCKS, SLOVAK_NOTES, SLOVAK_TASKS, SLOVAK_TITLES } from './exercises.sk';
import { formatNumber } from './format';
import { plural, translated } from './language';

const ENGLISH_TITLES: Readonly<Record<ExerciseName, string>> = {
  'tensor-backward': 'Tensor parallelism: the backward pass',
  'pipeline-backward': 'Pipeline parallelism: the backward pass',
  'alternate-ring': 'An all-reduce that passes whole buffers round',
  'bucket-size': 'The best size of a gradient bucket',
};

export const EXERCISE_TITLES = translated(ENGLISH_TITLES, SLOVAK_TITLES);

/** The first line of a text names its exercise. */
const HEAD = '# MeshLens exercise: ';

export const EXERCISE_NAMES = Object.keys(ENGLISH_TITLES) as ExerciseName[];

/** The exercise of a text; null where it is none. */
export function exerciseOf(text: string): ExerciseName | null {
  return EXERCISE_NAMES.find(name => text.startsWith(`${HEAD}${name}`)) ?? null;
}

const ENGLISH_NOTES = {
  language: [
    'One statement a line: name = operation(argument, …). Nothing here is run as code: the statements',
    'are carried out on a simulated mesh. Save, then run “MeshLens: Exercise” again to have it graded.',
  ],
  passed: 'Right.',
  otherCalls: 'The ranks do not call the same things.',
};

const NOTES = translated(ENGLISH_NOTES, SLOVAK_NOTES);

const OPERATIONS = [
  'matmul(a, b)  transpose(a)  add(a, b)  divide(a, number)',
  'gelu_backward(dy, z): dy times the slope of gelu at z',
];

const ENGLISH_TASKS: Readonly<Record<ExerciseName, readonly string[]>> = {
  'tensor-backward': [
    'Each of 4 ranks holds w, its columns of a layer’s weights. Forward it has computed',
    'z = matmul(x, w), and y = all_gather(gelu(z)) over the columns of all ranks.',
    'Given x, w, z and dy (of all columns, on every rank), set',
    '  dw, the gradient of the rank’s w, and dx, the gradient of x, whole on every rank.',
    'Operations:',
    ...OPERATIONS.map(line => `  ${line}`),
    '  own_columns(a): the rank’s columns of a     all_gather(a): columns of all ranks',
    '  all_reduce_sum(a)  all_reduce_average(a)',
  ],
  'pipeline-backward': [
    'Each of 3 ranks holds a layer y = gelu(matmul(x, w)); the loss is the mean of y² on the last rank,',
    'over all 4 micro-batches. All forward passes are done. These statements run once a micro-batch with',
    'x, z = matmul(x, w) and y of that micro-batch, and w. gradient is zero at first and kept from one',
    'micro-batch to the next: in the end it must be the gradient of the rank’s w.',
    'Before a statement may stand  first:  last:  not first:  not last:  for the ranks that carry it out.',
    'Operations:',
    ...OPERATIONS.map(line => `  ${line}`),
    '  loss_gradient(y): of the mean over this micro-batch alone; micro_batches is a number',
    '  receive(next)  receive(previous)  send(next, a)  send(previous, a)',
  ],
  'alternate-ring': [
    'Each of 4 ranks has a buffer, own; its sum is own at first. Write an all-reduce in which whole buffers go',
    'round: in the end the sum of every rank must hold each rank’s buffer once.',
    'Each line is one step that all ranks take at once: send(what, where, then)',
    '  what: own, received (what came in the step before) or sum',
    '  where: next or previous',
    '  then: add or replace, what the receiver does to its sum with what comes',
  ],
  'bucket-size': [
    'Data parallelism reduces 8 GB of gradients over a network of 100 GB/s, in buckets. A bucket’s all-reduce',
    'runs beside the backward pass, which takes as long as all of them; each call costs 50 µs that nothing hides.',
    'How many bytes should a bucket have, so that the step is longer than the backward pass by the least?',
    'Write for example: bucket_bytes = 1e6',
  ],
};

const TASKS = translated(ENGLISH_TASKS, SLOVAK_TASKS);

export function exerciseTemplate(name: ExerciseName): string {
  const lines = [EXERCISE_TITLES[name], ...TASKS[name], '', ...NOTES.language].map(line => `# ${line}`.trimEnd());
  return [`${HEAD}${name}`, ...lines, '', ''].join('\n');
}

/** What is said of a right solution. */
export const passed = (): string => NOTES.passed;

const ENGLISH: Readonly<Record<FindingCode, Sentence>> = {
  syntax: ({ text: line }) => `“${text(line)}” is no statement: name = operation(argument, …).`,
  'too-long': ({ limit }) => `A solution has at most ${int(limit)} lines.`,
  'unknown-operation': ({ operation, known }) =>
    `There is no operation ${text(operation)} here. There are: ${text(known)}.`,
  'unknown-name': ({ name }) => `${text(name)} has no value at this place.`,
  arguments: ({ operation, expected }) =>
    operation === 'bucket_bytes'
      ? 'bucket_bytes must be a positive number.'
      : `${text(operation)} takes ${int(expected)} ${plural(int(expected), 'argument', 'arguments')} of another kind than these.`,
  shapes: ({ operation, left, right }) => `${text(operation)} cannot take ${text(left)} with ${text(right)}.`,
  'missing-result': ({ name }) => `${text(name)} is never set.`,
  'no-neighbour': ({ rank, direction, operation }) =>
    `Rank ${int(rank)} has no ${text(direction)} rank to ${text(operation)} with: a guard before the statement is missing or another direction.`,
  deadlock: ({ kind, from, to }) => DEADLOCKS[text(kind)]?.({ from, to }) ?? NOTES.otherCalls,
  differs: ({ name, rank, found, expected, difference }) =>
    difference === null
      ? `${text(name)} of rank ${int(rank)} is ${text(found)} where ${text(expected)} is expected.`
      : `${text(name)} of rank ${int(rank)} is wrong by ${formatNumber(Number(difference), 2)} of its largest value.`,
  'activation-skipped': ({ name }) =>
    `${text(name)} is that of a layer without gelu: dy must go through gelu_backward before it meets x or w.`,
  'input-gradient-partial': ({ rank, ranks }) =>
    `dx of rank ${int(rank)} is only the part of its own columns: x feeds the columns of all ${int(ranks)} ranks, so the parts must be summed.`,
  'input-gradient-averaged': ({ ranks }) =>
    `dx is ${int(ranks)} times too small: the ranks hold different columns, not different data, so their parts are summed, not averaged.`,
  'weight-gradient-reduced': () =>
    'dw is the sum over ranks of gradients that belong to different columns: each rank keeps its own, and nothing is reduced.',
  'last-micro-batch-only': ({ microBatches }) =>
    `gradient holds the last of ${int(microBatches)} micro-batches alone: each must be added to what the ones before have left.`,
  'not-averaged': ({ microBatches }) =>
    `gradient is ${int(microBatches)} times too large: loss_gradient is of one micro-batch’s mean, the loss the mean over all.`,
  'earlier-stage': ({ stage, right }) =>
    `Rank ${int(right)} is right and rank ${int(stage)} is not: what rank ${int(right)} sends back is not the gradient of its input.`,
  'contribution-missing': ({ from, steps, needed }) =>
    `The buffer of rank ${int(from)} never reaches rank 0: ${int(steps)} ${plural(int(steps), 'step', 'steps')}, where ${int(needed)} are needed.`,
  'contribution-repeated': ({ from, count, missing }) =>
    `The sum of rank 0 holds the buffer of rank ${int(from)} ${int(count)} times${Number(missing) >= 0 ? ` and that of rank ${int(missing)} not at all` : ''}: what is passed on must be what was received.`,
  'own-again': ({ count }) =>
    `The buffers have gone all the way round: each rank has added its own ${int(count)} times. One step less.`,
  'sum-forwarded': ({ from, count }) =>
    `A sum is passed on that holds the receiver’s earlier contributions already: the buffer of rank ${int(from)} is counted ${int(count)} times.`,
  'sum-replaced': () => 'What comes takes the place of the sum, and the rank’s own buffer is lost.',
  'too-much-traffic': ({ buffers, needed }) =>
    `The sum is right, but each rank sends ${int(buffers)} buffers where ${int(needed)} suffice.`,
  'count-not-bytes': ({ count }) =>
    `${int(count)} is about how many buckets there should be; asked are the bytes of one.`,
  megabytes: ({ megabytes }) => `${int(megabytes)} would be right in megabytes; asked are bytes.`,
  'one-bucket': ({ exposedSeconds, least }) =>
    `All gradients in one bucket: nothing is left to hide it, and ${time(exposedSeconds)} are exposed where ${time(least)} suffice.`,
  'bucket-small': ({ calls, exposedSeconds, least }) =>
    `Too small: ${int(calls)} calls cost more than they hide, ${time(exposedSeconds)} are exposed where ${time(least)} suffice.`,
  'bucket-large': ({ calls, exposedSeconds, least }) =>
    `Too large: the last of ${int(calls)} buckets is exposed whole, ${time(exposedSeconds)} where ${time(least)} suffice.`,
};

const ENGLISH_DEADLOCKS = {
  'unmatched-send': ({ from, to }) =>
    `Rank ${int(from)} sends to rank ${int(to)}, which never receives it: both wait for ever.`,
  'unmatched-receive': ({ from, to }) =>
    `Rank ${int(to)} waits for a message from rank ${int(from)} that is never sent.`,
  'missing-rank': ({ from, to }) => `Rank ${int(from)} waits in a collective that rank ${int(to)} never joins.`,
} satisfies Readonly<Record<string, Sentence>>;

const DEADLOCKS: Readonly<Record<string, Sentence>> = translated(ENGLISH_DEADLOCKS, SLOVAK_DEADLOCKS);

export const SENTENCES = translated(ENGLISH, SLOVAK);

export function findingMessage({ code, args }: Pick<Finding, 'code' | 'args'>): string {
  return SENTENCES[code](args);
}

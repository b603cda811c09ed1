/**
 * The lecture's demonstrations as scenes, one after the other: what each rank has at that moment, and the lines that the
 * lecture prints there. The values are those of the run that `meshlens lecture` prints, watched at each communication.
 */
import { buildSchedule } from '../engine/collectives/build';
import type { Program, Reply, Request } from '../engine/collectives/communicator';
import type { CollectiveOp } from '../engine/collectives/schedule';
import { traceSchedule } from '../engine/collectives/trace';
import { invariant } from '../engine/problem';
import { LECTURE_SIZES, type LectureSizes, lectureWeights } from '../engine/trainer/lecturePrograms';
import { lectureCommand, type LectureDemo, type LectureDocument, summary, type Watch } from './lecture';

export const SCENE_DEMOS = ['collectives', 'data-parallel', 'tensor-parallel', 'pipeline-parallel'] as const;
export type SceneDemo = (typeof SCENE_DEMOS)[number];

/** Columns of the table of a scene. */
export type SceneColumn =
  | 'held'
  | 'sends'
  | 'rows'
  | 'columns'
  | 'layers'
  | 'weights'
  | 'loss'
  | 'own'
  | 'whole'
  | 'sent'
  | 'received'
  | 'gradients';

export type SceneCode =
  | 'start'
  | 'step'
  | 'end'
  | 'dp-slice'
  | 'dp-weights'
  | 'dp-loss'
  | 'dp-gradient'
  | 'dp-end'
  | 'tp-slice'
  | 'tp-weights'
  | 'tp-gather'
  | 'tp-reduce'
  | 'tp-gradients'
  | 'pp-slice'
  | 'pp-forward'
  | 'pp-backward'
  | 'pp-end';

export interface LectureScene {
  readonly code: SceneCode;
  readonly args: Readonly<Record<string, string | number>>;
  readonly columns: readonly SceneColumn[];
  /** By rank: a text a column. */
  readonly ranks: readonly (readonly string[])[];
  /** Printed by the lecture at this point. */
  readonly lines: readonly string[];
}

export function lectureScenes(demo: SceneDemo, sizes: LectureSizes = LECTURE_SIZES): LectureScene[] {
  switch (demo) {
    case 'collectives':
      return collectiveScenes();
    case 'data-parallel':
      return dataParallelScenes(sizes);
    case 'tensor-parallel':
      return tensorParallelScenes(sizes);
    case 'pipeline-parallel':
      return pipelineScenes(sizes);
  }
}

/** A communication of a rank: the first values of what went in and what came out. */
interface Event {
  readonly kind: 'collective' | 'send' | 'receive';
  readonly before: Float32Array | null;
  readonly after: Float32Array | null;
}

/** Keeps what each rank says and hears, in its order. */
function watched(demo: LectureDemo, sizes: LectureSizes): { document: LectureDocument; events: readonly Event[][] } {
  const events: Event[][] = [];
  const watch: Watch = (program, rank) => listen(program, event => (events[rank.rank] ??= []).push(event));
  return { document: lectureCommand(demo, sizes, watch), events };
}

function* listen<T>(program: Program<T>, note: (event: Event) => void): Program<T> {
  let reply: Reply = undefined;
  for (;;) {
    const next = program.next(reply);
    if (next.done === true) return next.value;
    const request: Request = next.value;
    // Buffers may be reused: the first value is all that is shown of them.
    const before = request.kind === 'collective' || request.kind === 'send' ? first(request.data) : null;
    reply = yield request;
    if (request.kind === 'collective' || request.kind === 'send' || request.kind === 'receive')
      note({ kind: request.kind, before, after: reply instanceof Float32Array ? first(reply) : null });
  }
}

const first = (data: unknown): Float32Array | null => (data instanceof Float32Array ? data.slice(0, 1) : null);

const shown = (shape: readonly number[], values: Float32Array | null, isSmall = false): string => {
  invariant(values !== null, 'a message of the lecture holds floats');
  return summary(shape, values, isSmall);
};

const list = (values: readonly (number | null)[]): string => `[${values.map(value => value ?? '·').join(', ')}]`;

const OPS = ['all-reduce', 'reduce-scatter', 'all-gather'] as const satisfies readonly CollectiveOp[];

/** Each as the ring does it, step by step, on the lecture's own vectors. */
function collectiveScenes(): LectureScene[] {
  const { lines, values } = lectureCommand('collectives');
  const ranks = values['ranks'] as { input: number[]; reduceScatter: number[] }[];
  return OPS.flatMap(op => {
    const schedule = buildSchedule(op, 'ring', ranks.length);
    invariant(schedule !== null, `the ring does ${op}`);
    // All-gather begins with what reduce-scatter has left: rank r holds block r alone.
    const inputs = ranks.map(({ input, reduceScatter }) =>
      op === 'all-gather' ? input.map(() => reduceScatter[0]) : input,
    );
    const { before, steps } = traceSchedule(schedule, inputs);
    const printed = (when: string) => lines.filter(line => line.includes(`[${when} ${op}]`));
    const args = { op, steps: steps.length };
    return [
      { code: 'start', args, columns: ['held'], ranks: before.map(held => [list(held)]), lines: printed('before') },
      ...steps.map(({ step, held }, index): LectureScene => {
        const sends = held.map((_, rank) =>
          step
            .filter(({ from }) => from === rank)
            .map(({ to, first: chunk, count }) => `${list(range(chunk, count))} → ${to}`)
            .join(', '),
        );
        const isLast = index === steps.length - 1;
        return {
          code: isLast ? 'end' : 'step',
          args: { ...args, step: index + 1 },
          columns: ['sends', 'held'],
          ranks: held.map((have, rank) => [sends[rank], list(have)]),
          lines: isLast ? printed('after') : [],
        };
      }),
    ] satisfies LectureScene[];
  });
}

const range = (start: number, count: number): number[] => Array.from({ length: count }, (_, i) => start + i);

function dataParallelScenes(sizes: LectureSizes): LectureScene[] {
  const { rows, columns, layers } = sizes;
  const { document, events } = watched('data-parallel', sizes);
  const { lines, values } = document;
  const ranks = values['ranks'] as { startIndex: number; endIndex: number; loss: number }[];
  const shape = [columns, columns];
  const weights = range(0, layers).map(layer => shown(shape, lectureWeights(sizes, layer).slice(0, 1)));
  const args = { rows, columns, layers, local: rows / ranks.length, ranks: ranks.length };
  return [
    {
      code: 'dp-slice',
      args,
      columns: ['rows'],
      ranks: ranks.map(({ startIndex, endIndex }) => [`${startIndex} … ${endIndex - 1}`]),
      lines: [],
    },
    { code: 'dp-weights', args, columns: ['weights'], ranks: ranks.map(() => [weights.join(' ')]), lines: [] },
    { code: 'dp-loss', args, columns: ['loss'], ranks: ranks.map(({ loss }) => [String(loss)]), lines: [] },
    ...range(0, layers).map(
      (layer): LectureScene => ({
        code: 'dp-gradient',
        args: { ...args, layer },
        columns: ['own', 'whole'],
        ranks: events.map(said => [shown(shape, said[layer].before, true), shown(shape, said[layer].after, true)]),
        lines: [],
      }),
    ),
    {
      code: 'dp-end',
      args,
      columns: ['weights'],
      ranks: lines.map(line => [weightsOf(line)]),
      lines,
    },
  ];
}

/** The summaries that a printed line ends with. */
const weightsOf = (line: string): string => (line.match(/(?<!\d)\d+x\d+\[[^\][]*\]/g) ?? []).join(' ');

function tensorParallelScenes(sizes: LectureSizes): LectureScene[] {
  const { rows, columns, layers } = sizes;
  const { document, events } = watched('tensor-parallel', sizes);
  const { lines } = document;
  const local = columns / events.length;
  const args = { rows, columns, layers, local, ranks: events.length };
  const weights = (rank: number) =>
    range(0, layers).map(layer =>
      shown([columns, local], lectureWeights(sizes, layer, rank * local, local).slice(0, 1)),
    );
  const printed = (text: string) => lines.filter(line => line.includes(text));
  return [
    {
      code: 'tp-slice',
      args,
      columns: ['columns'],
      ranks: events.map((_, rank) => [`${rank * local} … ${(rank + 1) * local - 1}`]),
      lines: [],
    },
    {
      code: 'tp-weights',
      args,
      columns: ['weights'],
      ranks: events.map((_, rank) => [weights(rank).join(' ')]),
      lines: [],
    },
    ...range(0, layers).map(
      (layer): LectureScene => ({
        code: 'tp-gather',
        args: { ...args, layer },
        columns: ['own', 'whole'],
        ranks: events.map(said => [
          shown([rows, local], said[layer].before),
          shown([rows, columns], said[layer].after),
        ]),
        lines: layer === layers - 1 ? printed('forward pass') : [],
      }),
    ),
    ...range(0, layers).map(
      (index): LectureScene => ({
        code: 'tp-reduce',
        args: { ...args, layer: layers - 1 - index },
        columns: ['own', 'whole'],
        ranks: events.map(said => [
          shown([rows, columns], said[layers + index].before, true),
          shown([rows, columns], said[layers + index].after, true),
        ]),
        lines: [],
      }),
    ),
    {
      code: 'tp-gradients',
      args,
      columns: ['gradients'],
      ranks: printed('backward pass').map(line => [weightsOf(line)]),
      lines: printed('backward pass'),
    },
  ];
}

function pipelineScenes(sizes: LectureSizes): LectureScene[] {
  const { rows, columns, layers } = sizes;
  const { document, events } = watched('pipeline-parallel', sizes);
  const { lines, values } = document;
  const microBatches = values['microBatches'] as number;
  const [local, size] = [layers / events.length, rows / microBatches];
  const args = { rows, columns, layers, local, size, microBatches, ranks: events.length };
  const text = (event: Event | undefined, isSmall: boolean) => [
    event?.kind === 'send' ? shown([size, columns], event.before, isSmall) : '',
    event?.kind === 'receive' ? shown([size, columns], event.after, isSmall) : '',
  ];
  const scene = (code: SceneCode, index: number, offset: number): LectureScene => ({
    code,
    args: { ...args, microBatch: index },
    columns: ['sent', 'received'],
    ranks: events.map(said => text(said[offset + index], code === 'pp-backward')),
    lines: code === 'pp-forward' ? [lines[index]] : [],
  });
  return [
    {
      code: 'pp-slice',
      args,
      columns: ['layers'],
      ranks: events.map((_, rank) => [range(rank * local, local).join(', ')]),
      lines: [],
    },
    ...range(0, microBatches).map(index => scene('pp-forward', index, 0)),
    ...range(0, microBatches).map(index => scene('pp-backward', index, microBatches)),
    {
      code: 'pp-end',
      args: {
        ...args,
        loss: values['loss'] as number,
        serialLoss: values['serialLoss'] as number,
        difference: Number((values['maxGradientDifference'] as number).toPrecision(2)),
      },
      columns: ['layers'],
      ranks: events.map((_, rank) => [range(rank * local, local).join(', ')]),
      lines: [],
    },
  ];
}

/**
 * How long each pass of an order takes and how long a message between two stages does.
 *
 * Legend: F forward, B backward for inputs, W backward for weights; all in seconds.
 */
import { B, BW, F, F_JOINED, PASS_KINDS, W } from './order';
import { chunksPerMicroBatch, type Placement } from './placement';

/**
 * Seconds of one kind of pass: one number, or one a stage, for a whole stage (split evenly over the chunks that a
 * micro-batch visits there), or seconds by stage and chunk, taken as they are.
 */
export type PassSeconds = number | readonly number[] | readonly (readonly number[])[];

export interface PipelineCosts {
  readonly forward: PassSeconds;
  /** What a forward adds to a backward that it runs together with (DualPipe); by default as much as alone. */
  readonly forwardJoined?: PassSeconds;
  readonly backwardInput: PassSeconds;
  readonly backwardWeight: PassSeconds;
  /** Seconds from the end of a pass until its output is on another stage; it delays, but keeps no stage busy. */
  readonly p2p?: number | ((fromStage: number, toStage: number) => number);
}

/** Costs by the key of a pass (see Order.key). */
export interface CostTable {
  readonly seconds: Float64Array;
  /** From the end of what a pass waits for until it may start. */
  readonly delay: Float64Array;
}

/** Seconds of a message over a link: latency + bytes / bandwidth. */
export function messageSeconds(link: { latencySeconds: number; bytes: number; bytesPerSecond: number }): number {
  return link.latencySeconds + link.bytes / link.bytesPerSecond;
}

/** The costs of each pass at each position; fills `table` where one is given, of the same placement. */
export function costTable(place: Placement, costs: PipelineCosts, table = emptyTable(place)): CostTable {
  const positions = place.stages * place.chunks;
  for (let position = 0; position < positions; position++) {
    const input = secondsAt(costs.backwardInput, place, position);
    const weight = secondsAt(costs.backwardWeight, place, position);
    const step = position % place.depth;
    table.seconds[F * positions + position] = secondsAt(costs.forward, place, position);
    table.seconds[F_JOINED * positions + position] = secondsAt(costs.forwardJoined ?? costs.forward, place, position);
    table.seconds[B * positions + position] = input;
    table.seconds[W * positions + position] = weight;
    table.seconds[BW * positions + position] = input + weight;
    if (step > 0) {
      const delay = messageBetween(costs, place, position - 1, position);
      table.delay[F * positions + position] = delay;
      table.delay[F_JOINED * positions + position] = delay;
    }
    if (step < place.depth - 1) {
      const delay = messageBetween(costs, place, position + 1, position);
      table.delay[B * positions + position] = delay;
      table.delay[BW * positions + position] = delay;
    }
  }
  return table;
}

function emptyTable(place: Placement): CostTable {
  const length = PASS_KINDS * place.stages * place.chunks;
  return { seconds: new Float64Array(length), delay: new Float64Array(length) };
}

/** The same times at all positions: the median of each kind of pass, and of the messages where there is one. */
export function medianOverPositions({ seconds, delay }: CostTable): CostTable {
  const positions = seconds.length / PASS_KINDS;
  const result = { seconds: seconds.slice(), delay: delay.slice() };
  for (let first = 0; first < seconds.length; first += positions) {
    result.seconds.fill(median(seconds.slice(first, first + positions)), first, first + positions);
  }
  const message = median(delay.filter(value => value > 0));
  for (let key = 0; key < delay.length; key++) if (delay[key] > 0) result.delay[key] = message;
  return result;
}

function median(values: Float64Array): number {
  return values.length > 0 ? values.sort()[values.length >> 1] : 0;
}

function secondsAt(seconds: PassSeconds, place: Placement, position: number): number {
  if (typeof seconds === 'number') return seconds / chunksPerMicroBatch(place);
  const ofStage = seconds[place.stageOf[position]];
  return typeof ofStage === 'number' ? ofStage / chunksPerMicroBatch(place) : ofStage[place.chunkOf[position]];
}

function messageBetween({ p2p = 0 }: PipelineCosts, place: Placement, from: number, to: number): number {
  const fromStage = place.stageOf[from];
  const toStage = place.stageOf[to];
  if (fromStage === toStage) return 0;
  return typeof p2p === 'number' ? p2p : p2p(fromStage, toStage);
}

/**
 * Where the chunks of a model live: the way of a micro-batch through the stages.
 *
 * Legend: p stages, v chunks a stage, a position is a place on the way forward (0 = the first layers). A route is one
 * way through the model; all schedules have one but DualPipe, whose second half of micro-batches runs from the last
 * stage to the first. Positions of route r are r·depth … (r+1)·depth − 1, depth = p·v / routes.
 */

export interface Placement {
  readonly stages: number;
  /** Chunks that a stage holds. */
  readonly chunks: number;
  readonly routes: number;
  /** Positions of one route. */
  readonly depth: number;
  /** By position. */
  readonly stageOf: Int32Array;
  /** By position. */
  readonly chunkOf: Int32Array;
  /** By stage · chunks + chunk. */
  readonly positionOf: Int32Array;
}

/** `looped` goes back to the first stage for the next chunk (Megatron); `v` turns round at the last stage. */
export type Shape = 'looped' | 'v';

/** The p·v positions of a shape; with two routes chunk 1 is the other route's, from the last stage to the first. */
export function placement(stages: number, chunks: number, shape: Shape = 'looped', routes = 1): Placement {
  const positions = stages * chunks;
  const stageOf = new Int32Array(positions);
  const chunkOf = new Int32Array(positions);
  const positionOf = new Int32Array(positions);
  for (let position = 0; position < positions; position++) {
    const chunk = Math.floor(position / stages);
    const step = position % stages;
    const stage = shape === 'v' && chunk % 2 === 1 ? stages - 1 - step : step;
    stageOf[position] = stage;
    chunkOf[position] = chunk;
    positionOf[stage * chunks + chunk] = position;
  }
  return { stages, chunks, routes, depth: positions / routes, stageOf, chunkOf, positionOf };
}

/** Chunks of one stage that one micro-batch visits: v, but 1 in DualPipe, where each direction has its own chunk. */
export function chunksPerMicroBatch(place: Placement): number {
  return place.chunks / place.routes;
}

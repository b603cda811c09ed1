/**
 * The program of a rank for one training step: the passes of its stage in the order of the schedule, then gradients
 * across ranks, clipping, the optimizer, and the new weights to those who hold them whole.
 */
import type { Handle, Program, Rank } from '../collectives/communicator';
import { BW, F, F_JOINED, type Pass, W } from '../pipeline/order';
import { invariant } from '../problem';
import { ownSquares, settle } from './gradients';
import type { Real, Tensor } from './heap';
import type { BackwardResult, Block, Forwarded } from './layers/block';
import { buildBlock } from './layers/build';
import { adamw, clipFactor, type OptimizerOptions, sgd } from './optimizer';
import { scale } from './pointwise';
import type { Batch, MicroBatch, RankState } from './state';
import type { Timeline } from './timeline';

export interface StepOptions {
  /** From 1. */
  readonly step: number;
  readonly seed: number;
  readonly batch: Batch;
  readonly optimizer: OptimizerOptions;
  /** Largest norm of the whole gradient; null: no clipping. */
  readonly clipNorm: number | null;
  readonly timeline: Pick<Timeline, 'run' | 'send' | 'receive'>;
  /** Speed of every rank's compute in the world's virtual time. */
  readonly flopsPerSecond: number;
  /** Called when a rank's gradients are final, before the optimizer uses them. */
  readonly onGradients?: (state: RankState) => void;
  /** Units whose weights stay as they are. */
  readonly frozen?: readonly string[];
}

/** One step; returns this rank's part of the mean loss of its data-parallel rank (0 before the last stage). */
export function* trainStep(rank: Rank, state: RankState, options: StepOptions): Program<number> {
  state.begin();
  const stage = new Stage(rank, state, options);
  yield* stage.run();
  yield* state.buckets.finish(rank);
  for (const unit of state.units) yield* settle(rank, unit, state.place.tp, state.layout.plan.sp);
  if (options.clipNorm !== null) yield* clip(rank, state, options.clipNorm);
  options.onGradients?.(state);
  for (const unit of state.units) {
    if (!options.frozen?.includes(unit.spec.name)) update(state, unit, options);
    yield* unit.share(rank);
  }
  return stage.loss;
}

function update(state: RankState, unit: RankState['units'][number], { step, optimizer }: StepOptions): void {
  const [weights, gradient] = [unit.ownedWeights, unit.ownedGradient];
  const moments = unit.moments.map(moment => moment.data);
  if (state.layout.plan.optimizer === 'adamw') adamw(weights, gradient, moments, step, optimizer);
  else sgd(weights, gradient, optimizer.learningRate);
}

/** Scales all gradients by the norm over the whole model, to which every rank adds what it alone counts. */
function* clip(rank: Rank, state: RankState, most: number): Program<void> {
  const own = state.units.reduce((sum, unit) => sum + ownSquares(unit, state.place.tp), 0);
  const squares = Float64Array.of(own);
  const { world } = state.place;
  const total = world.ranks.length > 1 ? yield* rank.allReduce(squares, { group: world }) : squares;
  const factor = clipFactor(Math.sqrt(total[0]), most);
  for (const unit of state.units) scale(unit.ownedGradient, factor);
}

/** What a micro-batch left in a chunk: what its blocks kept, then the work for weights that is still to do. */
interface InFlight {
  readonly forwarded: Forwarded[];
  readonly later: { block: Block; result: BackwardResult }[];
}

const FORWARD = 0;
const BACKWARD = 1;

class Stage {
  loss = 0;
  /** Floating-point operations of the pass that runs. */
  private spent = 0;
  private readonly inFlight = new Map<string, InFlight>();
  private readonly handles: Handle[] = [];
  private readonly chunks: Block[][];
  /** From one chunk of this stage to another, by tag. */
  private readonly handed = new Map<number, Tensor>();

  constructor(
    private readonly rank: Rank,
    private readonly state: RankState,
    private readonly options: StepOptions,
  ) {
    const { layout, place } = state;
    const { order, network, plan } = layout;
    this.chunks = Array.from({ length: order.chunks }, (_, chunk) => {
      const position = order.place.positionOf[place.stage * order.chunks + chunk];
      return layout.blocks[position].map(spec => buildBlock(spec, network, plan, options.seed));
    });
  }

  *run(): Program<void> {
    const { order } = this.state.layout;
    const { stage } = this.state.place;
    for (let slot = order.firstSlot[stage]; slot < order.firstSlot[stage + 1]; slot++) {
      const isJoined = order.pass[slot] === F_JOINED;
      const x = yield* this.input(slot);
      // A joined forward waits for the backward's input too, and its output leaves with the backward's.
      const dy = isJoined ? yield* this.input(slot + 1) : null;
      const output = yield* this.pass(slot, x);
      if (!isJoined) {
        yield* this.output(slot, output);
        continue;
      }
      const gradient = yield* this.pass(slot + 1, dy);
      yield* this.output(slot, output);
      yield* this.output(++slot, gradient);
    }
    for (const handle of this.handles) yield* this.rank.wait(handle);
    invariant(this.inFlight.size === 0, 'a micro-batch is left in flight');
  }

  private positionOf(slot: number): number {
    const { place, chunk, chunks } = this.state.layout.order;
    return place.positionOf[this.state.place.stage * chunks + chunk[slot]];
  }

  /** Where a pass's input comes from and its output goes: a position on the way, or null at its ends. */
  private neighbour(slot: number, side: 'before' | 'after'): number | null {
    const { place, pass } = this.state.layout.order;
    const kind = pass[slot] as Pass;
    if (kind === W) return null;
    const position = this.positionOf(slot);
    const isForward = kind === F || kind === F_JOINED;
    const next = position + (isForward === (side === 'after') ? 1 : -1);
    return Math.floor(next / place.depth) === Math.floor(position / place.depth) && next >= 0 ? next : null;
  }

  /** Names a message by what receives it. */
  private tag(slot: number, target: number): number {
    const { order } = this.state.layout;
    const isForward = order.pass[slot] === F || order.pass[slot] === F_JOINED;
    const positions = order.stages * order.chunks;
    return (order.microBatch[slot] * positions + target) * 2 + (isForward ? FORWARD : BACKWARD);
  }

  private *input(slot: number): Program<Tensor | null> {
    const source = this.neighbour(slot, 'before');
    if (source === null) return null;
    const { layout, place, heap } = this.state;
    const stage = layout.order.place.stageOf[source];
    const tag = this.tag(slot, this.positionOf(slot));
    if (stage === place.stage) {
      const handed = this.handed.get(tag);
      invariant(handed !== undefined, 'a chunk waits for another one of its own stage');
      this.handed.delete(tag);
      return handed;
    }
    const from = place.rankAtStage(stage);
    const data = (yield* this.rank.receive(from, tag)) as Real;
    this.options.timeline.receive(from, place.rank, tag);
    return heap.adopt('buffers', data);
  }

  private *output(slot: number, y: Tensor | null): Program<void> {
    const target = this.neighbour(slot, 'after');
    if (target === null || y === null) return;
    const { layout, place } = this.state;
    const stage = layout.order.place.stageOf[target];
    const tag = this.tag(slot, target);
    if (stage === place.stage) {
      this.handed.set(tag, y);
      return;
    }
    const to = place.rankAtStage(stage);
    this.options.timeline.send(place.rank, to, tag);
    // The message in transit is the communicator's, not this rank's memory.
    this.handles.push(yield* this.rank.start({ kind: 'send', to, tag, data: y.data.slice() }));
    y.free();
  }

  /** Lets the time of what was just computed pass in the world. */
  private *spend(): Program<void> {
    const { flops } = this.state;
    this.state.flops = 0;
    this.spent += flops;
    yield* this.rank.compute(flops / this.options.flopsPerSecond);
  }

  private *pass(slot: number, input: Tensor | null): Program<Tensor | null> {
    const { state, options } = this;
    const { order } = state.layout;
    const [kind, microBatch, chunk] = [order.pass[slot] as Pass, order.microBatch[slot], order.chunk[slot]];
    const key = `${microBatch} ${chunk}`;
    this.spent = 0;
    let output: Tensor | null = null;
    if (kind === F || kind === F_JOINED) output = yield* this.forward(key, microBatch, chunk, input);
    else if (kind === W) {
      yield* this.weights(key);
      this.inFlight.delete(key);
    } else output = yield* this.backward(key, microBatch, chunk, input, kind === BW);
    options.timeline.run(state.place.rank, kind, microBatch, chunk, this.spent);
    return output;
  }

  private *forward(key: string, microBatch: number, chunk: number, x: Tensor | null): Program<Tensor | null> {
    const forwarded: Forwarded[] = [];
    const micro = this.micro(microBatch);
    for (const block of this.chunks[chunk]) {
      yield* this.open(block);
      const result: Forwarded = yield* block.forward(this.rank, this.state, micro, x);
      this.close(block);
      yield* this.spend();
      forwarded.push(result);
      this.loss += result.loss ?? 0;
      x = result.y;
    }
    this.inFlight.set(key, { forwarded, later: [] });
    return x;
  }

  private *backward(
    key: string,
    microBatch: number,
    chunk: number,
    dy: Tensor | null,
    isWhole: boolean,
  ): Program<Tensor | null> {
    const { forwarded, later } = this.taken(key);
    const micro = this.micro(microBatch);
    for (let i = forwarded.length - 1; i >= 0; i--) {
      const block = this.chunks[chunk][i];
      yield* this.open(block);
      const result: BackwardResult = yield* block.backward(this.rank, this.state, micro, forwarded[i], dy);
      this.close(block);
      yield* this.spend();
      dy = result.dx;
      later.push({ block, result });
      if (isWhole) yield* this.weights(key);
    }
    if (isWhole) this.inFlight.delete(key);
    return dy;
  }

  /** The work for weights that backward passes have left. */
  private *weights(key: string): Program<void> {
    const { later } = this.taken(key);
    for (const { block, result } of later) {
      result.weights();
      yield* this.spend();
      result.free();
      yield* this.state.contributed(this.rank, block.units);
    }
    later.length = 0;
  }

  private taken(key: string): InFlight {
    const found = this.inFlight.get(key);
    invariant(found !== undefined, 'a backward pass of a micro-batch that is not here');
    return found;
  }

  private *open({ units }: Block): Program<void> {
    for (const name of units) yield* this.state.unit(name).open(this.rank);
  }

  private close({ units }: Block): void {
    for (const name of units) this.state.unit(name).close();
  }

  private micro(microBatch: number): MicroBatch {
    const { layout, place, rows } = this.state;
    const { plan, order, network } = layout;
    const perRank = plan.globalBatch / plan.dp;
    const elements = rows * order.microBatches * (network.kind === 'mlp' ? network.hidden : 1);
    return {
      firstSequence: place.dpIndex * perRank + microBatch * plan.microBatch,
      batch: this.options.batch,
      share: 1 / elements,
    };
  }
}

/**
 * Attention over a sequence that is cut over cp ranks, rank i holding positions i·s/c … (i + 1)·s/c − 1.
 *
 * ring: K and V go round while each rank attends to the block that it has (Liu et al., arXiv 2310.01889, section 3).
 * all-to-all: heads are dealt over the ranks for the whole sequence (DeepSpeed-Ulysses, arXiv 2309.14509, section 3).
 * all-gather: every rank gathers K and V (Llama 3, arXiv 2407.21783, section 3.3.2).
 *
 * Legend: n = s/c positions, q (n, b, a, d), k and v (n, b, g, d), with a and g those of a tensor-parallel rank.
 */
import type { Program, Rank } from '../../collectives/communicator';
import { attend, attendBackward, type AttentionShape, join } from '../attention';
import type { Real, Tensor } from '../heap';
import { addInto } from '../pointwise';
import type { RankState } from '../state';
import { headsToSequence, sequenceToHeads } from './dealHeads';
import { allGather } from './tensorParallel';

export interface Core {
  /** Attention's output, (n, b, a, d). */
  readonly o: Tensor;
  /** q, k, v, output and lse in the layout in which the backward pass wants them, then the scores where they are kept. */
  readonly saved: readonly Tensor[];
}

/** The attention of one block of queries and keys; sizes of this rank. */
function shapeOf(state: RankState): AttentionShape {
  const { plan } = state.layout;
  const { heads, kvHeads, headDim } = state.decoder;
  const n = plan.seqLen / plan.cp;
  const start = state.place.cp.index * n;
  const a = heads / plan.tp;
  return { sq: n, sk: n, b: plan.microBatch, a, g: kvHeads / plan.tp, d: headDim, qStart: start, kStart: start };
}

/** Over the whole sequence with the heads of this rank's share. */
function dealtShape(state: RankState): AttentionShape {
  const shape = shapeOf(state);
  const { seqLen, cp } = state.layout.plan;
  return { ...shape, sq: seqLen, sk: seqLen, a: shape.a / cp, g: shape.g / cp, qStart: 0, kStart: 0 };
}

const gatheredShape = (state: RankState): AttentionShape => ({
  ...shapeOf(state),
  sk: state.layout.plan.seqLen,
  kStart: 0,
});

/** Scores are kept where nothing is recomputed, attention is unfused and the keys are here at once. */
function keepsScores(state: RankState): boolean {
  const { attention, recompute, cp, cpKind } = state.layout.plan;
  return attention === 'unfused' && recompute === 'none' && (cp === 1 || cpKind !== 'ring');
}

export function* attentionForward(rank: Rank, state: RankState, q: Tensor, k: Tensor, v: Tensor): Program<Core> {
  const { cp } = state.place;
  const { cpKind } = state.layout.plan;
  if (cp.size > 1 && cpKind === 'ring') return yield* ringForward(rank, state, q, k, v);
  if (cp.size > 1 && cpKind === 'all-to-all') {
    const shape = dealtShape(state);
    const [qAll, kAll, vAll] = [
      yield* sequenceToHeads(rank, state, q),
      yield* sequenceToHeads(rank, state, k),
      yield* sequenceToHeads(rank, state, v),
    ];
    const own = whole(state, qAll, kAll, vAll, shape);
    return { o: yield* headsToSequence(rank, state, own.o), saved: own.saved };
  }
  const shape = cp.size > 1 ? gatheredShape(state) : shapeOf(state);
  const [kAll, vAll] = [yield* allGather(rank, state, k, cp.group), yield* allGather(rank, state, v, cp.group)];
  const { o, saved } = whole(state, q, kAll, vAll, shape);
  return { o, saved: [q, k, v, ...saved.slice(3)] };
}

function whole(state: RankState, q: Tensor, k: Tensor, v: Tensor, shape: AttentionShape): Core {
  const { heap } = state;
  const rows = shape.sq * shape.b * shape.a;
  const [o, lse] = [heap.buffer(q.length), heap.buffer(rows)];
  const scores = keepsScores(state) ? heap.buffer(rows * shape.sk) : null;
  attend(o.data, lse.data, q.data, k.data, v.data, shape, scores?.data);
  return { o, saved: [q, k, v, o, lse, ...(scores ? [scores] : [])] };
}

/** dq, dk and dv in the layout of q, k and v. */
export function* attentionBackward(
  rank: Rank,
  state: RankState,
  saved: readonly Tensor[],
  dO: Tensor,
): Program<{ dq: Tensor; dk: Tensor; dv: Tensor }> {
  const { cp } = state.place;
  const { cpKind } = state.layout.plan;
  if (cp.size > 1 && cpKind === 'ring') return yield* ringBackward(rank, state, saved, dO);
  if (cp.size > 1 && cpKind === 'all-to-all') {
    const dAll = yield* sequenceToHeads(rank, state, dO);
    const { dq, dk, dv } = wholeBackward(state, saved, dAll, dealtShape(state));
    return {
      dq: yield* headsToSequence(rank, state, dq),
      dk: yield* headsToSequence(rank, state, dk),
      dv: yield* headsToSequence(rank, state, dv),
    };
  }
  if (cp.size === 1) return wholeBackward(state, saved, dO, shapeOf(state));
  const [q, k, v, ...rest] = saved;
  const all = [yield* allGather(rank, state, k, cp.group), yield* allGather(rank, state, v, cp.group)];
  const { dq, dk, dv } = wholeBackward(state, [q, ...all, ...rest], dO, gatheredShape(state));
  const owner = { group: cp.group };
  return {
    dq,
    dk: state.heap.adopt('buffers', (yield* rank.reduceScatter(dk.data, owner)) as Real),
    dv: state.heap.adopt('buffers', (yield* rank.reduceScatter(dv.data, owner)) as Real),
  };
}

function wholeBackward(state: RankState, saved: readonly Tensor[], dO: Tensor, shape: AttentionShape) {
  const { heap } = state;
  const [q, k, v, o, lse] = saved;
  const scores = keepsScores(state) ? saved[5] : undefined;
  const [dq, dk, dv] = [heap.buffer(q.length), heap.buffer(k.length), heap.buffer(v.length)];
  const side = { q: q.data, o: o.data, lse: lse.data, dO: dO.data };
  attendBackward({ dq: dq.data, dk: dk.data, dv: dv.data }, side, k.data, v.data, shape, scores?.data);
  return { dq, dk, dv };
}

/** The rank whose block is here after `step` turns of the ring. */
const ownerAt = ({ place: { cp } }: RankState, step: number) => (cp.index - step + cp.size) % cp.size;

function* ringForward(rank: Rank, state: RankState, q: Tensor, k: Tensor, v: Tensor): Program<Core> {
  const { heap } = state;
  const { cp } = state.place;
  const shape = shapeOf(state);
  const rows = shape.sq * shape.b * shape.a;
  const [o, lse] = [heap.buffer(q.length), heap.buffer(rows)];
  const [otherO, otherLse] = [heap.buffer(q.length), heap.buffer(rows)];
  let block = pack(state, [k, v]);
  attend(o.data, lse.data, q.data, k.data, v.data, shape);
  for (let step = 1; step < cp.size; step++) {
    block = yield* pass(rank, state, block);
    if (ownerAt(state, step) > cp.index) continue; // later positions, which nobody here sees
    const [k1, v1] = halves(block);
    otherO.data.fill(0);
    const kStart = ownerAt(state, step) * shape.sk;
    attend(otherO.data, otherLse.data, q.data, k1, v1, { ...shape, kStart });
    join(o.data, lse.data, otherO.data, otherLse.data, shape.d);
  }
  block.free();
  return { o, saved: [q, k, v, o, lse] };
}

/** The gradients of K and V travel with their block and come home with one more turn. */
function* ringBackward(rank: Rank, state: RankState, saved: readonly Tensor[], dO: Tensor) {
  const { heap } = state;
  const { cp } = state.place;
  const shape = shapeOf(state);
  const [q, k, v, o, lse] = saved;
  const dq = heap.buffer(q.length);
  const side = { q: q.data, o: o.data, lse: lse.data, dO: dO.data };
  let block = pack(state, [k, v]);
  let gradients = heap.buffer(2 * k.length);
  for (let step = 0; step < cp.size; step++) {
    if (step > 0) block = yield* pass(rank, state, block);
    if (step > 0) gradients = yield* pass(rank, state, gradients);
    if (ownerAt(state, step) > cp.index) continue;
    const [[k1, v1], [dk, dv]] = [halves(block), halves(gradients)];
    const kStart = ownerAt(state, step) * shape.sk;
    attendBackward({ dq: dq.data, dk, dv }, side, k1, v1, { ...shape, kStart });
  }
  gradients = yield* pass(rank, state, gradients);
  block.free();
  const [dk, dv] = [heap.buffer(k.length), heap.buffer(k.length)];
  const [first, second] = halves(gradients);
  addInto(dk.data, first);
  addInto(dv.data, second);
  gradients.free();
  return { dq, dk, dv };
}

function pack({ heap }: RankState, [first, second]: readonly Tensor[]): Tensor {
  const both = heap.buffer(first.length + second.length);
  both.data.set(first.data);
  both.data.set(second.data, first.length);
  return both;
}

function halves({ data }: Tensor): [Real, Real] {
  return [data.subarray(0, data.length / 2), data.subarray(data.length / 2)];
}

/** Sends a block to the next rank of the ring and takes the previous one's. */
function* pass(rank: Rank, state: RankState, block: Tensor): Program<Tensor> {
  const { group } = state.place.cp;
  const received = (yield* rank.run(rank.request('send-recv', block.data, { group }))) as Real;
  block.free();
  return state.heap.adopt('buffers', received);
}

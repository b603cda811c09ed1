/**
 * Routed experts over ep ranks: rows go to the ranks of their experts and come back (GShard, arXiv 2006.16668,
 * section 3.2, without a capacity). Each rank deals its own tokens; without sequence parallelism the ranks of a tp
 * group, who hold the same tokens, deal a part each.
 *
 * Legend: R rows that this rank deals, E experts of which it holds E/ep, k experts a token, h hidden, w expert width.
 */
import type { Program, Rank } from '../../collectives/communicator';
import type { Real, Tensor } from '../heap';
import type { RankState } from '../state';
import { feedForward, feedForwardBackward } from './feedForward';
import { combine, combineBackward, dispatch, route, routeBackward, type Routing, starts } from './routing';
import { allGather } from './tensorParallel';

export interface Routed {
  readonly saved: readonly Tensor[];
  readonly routing: Routing;
  readonly weights: Tensor;
  /** Experts' outputs by slot, in the order of the experts. */
  readonly rows: Tensor;
  /** received[source · E/ep + local expert] rows. */
  readonly received: Int32Array;
  readonly local: readonly LocalExpert[];
}

interface LocalExpert {
  readonly name: string;
  readonly x: Tensor;
  readonly saved: readonly Tensor[];
}

export function* expertsForward(
  rank: Rank,
  state: RankState,
  name: string,
  n2: Tensor,
): Program<{ out: Tensor; routed: Routed }> {
  const { heap } = state;
  const { experts, topK, hidden } = state.decoder;
  const own = ownTokens(state, n2);
  const rows = own.length / hidden;
  const logits = state.multiply(own, `${name}.router`);
  const weights = heap.buffer(rows * topK);
  const routing = route(logits.data, experts, topK, weights.data);
  log(state, name, routing);
  const slots = heap.buffer(rows * topK * hidden);
  dispatch(slots.data, own.data, routing, hidden);
  const received = yield* exchangeCounts(rank, state, routing.counts);
  const arrived = yield* exchange(rank, state, slots, routing.counts);
  const { outputs, local } = runExperts(state, name, arrived, received);
  const back = yield* exchange(rank, state, outputs, received);
  const mine = heap.buffer(own.length);
  combine(mine.data, back.data, weights.data, routing, hidden);
  const saved = [weights, back, ...local.flatMap(({ x, saved }) => [x, ...saved])];
  return {
    out: yield* allTokens(rank, state, mine),
    routed: { saved, routing, weights, rows: back, received, local },
  };
}

export function* expertsBackward(
  rank: Rank,
  state: RankState,
  name: string,
  n2: Tensor,
  routed: Routed,
  dy: Tensor,
): Program<{ dx: Tensor; weights: () => void }> {
  const { heap } = state;
  const { experts, topK, hidden } = state.decoder;
  const { routing, received, weights, rows } = routed;
  const dOut = ownTokens(state, dy);
  const dRows = heap.buffer(rows.length);
  const dWeights = heap.buffer(weights.length);
  combineBackward({ dRows: dRows.data, dWeights: dWeights.data }, dOut.data, rows.data, weights.data, routing, hidden);
  const arrived = yield* exchange(rank, state, dRows, routing.counts);
  const { outputs, finish } = runExpertsBackward(state, routed, arrived);
  const back = yield* exchange(rank, state, outputs, received);
  const dLogits = heap.buffer((weights.length / topK) * experts);
  routeBackward(dLogits.data, dWeights.data, weights.data, routing, experts);
  const dx = state.multiplyBack(dLogits, `${name}.router`);
  combine(dx.data, back.data, null, routing, hidden);
  const own = ownTokens(state, n2);
  return {
    dx: yield* allTokens(rank, state, dx),
    weights: () => {
      state.addGradient(own, dLogits, `${name}.router`);
      finish();
    },
  };
}

/** Whether the ranks of a tp group hold the same tokens and share the dealing. */
const sharesTokens = ({ place, layout }: RankState) => place.tp.size > 1 && !layout.plan.sp;

function ownTokens(state: RankState, x: Tensor): Tensor {
  if (!sharesTokens(state)) return x;
  const { index, size } = state.place.tp;
  const length = x.length / size;
  const part = state.heap.buffer(length);
  part.data.set(x.data.subarray(index * length, (index + 1) * length));
  return part;
}

function* allTokens(rank: Rank, state: RankState, x: Tensor): Program<Tensor> {
  return sharesTokens(state) ? yield* allGather(rank, state, x, state.place.tp.group) : x;
}

function log({ routing, isTransient }: RankState, name: string, { expert }: Routing): void {
  if (!routing || isTransient) return;
  routing.set(name, [...(routing.get(name) ?? []), expert]);
}

/** How many rows come from each rank for each expert that is here. */
function* exchangeCounts(rank: Rank, { place }: RankState, counts: Int32Array): Program<Int32Array> {
  if (place.ep.size === 1) return counts;
  return (yield* rank.allToAll(counts, { group: place.ep.group })) as Int32Array;
}

/** Elements for each rank of the ep group, from rows by (rank, expert). */
function lengths(counts: Int32Array, ranks: number, h: number): number[] {
  const each = counts.length / ranks;
  return Array.from({ length: ranks }, (_, r) =>
    counts.subarray(r * each, (r + 1) * each).reduce((sum, count) => sum + count * h, 0),
  );
}

/** Sends rows that lie by (rank, expert); `sent` counts them. */
function* exchange(rank: Rank, state: RankState, rows: Tensor, sent: Int32Array): Program<Tensor> {
  const { ep } = state.place;
  if (ep.size === 1) return rows;
  const sendLengths = lengths(sent, ep.size, state.decoder.hidden);
  return state.heap.adopt('buffers', (yield* rank.allToAll(rows.data, { group: ep.group, sendLengths })) as Real);
}

/** Copies the rows of local expert `e` between the arrived buffer (by source, then expert) and one of its own. */
function copyRows(state: RankState, received: Int32Array, e: number, arrived: Real, own: Real, toOwn: boolean): void {
  const { ep } = state.place;
  const h = state.decoder.hidden;
  const each = received.length / ep.size;
  const first = starts(received);
  let at = 0;
  for (let source = 0; source < ep.size; source++) {
    const i = source * each + e;
    const [from, length] = [first[i] * h, received[i] * h];
    if (toOwn) own.set(arrived.subarray(from, from + length), at);
    else arrived.set(own.subarray(at, at + length), from);
    at += length;
  }
}

function rowsOf(state: RankState, received: Int32Array, e: number, arrived: Tensor): Tensor {
  const { ep } = state.place;
  const each = received.length / ep.size;
  let rows = 0;
  for (let source = 0; source < ep.size; source++) rows += received[source * each + e];
  const x = state.heap.buffer(rows * state.decoder.hidden);
  copyRows(state, received, e, arrived.data, x.data, true);
  return x;
}

function runExperts(state: RankState, name: string, arrived: Tensor, received: Int32Array) {
  const each = received.length / state.place.ep.size;
  const outputs = state.heap.buffer(arrived.length);
  const before = state.flops;
  const local = Array.from({ length: each }, (_, e): LocalExpert => {
    const expert = `${name}.experts.${state.place.ep.index * each + e}`;
    const x = rowsOf(state, received, e, arrived);
    const { out, saved } = feedForward(state, expert, x);
    copyRows(state, received, e, outputs.data, out.data, false);
    return { name: expert, x, saved };
  });
  state.flops = before + evenFlops(state);
  return { outputs, local };
}

function runExpertsBackward(state: RankState, { local, received }: Routed, arrived: Tensor) {
  const outputs = state.heap.buffer(arrived.length);
  const before = state.flops;
  const later = local.map(({ name, x, saved }, e) => {
    const { dx, weights } = feedForwardBackward(state, name, saved, rowsOf(state, received, e, arrived));
    copyRows(state, received, e, outputs.data, dx.data, false);
    return () => weights(x);
  });
  state.flops = before + evenFlops(state);
  const finish = () => {
    const start = state.flops;
    for (const work of later) work();
    state.flops = start + evenFlops(state);
  };
  return { outputs, finish };
}

/** Virtual time is charged as if all experts had the same number of rows, as the cost model does. */
function evenFlops(state: RankState): number {
  const { topK, hidden, expertFfn, gated } = state.decoder;
  return ((2 * state.rows * topK) / state.place.tp.size) * (gated ? 3 : 2) * hidden * expertFfn;
}

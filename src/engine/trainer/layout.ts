/**
 * Where everything is: the groups that each rank talks in, and which layers stand at which position of the pipeline.
 */
import type { Group } from '../collectives/communicator';
import { coordinate, DEFAULT_ORDER, denseMesh, expertMesh, groupOf, type Mesh } from '../mesh/mesh';
import type { Order } from '../pipeline/order';
import { invariant } from '../problem';
import type { Network } from './network';
import { type UnitSpec, unitsOf } from './parameters';
import { pipelineOrder, type TrainPlan } from './trainPlan';

/** A group with the rank's own place in it. */
export interface Seat {
  readonly group: Group;
  readonly size: number;
  readonly index: number;
}

/** One piece of the model with its own forward and backward. */
export type BlockSpec =
  | { readonly kind: 'rows' | 'embedding' | 'head' | 'square'; readonly units: readonly string[] }
  | { readonly kind: 'layer'; readonly name: string; readonly units: readonly string[] };

export interface Layout {
  readonly plan: TrainPlan;
  readonly network: Network;
  readonly world: number;
  readonly order: Order;
  readonly units: readonly UnitSpec[];
  /** By position of the pipeline. */
  readonly blocks: readonly (readonly BlockSpec[])[];
  readonly places: readonly Place[];
}

/** What one rank is in the layout. */
export interface Place {
  readonly rank: number;
  readonly tp: Seat;
  readonly cp: Seat;
  readonly ep: Seat;
  readonly dpIndex: number;
  readonly stage: number;
  /** Ranks with the same slices of the dense weights (dp · cp), and of the experts it holds. */
  readonly data: Seat;
  readonly expertData: Seat;
  /** The rank of another stage in the same pipeline. */
  readonly rankAtStage: (stage: number) => number;
  readonly world: Group;
}

/** The layout of a plan that keeps its rules. */
export function layoutOf(plan: TrainPlan, network: Network): Layout {
  const degrees = { ...plan, etp: 1 };
  const dense = denseMesh(degrees, plan.order ?? DEFAULT_ORDER);
  const expert = expertMesh(degrees, plan.order ?? DEFAULT_ORDER);
  const order = pipelineOrder(plan);
  invariant(!('code' in expert) && !('code' in order), 'a plan that breaks its rules was laid out');
  const groups = new Map<string, Group>();
  const places = Array.from({ length: dense.size }, (_, rank) => placeOf(dense, expert, rank, groups));
  const depth = order.place.depth;
  const route = blocksByStep(network, layersByStep(network.layers, depth, plan.stageLayers));
  const blocks = Array.from({ length: depth * order.place.routes }, (_, position) => route[position % depth]);
  return { plan, network, world: dense.size, order, units: unitsOf(network), blocks, places };
}

function placeOf(dense: Mesh, expert: Mesh, rank: number, groups: Map<string, Group>): Place {
  const seat = (mesh: Mesh, axes: readonly string[], name: string) => seatOf(mesh, axes, name, rank, groups);
  const stage = coordinate(dense, rank, 'pp');
  const pipeline = groupOf(dense, ['pp'], rank);
  return {
    rank,
    tp: seat(dense, ['tp'], 'tp'),
    cp: seat(dense, ['cp'], 'cp'),
    ep: seat(expert, ['ep'], 'ep'),
    dpIndex: coordinate(dense, rank, 'dp'),
    stage,
    data: seat(dense, ['dp', 'cp'], 'dp'),
    expertData: seat(expert, ['edp'], 'dp'),
    rankAtStage: s => pipeline[s],
    world: shared(
      groups,
      'world',
      Array.from({ length: dense.size }, (_, r) => r),
    ),
  };
}

function seatOf(mesh: Mesh, axes: readonly string[], name: string, rank: number, groups: Map<string, Group>): Seat {
  return seatIn(groups, name, [...groupOf(mesh, axes, rank)], rank);
}

/** Members of a group share one object, by which the communicator knows it. */
function shared(groups: Map<string, Group>, axis: string, ranks: readonly number[]): Group {
  const key = `${axis} ${ranks.join()}`;
  let group = groups.get(key);
  if (!group) groups.set(key, (group = { axis, ranks }));
  return group;
}

function seatIn(groups: Map<string, Group>, axis: string, ranks: readonly number[], rank: number): Seat {
  return { group: shared(groups, axis, ranks), size: ranks.length, index: ranks.indexOf(rank) };
}

/** Parts of a seat's group: `size` neighbours, and the ranks at the same place of the other parts. */
export function divideSeat(seat: Seat, size: number): { inner: Seat; outer: Seat } {
  const { group, index } = seat;
  const { axis, ranks } = group;
  const [part, place] = [Math.floor(index / size), index % size];
  const groups = new Map<string, Group>();
  const inner = ranks.slice(part * size, (part + 1) * size);
  const outer = ranks.filter((_, i) => i % size === place);
  return {
    inner: size === seat.size ? seat : seatIn(groups, axis, inner, ranks[index]),
    outer: seatIn(groups, axis, outer, ranks[index]),
  };
}

/** Layers by step of the way through the pipeline: the first steps hold one more where they do not divide. */
export function layersByStep(layers: number, depth: number, listed: readonly number[] | null): readonly number[] {
  if (listed) return listed;
  return Array.from({ length: depth }, (_, i) => Math.floor(layers / depth) + (i < layers % depth ? 1 : 0));
}

function blocksByStep(network: Network, counts: readonly number[]): BlockSpec[][] {
  let next = 0;
  const isRouted = network.kind === 'decoder' && network.experts > 0;
  const layer = (name: string): BlockSpec => ({
    kind: 'layer',
    name,
    units: isRouted ? [name, `${name}.experts`] : [name],
  });
  const steps = counts.map(count => Array.from({ length: count }, () => layer(`layers.${next++}`)));
  const isMlp = network.kind === 'mlp';
  const tied = network.kind === 'decoder' && network.tied;
  steps[0].unshift(isMlp ? { kind: 'rows', units: [] } : { kind: 'embedding', units: ['embedding'] });
  steps[steps.length - 1].push(
    isMlp ? { kind: 'square', units: [] } : { kind: 'head', units: tied ? ['head', 'embedding'] : ['head'] },
  );
  return steps;
}

/** Stages that hold a unit, in rising order: two where the head is tied to an embedding on another stage, or routes meet. */
export function stagesOfUnit({ order, blocks }: Pick<Layout, 'order' | 'blocks'>, unit: string): number[] {
  const stages = new Set<number>();
  blocks.forEach((list, position) => {
    if (list.some(block => block.units.includes(unit))) stages.add(order.place.stageOf[position]);
  });
  return [...stages].sort((a, b) => a - b);
}

/** How often a step adds to a unit's gradient on a stage. */
export function contributions({ order, blocks }: Layout, unit: string, stage: number): number {
  const { place, microBatches } = order;
  let count = 0;
  blocks.forEach((list, position) => {
    if (place.stageOf[position] !== stage) return;
    for (const block of list) if (block.units.includes(unit)) count += microBatches / place.routes;
  });
  return count;
}

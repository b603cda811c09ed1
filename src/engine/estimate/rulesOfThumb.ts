/**
 * Rules of thumb with the user's own numbers: bounds that hold for every plan, and the inequalities that say when
 * communication hides under compute (the scaling book, jax-ml.github.io/scaling-book/training).
 *
 * Legend: C FLOP/s of one device, W bytes/s of one device's links in one direction, F feed-forward width, B tokens of
 * a batch, N devices, X of them along the data axis. Numbers are 16-bit: 2 bytes each.
 *
 * Units: a side of an inequality is made of quantities (see below), so that a wrong formula cannot be built.
 */
import { invariant } from '../problem';

/** Powers of the base units. */
export interface Dimension {
  readonly flop: number;
  readonly byte: number;
  readonly second: number;
  readonly token: number;
}

export interface Quantity {
  readonly value: number;
  readonly dimension: Dimension;
}

const NONE: Dimension = { flop: 0, byte: 0, second: 0, token: 0 };

export function quantity(value: number, dimension: Partial<Dimension> = {}): Quantity {
  return { value, dimension: { ...NONE, ...dimension } };
}

export function times(a: Quantity, b: Quantity): Quantity {
  return combine(a, b, a.value * b.value, 1);
}

export function over(a: Quantity, b: Quantity): Quantity {
  return combine(a, b, a.value / b.value, -1);
}

function combine(a: Quantity, b: Quantity, value: number, sign: 1 | -1): Quantity {
  const power = (key: keyof Dimension) => a.dimension[key] + sign * b.dimension[key];
  return {
    value,
    dimension: { flop: power('flop'), byte: power('byte'), second: power('second'), token: power('token') },
  };
}

export function sameDimension(a: Quantity, b: Quantity): boolean {
  return (Object.keys(NONE) as (keyof Dimension)[]).every(key => a.dimension[key] === b.dimension[key]);
}

/** An inequality with its numbers: `left` must exceed `right`. */
export interface Rule {
  readonly code: 'data-parallel' | 'tensor-parallel' | 'across-nodes';
  readonly left: Quantity;
  readonly right: Quantity;
  readonly holds: boolean;
}

/** Left and right must have one dimension; anything else is our bug. */
function rule(code: Rule['code'], left: Quantity, right: Quantity): Rule {
  invariant(sameDimension(left, right), `the two sides of ${code} have different units`);
  return { code, left, right, holds: left.value > right.value };
}

export interface RuleInput {
  readonly flopsPerSecond: number;
  /** Sum over the links that the axis may use, one direction. */
  readonly linkBytesPerSecond: number;
  readonly networkBytesPerSecond: number;
  readonly tokensPerDevice: number;
  readonly ffn: number;
  readonly tp: number;
  readonly devicesPerNode: number;
}

/** FLOPs that one weight costs one token in a product, and bytes that one weight has. */
const FLOPS_PER_WEIGHT = quantity(2, { flop: 1, token: -1 });
const BYTES_PER_WEIGHT = quantity(2, { byte: 1 });

/** Tokens that one device must hold for a gather of weights to hide under its products: C/W. */
export function tokensToHide(flopsPerSecond: number, bytesPerSecond: number): Quantity {
  const compute = quantity(flopsPerSecond, { flop: 1, second: -1 });
  const link = quantity(bytesPerSecond, { byte: 1, second: -1 });
  // T·2/C > 2/W for each weight.
  return over(times(over(compute, link), BYTES_PER_WEIGHT), FLOPS_PER_WEIGHT);
}

/** Most devices along a tensor axis whose exchange of activations hides: F·W/C (two matrices of width F/t a layer). */
export function tensorLimit(ffn: number, flopsPerSecond: number, bytesPerSecond: number): Quantity {
  const compute = quantity(flopsPerSecond, { flop: 1, second: -1 });
  const link = quantity(bytesPerSecond, { byte: 1, second: -1 });
  // An activation of one token: 2 bytes against 2·F/t FLOPs.
  const flops = quantity(2 * ffn, { flop: 1 });
  const bytes = quantity(2, { byte: 1 });
  return over(times(flops, link), times(bytes, compute));
}

/**
 * Devices along the data axis that move least: X = √(B/F · M_x/M_y · N), with M links for each axis (the scaling book,
 * "combining FSDP and tensor parallelism").
 */
export function bestDataAxis(tokens: number, ffn: number, devices: number, dataLinks = 1, tensorLinks = 1): number {
  return Math.sqrt((tokens / ffn) * (dataLinks / tensorLinks) * devices);
}

/** Which of the rules hold for a plan. */
export function rulesOfThumb(input: RuleInput): Rule[] {
  const { flopsPerSecond, linkBytesPerSecond, networkBytesPerSecond, tokensPerDevice, ffn, tp, devicesPerNode } = input;
  const tokens = quantity(tokensPerDevice, { token: 1 });
  return [
    rule('data-parallel', tokens, tokensToHide(flopsPerSecond, linkBytesPerSecond)),
    rule('tensor-parallel', tensorLimit(ffn, flopsPerSecond, linkBytesPerSecond), quantity(tp)),
    // A node gathers through all its network cards what its devices then share.
    rule(
      'across-nodes',
      times(tokens, quantity(devicesPerNode)),
      tokensToHide(flopsPerSecond * devicesPerNode, networkBytesPerSecond * devicesPerNode),
    ),
  ];
}

/** Bounds of a step whatever overlaps: the longest of its streams, and all of them one after another. */
export function overlapBounds(
  computeSeconds: number,
  communicationSeconds: readonly number[],
): { lower: number; upper: number } {
  return {
    lower: Math.max(computeSeconds, ...communicationSeconds),
    upper: communicationSeconds.reduce((sum, seconds) => sum + seconds, computeSeconds),
  };
}

/**
 * Two queues that run at once: the longer one, slowed by contention for as long as both run (Galvatron's overlap
 * coefficient, arXiv 2211.13878, section 4.2). `contention` is 0 where neither disturbs the other.
 */
export function overlapped(a: number, b: number, contention: number): number {
  const both = Math.min(a, b) * (1 + contention);
  return both + Math.abs(a - b);
}

/** Shards of weights that are no slices of one serial model: all made alike, or scaled by the shard's own size. */
import { argument, type Body, type Call, type Warn } from './body';
import type { Problem } from '../../problem';

const MAKES_WEIGHTS = /(?:^|\.)(?:randn|rand|normal_|Parameter)$/;
/** The second operand of a division by the number of ranks. */
const BY_RANKS = /(?:\/\/|,) ?(?:self\.)?(?:[a-z]{1,8}_)?(?:world_size|tp|tp_size|tensor_parallel_size|n_?ranks)\b/;

/** One of so many ranks: `size // world_size`, `int_divide(size, world_size)`. */
const isShare = (value: string) => (value.includes('//') || value.includes('int_divide(')) && BY_RANKS.test(value);

/** A function that makes weights and seeds the generator with a constant each time; shards alike are the harm. */
export function seedPitfalls({ name, calls }: Body, warn: Warn): Problem[] {
  const seed = calls.find(call => /manual_seed$/.test(call.name) && /^\d+$/.test(call.args[0] ?? ''));
  const makes = calls.some(call => MAKES_WEIGHTS.test(call.name));
  if (seed === undefined || !makes || !/param|weight|init/i.test(name)) return [];
  return [warn(seed.node, 'reseeded-shards', { name })];
}

/**
 * A slice of a serial weight keeps the serial weight's scale: 1/√(whole size). Where the root is taken of the shard's
 * size, the weights are √(number of shards) too large.
 */
export function scalePitfalls(body: Body, bodies: readonly Body[], warn: Warn): Problem[] {
  const shards = new Set(body.assignments.filter(({ value }) => isShare(value)).map(({ name }) => name));
  if (shards.size === 0) return [];
  const own = body.calls.filter(call => shards.has(rootOf(call)) && shapes(body, rootOf(call)));
  const makers = body.calls.filter(call => {
    const maker = bodies.find(({ name }) => name === call.name);
    return maker !== undefined && scales(maker).some(at => shards.has(argument(call, maker.parameters[at], at) ?? ''));
  });
  return [
    ...own.map(call => warn(call.node, 'shard-scale', { name: rootOf(call) })),
    ...makers.map(call => warn(call.node, 'shard-scale', { name: call.args.find(arg => shards.has(arg)) ?? '' })),
  ];
}

/** Places of the parameters of whose size a function takes the root to scale the weights that it makes. */
function scales(maker: Body): number[] {
  const roots = new Set(maker.calls.map(rootOf));
  return maker.parameters.flatMap((name, at) => (roots.has(name) && shapes(maker, name) ? [at] : []));
}

/** `math.sqrt(size)` → `size`. */
const rootOf = ({ name, args }: Call): string => (/(?:^|\.)sqrt$/.test(name) ? (args[0] ?? '') : '');

/** Whether weights of this size are made there. */
const shapes = ({ calls }: Body, size: string) =>
  size !== '' && calls.some(({ name, args }) => MAKES_WEIGHTS.test(name) && args.some(arg => arg === size));

/** Points with schedules that are tried on the best layouts alone. */
import { microBatches } from '../plan/ready';
import type { Cells } from './collect';
import { planAt, type Space } from './space';

/** Shapes (stages and micro-batches) that are tried, and the most passes of an order that is quick to search for. */
const MOST_SHAPES = 2;
const MOST_PASSES = 2 ** 12;

/** Indices of the late schedules, with one and two chunks a stage, on the best layouts of the first few shapes. */
export function latePoints(space: Space, { value, index }: Cells): number[] {
  const { schedule, chunks } = space.axes;
  const late = schedule.values.flatMap(({ late: isLate }, at) => (isLate === true ? [at] : []));
  if (late.length === 0) return [];
  const filled = Array.from(index, (_, cell) => cell).filter(cell => index[cell] >= 0);
  filled.sort((a, b) => value[a] - value[b] || index[a] - index[b]);
  const shapes = new Set<string>();
  const found: number[] = [];
  for (const cell of filled) {
    const plan = planAt(space, index[cell]);
    const m = microBatches(plan);
    const shape = `${plan.pp}|${m}`;
    if (plan.pp === 1 || 3 * plan.pp * Math.min(m, 7 * plan.pp) > MOST_PASSES || shapes.has(shape)) continue;
    shapes.add(shape);
    for (const at of late) {
      chunks.values.forEach(({ vpp, balanced, stageLayers }, chunk) => {
        const divides = vpp === 1 || space.layers % (2 * plan.pp) === 0;
        const isUsual = stageLayers === null && divides !== (balanced === true);
        if ((vpp === 1 || vpp === 2) && isUsual) found.push(withDigits(index[cell], [schedule, at], [chunks, chunk]));
      });
    }
    if (shapes.size === MOST_SHAPES) break;
  }
  return found;
}

/** The index with other values on some axes. */
function withDigits(index: number, ...digits: readonly (readonly [Space['axes']['tp'], number])[]): number {
  return digits.reduce((result, [{ stride, values }, at]) => {
    const present = Math.floor(result / stride) % values.length;
    return result + (at - present) * stride;
  }, index);
}

/**
 * Squeezing of a repeated building block (Qi et al. 2024, arXiv 2405.15362, section 3.3): passes of the warm-up and of
 * the cool-down move to the earliest free cell that their inputs allow and that does not raise the peak memory.
 *
 * Legend: a forward holds one unit on its stage until a W frees it.
 */
import { B0, B1, F0, F1, W, type Grid, type Kind } from './grid';

/**
 * `weights-in-place`: W's are passes as others and move too. `weights-flexible`: the grid has none; whatever cell is
 * free takes one, and only the cool-down is squeezed.
 */
type Weights = 'weights-in-place' | 'weights-flexible';

/** Moves the passes of the warm-up and the cool-down in `grid`, in the order of their times. */
export function squeeze(grid: Grid, weights: Weights): void {
  const rows = Array.from({ length: grid.stages }, (_, stage) => new RowMemory(grid, stage, weights));
  const limit = Math.max(...rows.map(row => row.peak()));
  const warmUpEnd = grid.timeOf(B0, 0, 0);
  let isCoolDown = false;
  grid.visit((kind, stage, n, time) => {
    const isWarmUp = time < warmUpEnd;
    if (isWarmUp ? weights === 'weights-in-place' : isCoolDown) {
      moveEarlier(grid, rows[stage], limit, kind, stage, n, time);
    }
    if (!isWarmUp && kind === F0 && n === grid.microBatches - 1) isCoolDown = true;
  });
}

function moveEarlier(grid: Grid, row: RowMemory, limit: number, kind: Kind, stage: number, n: number, time: number) {
  for (let earlier = grid.earliest(kind, stage, n); earlier < time; earlier++) {
    if (grid.kindAt(stage, earlier) !== null) continue;
    grid.move(kind, stage, n, earlier);
    if (row.update(earlier, time, limit)) return;
    grid.move(kind, stage, n, time);
  }
}

/** What a stage holds before each time unit, kept up while passes move. */
class RowMemory {
  private readonly held: Int32Array;
  private readonly pending: Int32Array;

  constructor(
    private readonly grid: Grid,
    private readonly stage: number,
    private readonly weights: Weights,
  ) {
    this.held = new Int32Array(grid.length + 1);
    this.pending = new Int32Array(grid.length + 1);
    for (let time = 0; time < grid.length; time++) this.step(time);
  }

  peak(): number {
    return this.held.reduce((a, b) => Math.max(a, b));
  }

  /** Computes anew after a pass moved from `to` to `from`; false and as before where that exceeds the limit. */
  update(from: number, to: number, limit: number): boolean {
    const { held, pending } = this;
    const oldHeld: number[] = [];
    const oldPending: number[] = [];
    for (let time = from; time < this.grid.length; time++) {
      oldHeld.push(held[time + 1]);
      oldPending.push(pending[time + 1]);
      this.step(time);
      if (held[time + 1] > limit) {
        held.set(oldHeld, from + 1);
        pending.set(oldPending, from + 1);
        return false;
      }
      if (time >= to && held[time + 1] === oldHeld.at(-1) && pending[time + 1] === oldPending.at(-1)) break;
    }
    return true;
  }

  private step(time: number): void {
    const kind = this.grid.kindAt(this.stage, time);
    let held = this.held[time];
    let pending = this.pending[time];
    if (kind === F0 || kind === F1) held++;
    else if (kind === B1 || kind === B0) pending++;
    else if (kind === W || (this.weights === 'weights-flexible' && pending > 0)) {
      held--;
      pending--;
    }
    this.held[time + 1] = held;
    this.pending[time + 1] = pending;
  }
}

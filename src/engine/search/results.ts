/**
 * Where evaluated points go: the best that the framework can express and the best of all, the Pareto front, the best of
 * each layout. A point whose time is only bounded waits until its time is needed.
 */
import { Best, Cells, type Offer, Pareto, Pending } from './collect';

export interface ResultOptions {
  readonly top: number;
  readonly byMemory: boolean;
  readonly capacityBytes: number;
  readonly cells: number;
}

export class Results {
  readonly best: Best;
  /** Of all points, whatever the framework can express. */
  readonly anywhere: Best;
  readonly pareto: Pareto;
  readonly cells: Cells;
  readonly pending = new Pending();
  private readonly offer: Offer = { index: 0, time: 0, peak: 0, bubble: 0 };

  constructor({ top, byMemory, capacityBytes, cells }: ResultOptions) {
    this.best = new Best(top, byMemory);
    this.anywhere = new Best(2 * top, byMemory);
    this.pareto = new Pareto(capacityBytes);
    this.cells = new Cells(cells);
  }

  /** Whether a point with these values at the best would be kept anywhere. */
  admits(offer: Offer, expressible: boolean): boolean {
    const { time, peak } = offer;
    if (expressible) return this.best.admits(time, peak) || this.pareto.admits(offer);
    return this.anywhere.admits(time, peak);
  }

  /** As admits, for bounds of a point. */
  admitsBound(index: number, time: number, peak: number, bubble: number, expressible: boolean): boolean {
    this.set(index, time, peak, bubble);
    return this.admits(this.offer, expressible);
  }

  private set(index: number, time: number, peak: number, bubble: number): void {
    const { offer } = this;
    offer.index = index;
    offer.time = time;
    offer.peak = peak;
    // Equal bubbles must not differ by rounding, or every plan would stand on the front.
    offer.bubble = Math.round(bubble * 1e9) / 1e9;
  }

  /** A point with its exact values, or bounds of them. */
  take(index: number, time: number, peak: number, bubble: number, expressible: boolean, exact: boolean): void {
    this.set(index, time, peak, bubble);
    const { offer } = this;
    if (!exact) {
      if (this.admits(offer, expressible)) this.pending.push(index, time, peak, offer.bubble, expressible);
      return;
    }
    if (this.anywhere.admits(time, peak)) this.anywhere.add(offer);
    if (!expressible) return;
    if (this.best.admits(time, peak)) this.best.add(offer);
    if (this.pareto.admits(offer)) this.pareto.add(offer);
  }
}

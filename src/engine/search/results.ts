/**
 * Where evaluated points go: the best that the framework can express and the best of all, the Pareto front, the best of
 * each layout. A point whose time is only bounded waits until its time is needed.
 */
import { Best, Cells, type Offer, Pareto, Pending } from './collect';
import type { Rejection } from './rejections';

/** What a walk found, in numbers, so that it can cross threads. */
export interface Found {
  readonly best: readonly Offer[];
  readonly anywhere: readonly Offer[];
  readonly pareto: readonly Offer[];
  readonly cells: Pick<Cells, 'value' | 'index'>;
  /** Rows of Pending. */
  readonly pending: Float64Array;
}

/** One part of the space after its walk. */
export interface Part {
  readonly part: number;
  readonly evaluated: number;
  readonly feasible: number;
  readonly faster: number;
  readonly rejections: readonly Rejection[];
  readonly found: Found;
}

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

  /**
   * Whether a point with these values might be kept anywhere: the look that sends most points away. It asks no framework
   * and no index, so that it may say yes in vain, but never no.
   */
  mayTake(time: number, peak: number, bubble: number): boolean {
    return this.best.admits(time, peak) || this.anywhere.admits(time, peak) || this.pareto.mayAdmit(time, peak, bubble);
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
      if (this.admits(offer, expressible)) this.pending.push(offer, expressible);
      return;
    }
    if (this.anywhere.admits(time, peak)) this.anywhere.add(offer);
    if (!expressible) return;
    if (this.best.admits(time, peak)) this.best.add(offer);
    if (this.pareto.admits(offer)) this.pareto.add(offer);
  }

  found(): Found {
    const { best, anywhere, pareto, cells, pending } = this;
    return { best: best.offers, anywhere: anywhere.offers, pareto: pareto.offers, cells, pending: pending.all() };
  }

  /** Takes what another walk found, whose first cell is this one's `firstCell`. */
  merge({ best, anywhere, pareto, cells, pending }: Found, firstCell: number): void {
    for (const offer of anywhere) if (this.anywhere.admits(offer.time, offer.peak)) this.anywhere.add(offer);
    for (const offer of best) if (this.best.admits(offer.time, offer.peak)) this.best.add(offer);
    for (const offer of pareto) if (this.pareto.admits(offer)) this.pareto.add(offer);
    for (let cell = 0; cell < cells.value.length; cell++)
      if (cells.index[cell] >= 0) this.cells.offer(firstCell + cell, cells.value[cell], cells.index[cell]);
    this.pending.append(pending);
  }
}

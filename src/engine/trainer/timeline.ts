/**
 * The virtual time of a step's passes: a rank's pass takes the floating-point operations that it executed, and begins
 * when the rank is free and what it waits for has been sent. Communication takes no time here, so that what is left
 * idle is the schedule's.
 */
import type { Pass } from '../pipeline/order';

/** Assumed of every rank, so that seconds can be named; the bubble does not depend on it. */
export const VIRTUAL_FLOPS_PER_SECOND = 1e12;

export interface PassRecord {
  readonly pass: Pass;
  readonly microBatch: number;
  readonly chunk: number;
  readonly start: number;
  readonly end: number;
}

export class Timeline {
  /** By rank. */
  readonly passes: PassRecord[][];
  private readonly clock: Float64Array;
  private readonly sent = new Map<string, number>();

  constructor(ranks: number) {
    this.passes = Array.from({ length: ranks }, () => []);
    this.clock = new Float64Array(ranks);
  }

  now(rank: number): number {
    return this.clock[rank];
  }

  /** A message leaves when the sender's pass has ended. */
  send(from: number, to: number, tag: number): void {
    this.sent.set(`${from} ${to} ${tag}`, this.clock[from]);
  }

  receive(from: number, to: number, tag: number): void {
    this.clock[to] = Math.max(this.clock[to], this.sent.get(`${from} ${to} ${tag}`) ?? 0);
  }

  run(rank: number, pass: Pass, microBatch: number, chunk: number, flops: number): void {
    const start = this.clock[rank];
    const end = start + flops / VIRTUAL_FLOPS_PER_SECOND;
    this.clock[rank] = end;
    this.passes[rank].push({ pass, microBatch, chunk, start, end });
  }

  get seconds(): number {
    return this.clock.reduce((a, b) => Math.max(a, b), 0);
  }

  /** 1 − busy / (ranks · makespan) */
  get bubbleFraction(): number {
    let busy = 0;
    for (const list of this.passes) for (const { start, end } of list) busy += end - start;
    const whole = this.passes.length * this.seconds;
    return whole > 0 ? Math.max(0, 1 - busy / whole) : 0;
  }
}

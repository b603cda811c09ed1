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

/** What one rank tells a timeline, kept to be told later: ranks of several threads have no timeline in common. */
export type TimelineEvent =
  | {
      readonly kind: 'run';
      readonly pass: Pass;
      readonly microBatch: number;
      readonly chunk: number;
      readonly flops: number;
    }
  | { readonly kind: 'send' | 'receive'; readonly from: number; readonly to: number; readonly tag: number };

export class TimelineLog {
  readonly events: TimelineEvent[] = [];

  run(_rank: number, pass: Pass, microBatch: number, chunk: number, flops: number): void {
    this.events.push({ kind: 'run', pass, microBatch, chunk, flops });
  }

  send(from: number, to: number, tag: number): void {
    this.events.push({ kind: 'send', from, to, tag });
  }

  receive(from: number, to: number, tag: number): void {
    this.events.push({ kind: 'receive', from, to, tag });
  }
}

/** The timeline of ranks that each kept a log: a rank's events in their order, a message's receipt after its sending. */
export function timelineOf(logs: readonly (readonly TimelineEvent[])[]): Timeline {
  const timeline = new Timeline(logs.length);
  const next = logs.map(() => 0);
  const sent = new Set<string>();
  for (let isMoving = true; isMoving; ) {
    isMoving = false;
    logs.forEach((events, rank) => {
      for (; next[rank] < events.length; next[rank]++, isMoving = true) {
        const event = events[next[rank]];
        if (event.kind === 'run') {
          timeline.run(rank, event.pass, event.microBatch, event.chunk, event.flops);
          continue;
        }
        const { from, to, tag } = event;
        const message = `${from} ${to} ${tag}`;
        if (event.kind === 'receive' && !sent.has(message)) return;
        if (event.kind === 'send') sent.add(message);
        timeline[event.kind](from, to, tag);
      }
    });
  }
  return timeline;
}

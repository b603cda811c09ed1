/**
 * Times a step list in virtual time: every message waits for its sender, for its chunks and for the two ports it uses.
 *
 * Legend: a message of b bytes leaves when all is free, holds both ports b / B seconds, and arrives α later (the
 * LogGP model: Alexandrov et al. 1995, with o = g = 0).
 */
import { invariant } from '../problem';
import type { Schedule, Step } from './schedule';
import type { Wire, Wires } from './wires';

export interface Timing {
  /** When each rank has sent and received all that it should. */
  readonly finishSeconds: Float64Array;
  readonly seconds: number;
  readonly messages: number;
  readonly sentBytes: Float64Array;
  /** Bytes that left each rank inside its domain, and towards other domains. */
  readonly scaleUpBytes: Float64Array;
  readonly scaleOutBytes: Float64Array;
}

/**
 * @param chunkBytes start of each chunk in bytes, with the end as a last entry (`chunkStarts` of byte lengths)
 * @param beginSeconds when each rank arrives; all at 0 if absent
 */
export function timeSchedule(
  schedule: Schedule,
  chunkBytes: Float64Array,
  wires: Wires,
  beginSeconds?: Float64Array,
): Timing {
  const clock = new Clock(schedule, chunkBytes, wires, beginSeconds);
  for (const step of schedule.steps()) clock.step(step);
  return clock.timing();
}

class Clock {
  private readonly ready: Float64Array;
  private readonly chunks: number;
  private readonly domain: Int32Array;
  /** Free times of the ports: inside the domain by holder, outside by rank or, where rails are shared, by domain. */
  private readonly upOut: Float64Array;
  private readonly upIn: Float64Array;
  private readonly farOut: Float64Array;
  private readonly farIn: Float64Array;
  private readonly begin: Float64Array;
  private readonly finish: Float64Array;
  private readonly scaleUpBytes: Float64Array;
  private readonly scaleOutBytes: Float64Array;
  private messages = 0;

  constructor(
    private readonly schedule: Schedule,
    private readonly chunkBytes: Float64Array,
    private readonly wires: Wires,
    beginSeconds?: Float64Array,
  ) {
    const { holders, ranks, blocks, split } = schedule;
    const zeros = () => new Float64Array(holders);
    this.chunks = blocks * split;
    this.ready = new Float64Array(holders * this.chunks);
    this.domain = Int32Array.from({ length: holders }, (_, r) =>
      r < ranks ? Math.floor(r / wires.ranksPerDomain) : r - ranks,
    );
    [this.upOut, this.upIn, this.farOut, this.farIn] = [zeros(), zeros(), zeros(), zeros()];
    [this.scaleUpBytes, this.scaleOutBytes] = [zeros(), zeros()];
    this.begin = zeros();
    if (beginSeconds) this.begin.set(beginSeconds);
    this.finish = this.begin.slice();
  }

  step(step: Step): void {
    const { length } = step;
    for (let start = 0; start < length; ) {
      const { from, to } = step[start];
      let end = start + 1;
      while (end < length && step[end].from === from && step[end].to === to) end++;
      this.message(step, start, end);
      start = end;
    }
    if (this.schedule.synchronous) this.begin.set(this.finish);
  }

  /** One message: the transfers start … end − 1 of a step. */
  private message(step: Step, start: number, end: number): void {
    const { from, to } = step[start];
    const { chunkBytes, domain } = this;
    let bytes = 0;
    let time = this.begin[from];
    for (let i = start; i < end; i++) {
      const transfer = step[i];
      const last = transfer.first + transfer.count;
      bytes += chunkBytes[last] - chunkBytes[transfer.first];
      time = this.readyAt(from, transfer.first, last, time);
    }
    const near = domain[from] === domain[to];
    const arrival = near ? this.inside(from, to, bytes, time) : this.outside(from, to, bytes, time);
    for (let i = start; i < end; i++) {
      const transfer = step[i];
      this.arrive(to, transfer.first, transfer.first + transfer.count, arrival);
    }
    if (arrival > this.finish[to]) this.finish[to] = arrival;
    this.messages++;
  }

  private readyAt(holder: number, first: number, last: number, time: number): number {
    const base = holder * this.chunks;
    let latest = time;
    for (let c = base + first; c < base + last; c++) if (this.ready[c] > latest) latest = this.ready[c];
    return latest;
  }

  private arrive(holder: number, first: number, last: number, time: number): void {
    const base = holder * this.chunks;
    for (let c = base + first; c < base + last; c++) if (time > this.ready[c]) this.ready[c] = time;
  }

  private inside(from: number, to: number, bytes: number, time: number): number {
    const { ranks } = this.schedule;
    const hub = from >= ranks || to >= ranks;
    const wire = hub ? this.wires.toSwitch : this.wires.scaleUp;
    invariant(wire !== null, 'a schedule goes through a switch that the mesh does not have');
    this.scaleUpBytes[from] = this.scaleUpBytes[from] + bytes;
    // The switch has a port for each rank, so only the rank's side can be busy; each way to it is half a hop.
    const out = from >= ranks ? 0 : this.upOut[from];
    const into = to >= ranks ? 0 : this.upIn[to];
    const sent = Math.max(time, out, into) + bytes / wire.bytesPerSecond;
    if (from < ranks) this.release(this.upOut, from, from, sent);
    if (to < ranks) this.upIn[to] = sent;
    return sent + (hub ? wire.alphaSeconds / 2 : wire.alphaSeconds);
  }

  private outside(from: number, to: number, bytes: number, time: number): number {
    const wire = this.wires.scaleOut as Wire;
    const { railed } = this.schedule;
    this.scaleOutBytes[from] = this.scaleOutBytes[from] + bytes;
    const [out, into] = railed ? [this.domain[from], this.domain[to]] : [from, to];
    const rate = railed ? wire.bytesPerSecond * this.wires.ranksPerDomain : wire.bytesPerSecond;
    const sent = Math.max(time, this.farOut[out], this.farIn[into]) + bytes / rate;
    this.release(this.farOut, out, from, sent);
    this.farIn[into] = sent;
    return sent + wire.alphaSeconds;
  }

  private release(ports: Float64Array, port: number, rank: number, at: number): void {
    ports[port] = at;
    if (at > this.finish[rank]) this.finish[rank] = at;
  }

  timing(): Timing {
    const { ranks } = this.schedule;
    const finishSeconds = this.finish.subarray(0, ranks);
    const sentBytes = this.scaleUpBytes.map((up, r) => up + this.scaleOutBytes[r]).subarray(0, ranks);
    return {
      finishSeconds,
      seconds: finishSeconds.reduce((a, b) => Math.max(a, b), 0),
      messages: this.messages,
      sentBytes,
      scaleUpBytes: this.scaleUpBytes.subarray(0, ranks),
      scaleOutBytes: this.scaleOutBytes.subarray(0, ranks),
    };
  }
}

/**
 * Runs ranks' programs in virtual time: real buffers through the step lists, a clock for each rank, byte counters for
 * each axis, and a diagnosis in the place of a hang.
 */
import { invariant } from '../problem';
import { type Communication, dtypeOf, type Handle, type Program, Rank, type Reply, type Request } from './communicator';
import type { Diagnosis, RankState } from './diagnosis';
import { type Call, type Meeting, Meetings } from './meetings';
import { type Buffer, BYTES_PER_ELEMENT } from './numbers';
import type { CollectiveOp } from './schedule';
import { pairSeconds, type WorldNetwork } from './worldNetwork';

export interface WorldOptions<T> {
  readonly ranks: number;
  readonly program: (rank: Rank) => Program<T>;
  /** Null: communication takes no time. */
  readonly network?: WorldNetwork | null;
}

/** Traffic of one operation over one axis. */
export interface Traffic {
  readonly axis: string;
  readonly op: CollectiveOp;
  /** Completed calls, counted once a group. */
  count: number;
  readonly sentBytes: Float64Array;
}

export interface WorldResult<T> {
  /** Null where the world ran to its end. */
  readonly diagnosis: readonly Diagnosis[] | null;
  /** What each rank returned; undefined for a rank that did not finish. */
  readonly results: readonly (T | undefined)[];
  /** Virtual time at which each rank ended. */
  readonly clockSeconds: Float64Array;
  readonly seconds: number;
  readonly traffic: readonly Traffic[];
}

interface Process<T> {
  readonly rank: number;
  readonly generator: Program<T>;
  readonly calls: WeakMap<Handle, Call>;
  blockedOn: Call | null;
  reply: Reply;
  done: boolean;
  result: T | undefined;
}

export function runWorld<T>(options: WorldOptions<T>): WorldResult<T> {
  return new World(options).run();
}

const EMPTY = new Float32Array(0);

class World<T> {
  private readonly processes: Process<T>[];
  private readonly clocks: Float64Array;
  /** When each rank's communication queue is free: operations of a rank run one after the other, beside its compute. */
  private readonly queues: Float64Array;
  private readonly meetings: Meetings;
  private readonly traffic = new Map<string, Traffic>();
  private readonly waitingPeers = new Map<string, Call[]>();
  private readonly runnable: Process<T>[];
  private diagnosis: Diagnosis[] | null = null;
  private nextHandle = 0;

  constructor(private readonly options: WorldOptions<T>) {
    const { ranks, program } = options;
    this.clocks = new Float64Array(ranks);
    this.queues = new Float64Array(ranks);
    this.meetings = new Meetings(options.network ?? null);
    this.processes = Array.from({ length: ranks }, (_, rank) => ({
      rank,
      generator: program(new Rank(rank, ranks)),
      calls: new WeakMap<Handle, Call>(),
      blockedOn: null,
      reply: undefined,
      done: false,
      result: undefined,
    }));
    this.runnable = [...this.processes].reverse();
  }

  run(): WorldResult<T> {
    for (let p = this.runnable.pop(); p && !this.diagnosis; p = this.runnable.pop()) this.resume(p);
    if (!this.diagnosis && this.processes.some(p => !p.done)) this.diagnosis = this.stuck();
    return {
      diagnosis: this.diagnosis,
      results: this.processes.map(p => p.result),
      clockSeconds: this.clocks,
      seconds: this.clocks.reduce((a, b) => Math.max(a, b), 0),
      traffic: [...this.traffic.values()],
    };
  }

  /** Lets a rank run until it has to wait. */
  private resume(process: Process<T>): void {
    while (!this.diagnosis) {
      const { reply } = process;
      process.reply = undefined;
      const next = process.generator.next(reply);
      if (next.done) {
        process.done = true;
        process.result = next.value;
        return;
      }
      if (!this.serve(process, next.value)) return;
    }
  }

  /** Answers a request; false where the rank must wait for others. */
  private serve(process: Process<T>, request: Request): boolean {
    switch (request.kind) {
      case 'compute':
        this.clocks[process.rank] = this.clocks[process.rank] + request.seconds;
        return true;
      case 'start': {
        const call = this.post(process, request.request);
        process.reply = call.handle;
        return true;
      }
      case 'wait': {
        const call = process.calls.get(request.handle);
        invariant(call !== undefined, `rank ${process.rank} waits for a handle that it did not start`);
        return this.await(process, call);
      }
      default:
        return this.await(process, this.post(process, request));
    }
  }

  private await(process: Process<T>, call: Call): boolean {
    if (call.output === null) {
      process.blockedOn = call;
      return false;
    }
    this.clocks[process.rank] = Math.max(this.clocks[process.rank], call.finishSeconds);
    process.reply = call.output;
    return true;
  }

  private post(process: Process<T>, request: Communication): Call {
    const { rank } = process;
    const handle = { id: this.nextHandle++ };
    const postSeconds = Math.max(this.clocks[rank], this.queues[rank]);
    const call: Call = { rank, request, handle, postSeconds, output: null, finishSeconds: 0 };
    process.calls.set(handle, call);
    if (request.kind !== 'collective') this.meetPeer(call, request);
    else {
      const met = this.meetings.join(call, request);
      if ('code' in met) this.diagnosis = [met];
      else if (met.calls.length === request.group.ranks.length) this.complete(met);
    }
    return call;
  }

  private complete(meeting: Meeting): void {
    const { op, group } = meeting;
    const { outputs, sentBytes, finishSeconds } = this.meetings.execute(meeting);
    const traffic = this.trafficOf(group.axis, op);
    traffic.count++;
    meeting.calls.forEach(call => {
      const place = group.ranks.indexOf(call.rank);
      traffic.sentBytes[call.rank] = traffic.sentBytes[call.rank] + sentBytes[place];
      this.finish(call, outputs[place], finishSeconds[place]);
    });
  }

  private finish(call: Call, output: Buffer, seconds: number): void {
    call.output = output;
    call.finishSeconds = seconds;
    this.queues[call.rank] = Math.max(this.queues[call.rank], seconds);
    const process = this.processes[call.rank];
    if (process.blockedOn !== call) return;
    process.blockedOn = null;
    this.await(process, call);
    this.runnable.push(process);
  }

  private trafficOf(axis: string, op: CollectiveOp): Traffic {
    const key = `${axis} ${op}`;
    let traffic = this.traffic.get(key);
    if (!traffic) {
      traffic = { axis, op, count: 0, sentBytes: new Float64Array(this.options.ranks) };
      this.traffic.set(key, traffic);
    }
    return traffic;
  }

  /** Point to point: a send and a receive of the same pair and tag meet in the order in which they were posted. */
  private meetPeer(call: Call, request: Exclude<Communication, { kind: 'collective' }>): void {
    const sends = request.kind === 'send';
    const [from, to] = sends ? [call.rank, request.to] : [request.from, call.rank];
    const key = (kind: string) => `${kind} ${from} ${to} ${request.tag}`;
    const partner = this.waitingPeers.get(key(sends ? 'receive' : 'send'))?.shift();
    if (!partner) {
      const own = key(request.kind);
      this.waitingPeers.set(own, [...(this.waitingPeers.get(own) ?? []), call]);
      return;
    }
    const send = sends ? request : (partner.request as Extract<Communication, { kind: 'send' }>);
    const bytes = send.data.length * BYTES_PER_ELEMENT[dtypeOf(send.data)];
    const begin = Math.max(call.postSeconds, partner.postSeconds);
    const end = begin + pairSeconds(this.options.network ?? null, from, to, bytes);
    const traffic = this.trafficOf('p2p', 'send-recv');
    traffic.count++;
    traffic.sentBytes[from] = traffic.sentBytes[from] + bytes;
    const [sender, receiver] = sends ? [call, partner] : [partner, call];
    this.finish(sender, EMPTY, end);
    this.finish(receiver, send.data.slice(), end);
  }

  /** Nobody can go on: who waits for whom. */
  private stuck(): Diagnosis[] {
    const found: Diagnosis[] = this.meetings.open().map(({ group, op, sequence, calls }: Meeting) => {
      const present = calls.map(call => call.rank).sort((a, b) => a - b);
      const missing = group.ranks
        .filter(rank => !present.includes(rank))
        .map(rank => ({ rank, state: this.stateOf(rank) }));
      return { code: 'missing-rank', axis: group.axis, sequence, op, present, missing };
    });
    for (const [key, calls] of this.waitingPeers)
      for (const { request, rank } of calls) {
        if (request.kind === 'send')
          found.push({ code: 'unmatched-send', from: rank, to: request.to, tag: request.tag });
        if (request.kind === 'receive')
          found.push({ code: 'unmatched-receive', from: request.from, to: rank, tag: request.tag });
        invariant(request.kind !== 'collective', `a collective among the peers: ${key}`);
      }
    return found;
  }

  private stateOf(rank: number): RankState {
    const process = this.processes[rank];
    const request = process.blockedOn?.request;
    if (process.done || !request) return { doing: 'finished' };
    if (request.kind === 'collective') return { doing: 'collective', op: request.op, axis: request.group.axis };
    return { doing: request.kind, peer: request.kind === 'send' ? request.to : request.from };
  }
}

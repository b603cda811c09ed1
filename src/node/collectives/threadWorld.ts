/**
 * One worker's side of a world of threads: it runs the programs of its ranks until all wait, meets the other workers,
 * does its ranks' share of every communication that is complete, meets them again, and lets the ranks go on.
 * Deadlock is a round in which no worker could go on.
 */
import {
  type Communication,
  dtypeOf,
  type Group,
  type Handle,
  type Program,
  Rank,
  type Reply,
  type Request,
} from '../../engine/collectives/communicator';
import { SAME_LENGTH } from '../../engine/collectives/diagnosis';
import { partition } from '../../engine/collectives/layout';
import { type Buffer, divide, type Dtype, DTYPES } from '../../engine/collectives/numbers';
import { invariant } from '../../engine/problem';
import { type KernelMemory, loadSharedKernels } from '../../engine/kernels/kernels';
import { Arena, type HeapLayout, SLOT, viewOf } from './heap';
import { Rounds } from './rounds';
import type { WorkerOutcome } from './outcome';
import { NOTHING, Shares } from './shares';
import { groupKey, groupOfCall, type Pending, Slots } from './slots';

interface Call extends Pending {
  output: Buffer | null;
  /** All members have posted theirs, in this round. */
  ready: boolean;
}

/** The slots in which the members of a group have posted their calls of a sequence. */
interface Meeting {
  readonly key: number;
  readonly sequence: number;
  readonly members: readonly number[];
  readonly complete: boolean;
}

interface Process<T> {
  readonly rank: number;
  readonly generator: Program<T>;
  readonly arena: Arena;
  /** Calls made so far, by group; and how many are under way. */
  readonly sequences: Map<number, number>;
  readonly calls: WeakMap<Handle, Call>;
  underWay: number;
  blockedOn: Call | null;
  reply: Reply;
  done: boolean;
  value: T | undefined;
}

export class ThreadWorld<T> {
  private readonly slots: Slots;
  private readonly words: Int32Array;
  private readonly heap: ArrayBufferLike;
  /** Meetings that were looked at in this round. */
  private readonly seen: Meeting[] = [];
  private readonly shares: Shares;
  private readonly processes: Process<T>[] = [];
  /** Holds this worker's ranks only. */
  private readonly byRank: Process<T>[] = [];
  private readonly pending: Call[] = [];
  private readonly keys = new WeakMap<Group, number>();
  private readonly rounds: Rounds;
  private readonly runnable: Process<T>[];
  private readonly old: number[] = [];
  private handles = 0;

  constructor(
    private readonly memory: KernelMemory,
    private readonly layout: HeapLayout,
    worker: number,
    program: (rank: Rank) => Program<T>,
  ) {
    const kernels = loadSharedKernels(memory);
    this.heap = memory.buffer;
    this.words = new Int32Array(this.heap);
    this.slots = new Slots(this.words, layout);
    this.rounds = new Rounds(kernels, this.words, layout, worker);
    this.shares = new Shares(memory, kernels, this.words, this.slots, layout.tables + worker * layout.tableBytes);
    const share = partition(layout.ranks, layout.workers);
    const first = share.slice(0, worker).reduce((a, b) => a + b, 0);
    for (let rank = first; rank < first + share[worker]; rank++) this.add(rank, program);
    this.runnable = [...this.processes].reverse();
  }

  private add(rank: number, program: (rank: Rank) => Program<T>): void {
    const arena = new Arena(this.layout.arenas + rank * this.layout.arenaBytes, this.layout.arenaBytes);
    const onHeap = (dtype: Dtype, length: number) => viewOf(this.memory, dtype, arena.keep(dtype, length), length);
    const generator = program(new Rank(rank, this.layout.ranks, onHeap));
    const process: Process<T> = {
      rank,
      generator,
      arena,
      sequences: new Map(),
      calls: new WeakMap(),
      underWay: 0,
      blockedOn: null,
      reply: undefined,
      done: false,
      value: undefined,
    };
    this.processes.push(process);
    this.byRank[rank] = process;
  }

  /** Runs to the end, or until nobody can go on. */
  run(): WorkerOutcome<T> {
    for (;;) {
      for (let process = this.runnable.pop(); process; process = this.runnable.pop()) this.resume(process);
      if (!this.rounds.announce(this.pending)) this.postAll();
      this.rounds.meet();
      this.freeOld();
      const verdict = this.rounds.verdict(this.pending[0]?.group.ranks.length ?? 0);
      if (verdict === 'one-barrier') {
        for (const call of this.pending) call.ready = true;
        this.finishReady();
        continue;
      }
      if (verdict === 'not-posted') {
        this.postAll();
        this.rounds.meet();
      }
      const goingOn = this.performReady();
      this.rounds.report(goingOn);
      this.rounds.meet();
      if (!this.rounds.someoneGoesOn()) return this.outcome();
      if (goingOn > 0) this.finishReady();
    }
  }

  /** Slots of calls that ended a round ago: only now has everybody stopped reading them. */
  private freeOld(): void {
    for (let base = this.old.pop(); base !== undefined; base = this.old.pop()) this.slots.free(base);
  }

  private resume(process: Process<T>): void {
    for (;;) {
      const { reply } = process;
      process.reply = undefined;
      const next = process.generator.next(reply);
      if (next.done) {
        process.done = true;
        process.value = next.value;
        return;
      }
      if (!this.serve(process, next.value)) return;
    }
  }

  private serve(process: Process<T>, request: Request): boolean {
    switch (request.kind) {
      case 'compute':
        return true;
      case 'start': {
        const handle = { id: this.handles++ };
        process.calls.set(handle, this.post(process, request.request));
        process.reply = handle;
        return true;
      }
      case 'wait': {
        const call = process.calls.get(request.handle);
        invariant(call !== undefined, `rank ${process.rank} waits for a handle that it did not start`);
        process.reply = call.output ?? undefined;
        process.blockedOn = call.output ? null : call;
        return call.output !== null;
      }
      default:
        process.blockedOn = this.post(process, request);
        return false;
    }
  }

  private post(process: Process<T>, request: Communication): Call {
    const { rank, arena, sequences } = process;
    const group = groupOfCall(rank, request);
    const key = this.keyOf(group);
    const sequence = sequences.get(key) ?? 0;
    sequences.set(key, sequence + 1);
    if (process.underWay++ === 0) arena.giveBack();
    const input = request.kind === 'receive' ? 0 : this.place(arena, request.data);
    const room = this.room(arena, group, rank, request, input);
    const lengths = this.lengths(arena, request);
    const call: Call = {
      rank,
      request,
      group,
      key,
      sequence,
      input,
      room,
      lengths,
      slot: -1,
      base: -1,
      output: null,
      ready: false,
    };
    this.pending.push(call);
    return call;
  }

  /** Shows all calls that are not shown yet to the other workers. */
  private postAll(): void {
    for (const call of this.pending) {
      if (call.slot >= 0) continue;
      call.slot = this.slots.firstFree(call.rank);
      invariant(call.slot >= 0, `rank ${call.rank} has more communication under way than there are slots`);
      call.base = this.slots.base(call.rank, call.slot);
      this.slots.write(call);
    }
  }

  private keyOf(group: Group): number {
    let key = this.keys.get(group);
    if (key === undefined) this.keys.set(group, (key = groupKey(group)));
    return key;
  }

  /** The address of a buffer: where it is, or a copy on the heap. */
  private place(arena: Arena, data: Buffer): number {
    if (data.length === 0) return 0;
    if (data.buffer === this.heap) return data.byteOffset;
    const address = arena.borrow(data.byteLength);
    viewOf(this.memory, dtypeOf(data), address, data.length).set(data);
    return address;
  }

  /** Space for an output that others write or that a kernel computes. */
  private room(arena: Arena, group: Group, rank: number, request: Communication, input: number): number {
    if (request.kind !== 'collective') return 0;
    const { op, root, data, inPlace } = request;
    if (inPlace) return input;
    const wanted = op === 'all-reduce' || op === 'reduce-scatter' || (op === 'reduce' && group.ranks[root] === rank);
    return wanted ? arena.borrow(data.byteLength) : 0;
  }

  /** Where the others find the lengths of an uneven all-to-all's parts. */
  private lengths(arena: Arena, request: Communication): number {
    if (request.kind !== 'collective' || request.sendLengths === null) return 0;
    const address = arena.borrow(request.sendLengths.length * 4);
    this.words.set(request.sendLengths, address >> 2);
    return address;
  }

  /** Does the shares of all calls whose meetings are complete; returns how many. */
  private performReady(): number {
    this.seen.length = 0;
    let count = 0;
    for (const call of this.pending) {
      const meeting = this.meetingOf(call);
      call.ready = meeting.complete;
      if (!call.ready) continue;
      call.output = this.shares.perform(call, meeting.members);
      count++;
    }
    return count;
  }

  private meetingOf(call: Call): Meeting {
    for (const meeting of this.seen) if (meeting.key === call.key && meeting.sequence === call.sequence) return meeting;
    const { request, group, key, sequence, slot, base } = call;
    const members = group.ranks.map(member => this.slots.find(member, key, sequence, slot));
    let complete = !members.includes(-1);
    if (complete && request.kind === 'collective') {
      const even = request.op === 'all-to-all' && request.sendLengths === null;
      const sameLength = even || SAME_LENGTH.includes(request.op);
      complete = members.every(other => this.slots.agrees(base, other, sameLength));
    }
    const meeting = { key, sequence, members, complete };
    this.seen.push(meeting);
    return meeting;
  }

  private finishReady(): void {
    let kept = 0;
    for (const call of this.pending)
      if (call.ready) this.finish(call);
      else this.pending[kept++] = call;
    this.pending.length = kept;
  }

  /** Hands a call's output to its rank, in memory of its own. */
  private finish(call: Call): void {
    const process = this.byRank[call.rank];
    call.output = this.whole(call, call.output);
    if (call.base >= 0) this.old.push(call.base);
    process.underWay--;
    if (process.blockedOn !== call) return;
    process.blockedOn = null;
    process.reply = call.output;
    this.runnable.push(process);
  }

  /** The output of a call whose members have all done their shares. */
  private whole(call: Call, own: Buffer | null): Buffer {
    const { request, group, rank } = call;
    if (request.kind !== 'collective') return own ?? NOTHING;
    const { op, root, data, inPlace, reduction } = request;
    let output = own ?? NOTHING;
    if (op === 'all-reduce' || (op === 'reduce' && group.ranks[root] === rank)) {
      const onHeap = data.buffer === this.heap;
      output = inPlace && onHeap ? data : this.shares.outputAt(call, data.length);
      if (inPlace && !onHeap) {
        data.set(output);
        output = data;
      }
    }
    const sums = op === 'all-reduce' || op === 'reduce-scatter' || op === 'reduce';
    if (sums && reduction === 'average') divide(output, dtypeOf(data), group.ranks.length);
    return output;
  }

  private outcome(): WorkerOutcome<T> {
    return {
      results: this.processes.filter(p => p.done).map(({ rank, value }) => ({ rank, value: value as T })),
      finished: this.processes.filter(p => p.done).map(p => p.rank),
      open: this.pending.map(({ rank, sequence, group, request, base }) => ({
        rank,
        sequence,
        group,
        request: request.kind === 'receive' ? request : { ...request, data: NOTHING },
        dtype: DTYPES[this.slots.word(base, SLOT.dtype)],
        elements: this.slots.word(base, SLOT.elements),
      })),
    };
  }
}

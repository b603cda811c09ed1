/**
 * The calls of one worker's ranks that have not met their partners yet: made from requests, shown to the other workers,
 * done where all members of the group have shown theirs, and handed back.
 */
import { type Communication, dtypeOf, type Group } from '../../engine/collectives/communicator';
import { SAME_LENGTH } from '../../engine/collectives/diagnosis';
import { type Buffer, divide, DTYPES } from '../../engine/collectives/numbers';
import type { KernelMemory, SharedKernels } from '../../engine/kernels/kernels';
import { invariant } from '../../engine/problem';
import { type Arena, type HeapLayout, SLOT, viewOf } from './heap';
import type { Lockstep } from './lockstep';
import type { OpenCall } from './outcome';
import { NOTHING, Shares } from './shares';
import { groupKey, groupOfCall, type Pending, Slots } from './slots';

export interface Call extends Pending {
  output: Buffer | null;
  /** All members have shown theirs, in this round. */
  ready: boolean;
}

/** The rank that calls. */
export interface Caller {
  readonly rank: number;
  readonly arena: Arena;
  /** Calls made so far, by the key of their group; those in lockstep are counted there. */
  readonly sequences: Map<number, number>;
  /** Calls that are not finished. */
  underWay: number;
}

/** The slots in which the members of a group have shown their calls of a sequence. */
interface Meeting {
  readonly key: number;
  readonly sequence: number;
  readonly members: readonly number[];
  readonly complete: boolean;
}

export class Calls {
  readonly pending: Call[] = [];
  private readonly slots: Slots;
  private readonly shares: Shares;
  private readonly heap: ArrayBufferLike;
  /** Meetings that were looked at in this round. */
  private readonly seen: Meeting[] = [];
  private readonly keys = new WeakMap<Group, number>();
  private readonly old: number[] = [];
  private readonly worldKey: number;

  constructor(
    private readonly memory: KernelMemory,
    kernels: SharedKernels,
    private readonly words: Int32Array,
    layout: HeapLayout,
    worker: number,
    private readonly lockstep: Lockstep,
  ) {
    this.worldKey = groupKey(lockstep.world);
    this.heap = memory.buffer;
    this.slots = new Slots(words, layout);
    this.shares = new Shares(memory, kernels, words, this.slots, layout.tables + worker * layout.tableBytes);
  }

  /** Makes a call of a request. */
  make(caller: Caller, request: Communication): Call {
    const { rank, arena, sequences } = caller;
    const group = groupOfCall(rank, request);
    const key = this.keyOf(group);
    const counted = sequences.get(key) ?? 0;
    sequences.set(key, counted + 1);
    if (caller.underWay++ === 0) arena.giveBack();
    const input = request.kind === 'receive' ? 0 : this.place(arena, request.data);
    const room = this.room(arena, group, rank, request, input);
    const lengths = this.lengths(arena, request);
    const sequence = counted + (key === this.worldKey ? this.lockstep.done : 0);
    const at = { slot: -1, base: -1 };
    const call = { rank, request, group, key, sequence, input, room, lengths, ...at, output: null, ready: false };
    this.pending.push(call);
    return call;
  }

  /** Shows all calls that are not shown yet to the other workers. */
  show(): void {
    for (const call of this.pending) {
      if (call.slot >= 0) continue;
      call.slot = this.slots.firstFree(call.rank);
      invariant(call.slot >= 0, `rank ${call.rank} has more communication under way than there are slots`);
      call.base = this.slots.base(call.rank, call.slot);
      this.slots.write(call);
    }
  }

  /** Does this worker's shares of all calls whose meetings are complete; returns how many. */
  performReady(): number {
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

  /** Takes out the calls that were ready, when all workers have done their shares, each with its output. */
  takeReady(): Call[] {
    const ready = this.pending.filter(call => call.ready);
    let kept = 0;
    for (const call of this.pending) if (!call.ready) this.pending[kept++] = call;
    this.pending.length = kept;
    for (const call of ready) {
      call.output = this.whole(call, call.output);
      this.old.push(call.base);
    }
    return ready;
  }

  /** Frees the slots of calls that were taken out a round ago: only then has everybody stopped reading them. */
  freeOld(): void {
    for (let base = this.old.pop(); base !== undefined; base = this.old.pop()) this.slots.free(base);
  }

  /** All that is not finished, without its data. */
  open(): OpenCall[] {
    return this.pending.map(({ rank, sequence, group, request, base }) => ({
      rank,
      sequence,
      group,
      request: request.kind === 'receive' ? request : { ...request, data: NOTHING },
      dtype: DTYPES[this.slots.word(base, SLOT.dtype)],
      elements: this.slots.word(base, SLOT.elements),
    }));
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

  /** The output of a call whose members have all done their shares, in memory of the rank's own. */
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
}

/** The calls that ranks have posted to the shared heap, by which workers see what ranks of other workers want. */
import { dtypeOf, type Communication, type Group } from '../../engine/collectives/communicator';
import { DTYPES, REDUCTIONS } from '../../engine/collectives/numbers';
import { COLLECTIVE_OPS } from '../../engine/collectives/schedule';
import { type HeapLayout, SLOT, SLOTS } from './heap';

/** One past the collectives: a message between two ranks. */
const MESSAGE = COLLECTIVE_OPS.length;

/** A call of a rank of this worker that is not finished. */
export interface Pending {
  readonly rank: number;
  readonly request: Communication;
  readonly group: Group;
  /** Hash of the group, for words that workers compare. */
  readonly key: number;
  readonly sequence: number;
  /** Addresses of its input, of the room for its output, and of its parts' lengths; 0 where there is none. */
  readonly input: number;
  readonly room: number;
  readonly lengths: number;
  /** Where it is shown to other workers, and the word index of that; −1 while it is not. */
  slot: number;
  base: number;
}

const codes = (names: readonly string[]) => new Map(names.map((name, code) => [name, code]));
const OPS = codes(COLLECTIVE_OPS);
const TYPES = codes(DTYPES);
const FOLDS = codes(REDUCTIONS);

/** A number for a group that is the same in every worker (FNV-1a over the axis and the ranks), never 0. */
export function groupKey({ axis, ranks }: Group): number {
  let hash = 0x811c9dc5;
  const mix = (value: number) => {
    hash = Math.imul(hash ^ value, 0x01000193);
  };
  for (let i = 0; i < axis.length; i++) mix(axis.charCodeAt(i));
  for (const rank of ranks) {
    mix(rank & 0xffff);
    mix(rank >>> 16);
  }
  return hash | 1;
}

const peers = new Map<string, Group>();

/** A message is a meeting of two: the pair and the tag make its group. */
export function groupOfCall(rank: number, request: Communication): Group {
  if (request.kind === 'collective') return request.group;
  const ranks = request.kind === 'send' ? [rank, request.to] : [request.from, rank];
  const name = `p2p ${ranks.join()} ${request.tag}`;
  let group = peers.get(name);
  if (!group) peers.set(name, (group = { axis: `p2p ${request.tag}`, ranks }));
  return group;
}

export class Slots {
  constructor(
    private readonly words: Int32Array,
    private readonly layout: HeapLayout,
  ) {}

  /** Word index of a rank's slot. */
  base(rank: number, slot: number): number {
    return (this.layout.slots >> 2) + (rank * SLOTS + slot) * SLOT.words;
  }

  /** Writes a call; the group's word comes first in the slot and says that it is taken. */
  write({ request, key, sequence, base, input, room, lengths }: Pending): void {
    const { words } = this;
    words[base + SLOT.sequence] = sequence;
    words[base + SLOT.input] = input;
    words[base + SLOT.output] = room;
    words[base + SLOT.lengths] = lengths;
    if (request.kind === 'collective') {
      words[base + SLOT.op] = OPS.get(request.op) as number;
      words[base + SLOT.dtype] = TYPES.get(dtypeOf(request.data)) as number;
      words[base + SLOT.reduction] = FOLDS.get(request.reduction) as number;
      words[base + SLOT.root] = request.root;
      words[base + SLOT.elements] = request.data.length;
    } else {
      words[base + SLOT.op] = MESSAGE;
      words[base + SLOT.dtype] = request.kind === 'send' ? (TYPES.get(dtypeOf(request.data)) as number) : 0;
      words[base + SLOT.elements] = request.kind === 'send' ? request.data.length : 0;
      words[base + SLOT.reduction] = 0;
      words[base + SLOT.root] = 0;
    }
    words[base + SLOT.group] = key;
  }

  free(base: number): void {
    this.words[base + SLOT.group] = 0;
  }

  /** The first free slot of a rank; −1 if all are taken. */
  firstFree(rank: number): number {
    for (let slot = 0; slot < SLOTS; slot++) if (this.words[this.base(rank, slot) + SLOT.group] === 0) return slot;
    return -1;
  }

  /** Where a rank has posted its call of a group and sequence; −1 if it has not. Programs alike use the same slot. */
  find(rank: number, key: number, sequence: number, likely: number): number {
    const { words } = this;
    const first = this.base(rank, likely);
    if (words[first + SLOT.group] === key && words[first + SLOT.sequence] === sequence) return first;
    for (let slot = 0; slot < SLOTS; slot++) {
      const base = this.base(rank, slot);
      if (words[base + SLOT.group] === key && words[base + SLOT.sequence] === sequence) return base;
    }
    return -1;
  }

  /** Whether a member's call is of the same kind as the own one, by all that must agree. */
  agrees(own: number, other: number, sameLength: boolean): boolean {
    const { words } = this;
    const last = sameLength ? SLOT.elements : SLOT.root;
    for (let w: number = SLOT.op; w <= last; w++) if (words[own + w] !== words[other + w]) return false;
    return true;
  }

  word(base: number, field: number): number {
    return this.words[base + field];
  }
}

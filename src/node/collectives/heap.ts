/**
 * The shared heap: one memory that all worker threads map, with the same layout for each.
 *
 *   flags        one 128-byte line a worker: the epoch of the last barrier, and who sleeps on it
 *   ready        one 128-byte line a worker: how many of its calls went on in this round
 *   mailboxes    16 of 256 bytes a worker, for short messages
 *   tables       one a worker, 16 bytes a member: addresses of a group's inputs and outputs
 *   world table  one for all workers, of the world's calls that go the light way (lockstep.ts)
 *   slots        calls that ranks have posted, SLOTS a rank
 *   arenas       each rank's own space, for the buffers of its communication
 */
import { createMemory, type KernelMemory } from '../../engine/kernels/kernels';
import { BYTES_PER_ELEMENT, type Dtype } from '../../engine/collectives/numbers';

export const SLOTS = 32;
/** Words of a slot. */
export const SLOT = {
  group: 0,
  sequence: 1,
  op: 2,
  dtype: 3,
  reduction: 4,
  root: 5,
  elements: 6,
  input: 7,
  output: 8,
  /** Address of the parts' lengths of an uneven all-to-all; 0 without. */
  lengths: 9,
  words: 16,
} as const;

export interface HeapLayout {
  readonly workers: number;
  readonly ranks: number;
  readonly flags: number;
  readonly ready: number;
  readonly mail: number;
  readonly tables: number;
  readonly tableBytes: number;
  readonly worldTable: number;
  readonly slots: number;
  readonly arenas: number;
  readonly arenaBytes: number;
  readonly totalBytes: number;
}

const PAGE = 65536;
const upTo = (bytes: number, unit: number) => Math.ceil(bytes / unit) * unit;

export function heapLayout(workers: number, ranks: number, arenaBytes: number): HeapLayout {
  const flags = 1024;
  const ready = flags + workers * 128;
  const mail = ready + workers * 128;
  const tables = upTo(mail + workers * 16 * 256, PAGE);
  const tableBytes = upTo(ranks * 16, 4096);
  const worldTable = tables + workers * tableBytes;
  const slots = upTo(worldTable + tableBytes, PAGE);
  const arenas = upTo(slots + ranks * SLOTS * SLOT.words * 4, PAGE);
  const own = upTo(arenaBytes, 4096);
  return {
    workers,
    ranks,
    flags,
    ready,
    mail,
    tables,
    tableBytes,
    worldTable,
    slots,
    arenas,
    arenaBytes: own,
    totalBytes: arenas + ranks * own,
  };
}

/** The memory for a layout, as large as it needs to be and able to be shared. */
export function sharedMemory(layout: HeapLayout): KernelMemory {
  return createMemory(Math.ceil(layout.totalBytes / PAGE), true);
}

/** Views of a type at an address of a memory. */
export function viewOf(memory: KernelMemory, dtype: Dtype, address: number, length: number) {
  const { buffer } = memory;
  switch (dtype) {
    case 'f32':
      return new Float32Array(buffer, address, length);
    case 'f64':
      return new Float64Array(buffer, address, length);
    case 'i32':
      return new Int32Array(buffer, address, length);
    case 'bf16':
      return new Uint16Array(buffer, address, length);
  }
}

/**
 * A rank's own space. Buffers that the program asks for stay (from the top down); those of pending communication are
 * given back together when none is pending (from the bottom up).
 */
export class Arena {
  private low: number;
  private high: number;

  constructor(
    private readonly start: number,
    bytes: number,
  ) {
    this.low = start;
    this.high = start + bytes;
  }

  /** An address for a buffer that stays. */
  keep(dtype: Dtype, length: number): number {
    this.high = Math.floor((this.high - length * BYTES_PER_ELEMENT[dtype]) / 64) * 64;
    this.check();
    return this.high;
  }

  /** An address for a buffer of one communication. */
  borrow(bytes: number): number {
    const at = this.low;
    this.low = upTo(at + bytes, 64);
    this.check();
    return at;
  }

  giveBack(): void {
    this.low = this.start;
  }

  private check(): void {
    if (this.low > this.high) throw new RangeError('a rank needs a larger arena for its communication');
  }
}

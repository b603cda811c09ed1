/**
 * The light way of a round, where all ranks of the world wait at one barrier, or in one all-reduce whose buffers lie on
 * the heap and take the result in place. Such a call needs no slot and no memory of its own: each worker tells the
 * others in two words what its ranks wait for, and where all say the same they do it and go on. Where one says
 * something else, the requests become calls (calls.ts), by which it is found what each rank wants and what is wrong.
 */
import { type CollectiveRequest, dtypeOf, type Group, worldGroup } from '../../engine/collectives/communicator';
import { type Buffer, divide } from '../../engine/collectives/numbers';
import { type KernelMemory, kindOf, type SharedKernels } from '../../engine/kernels/kernels';
import type { HeapLayout } from './heap';
import { NOTHING } from './shares';

const BARRIER = 1;
const FIRST_ALL_REDUCE = 2;

export class Lockstep {
  /** Calls of the world that went this way: every rank has made so many. */
  done = 0;
  readonly world: Group;
  /** Ranks of this worker that wait here, and the first one's request, with its code or 0 where others differ from it. */
  private waiting = 0;
  private request: CollectiveRequest | null = null;
  private code = 0;
  private readonly heap: ArrayBufferLike;

  constructor(
    memory: KernelMemory,
    private readonly kernels: SharedKernels,
    private readonly words: Int32Array,
    private readonly layout: HeapLayout,
    private readonly firstRank: number,
    private readonly ownRanks: number,
  ) {
    this.heap = memory.buffer;
    this.world = worldGroup(layout.ranks);
  }

  /** Lets a rank wait here; false where its request cannot go this way. */
  join(rank: number, request: CollectiveRequest): boolean {
    const code = this.codeOf(request);
    if (code === 0) return false;
    if (this.waiting++ === 0) {
      this.request = request;
      this.code = code;
    } else if (code !== this.code || request.data.length !== this.elements) this.code = 0;
    if (code !== BARRIER) {
      // All workers have done their shares of the round before, so nobody reads the table now.
      const row = (this.layout.worldTable >> 2) + 4 * rank;
      this.words[row] = request.data.byteOffset;
      this.words[row + 1] = request.data.byteOffset;
    }
    return true;
  }

  /** What all of this worker's ranks wait for, as all other workers know it; 0 where they do not wait for one thing. */
  get sharedCode(): number {
    return this.waiting === this.ownRanks ? this.code : 0;
  }

  get elements(): number {
    return this.request?.data.length ?? 0;
  }

  /** Forgets who waits here: their requests become calls. */
  leave(): void {
    this.waiting = 0;
  }

  /** Does this worker's shares; false where there were none, so that nobody need be waited for. */
  perform(): boolean {
    this.waiting = 0;
    this.done++;
    if (this.code === BARRIER || this.request === null) return false;
    const { data, reduction } = this.request;
    const kind = kindOf(dtypeOf(data), reduction);
    for (let rank = this.firstRank; rank < this.firstRank + this.ownRanks; rank++) {
      const { worldTable, ranks } = this.layout;
      this.kernels.allReduceSlice(worldTable, rank, ranks, data.byteLength, data.BYTES_PER_ELEMENT, kind);
    }
    return true;
  }

  /** A rank's output, when all workers have done their shares. */
  outputOf({ op, data, reduction }: CollectiveRequest): Buffer {
    if (op === 'barrier') return NOTHING;
    if (reduction === 'average') divide(data, dtypeOf(data), this.layout.ranks);
    return data;
  }

  /** Names all that the ranks must agree on, beside the length; 0 where a request cannot go this way. */
  private codeOf({ op, group, root, reduction, inPlace, data }: CollectiveRequest): number {
    if (group !== this.world || root !== 0) return 0;
    if (op === 'barrier') return reduction === 'sum' && data.length === 0 ? BARRIER : 0;
    if (op !== 'all-reduce' || !inPlace || data.buffer !== this.heap) return 0;
    return FIRST_ALL_REDUCE + 2 * kindOf(dtypeOf(data), reduction) + (reduction === 'average' ? 1 : 0);
  }
}

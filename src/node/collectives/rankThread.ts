/**
 * Collectives where every rank is a thread of its own: each call goes straight into the kernels, which meet the others
 * by flags in the shared memory. The fastest path where there are no more ranks than cores; all ranks must make the
 * same calls, since nobody checks them.
 */
import type { Dtype, Reduction } from '../../engine/collectives/numbers';
import { BYTES_PER_ELEMENT } from '../../engine/collectives/numbers';
import { type KernelMemory, kindOf, loadSharedKernels, type SharedKernels } from '../../engine/kernels/kernels';
import type { HeapLayout } from './heap';
import { Patience } from './patience';

export class RankThread {
  readonly kernels: SharedKernels;
  private readonly patience = new Patience();
  private readonly words: Int32Array;
  private readonly table: number;
  private epoch = 0;
  private messages = 0;

  constructor(
    memory: KernelMemory,
    private readonly layout: HeapLayout,
    private readonly rank: number,
  ) {
    this.kernels = loadSharedKernels(memory);
    this.words = new Int32Array(memory.buffer);
    // One table serves all: every rank enters its own row, and the first barrier of a call shows the rows to the others.
    this.table = layout.tables;
  }

  /** Names this rank's input and output (byte addresses in the memory) for the calls that follow. All ranks do, then meet. */
  use(input: number, output: number): void {
    this.words[(this.table >> 2) + 4 * this.rank] = input;
    this.words[(this.table >> 2) + 4 * this.rank + 1] = output;
    this.barrier();
  }

  barrier(): void {
    const { flags, workers } = this.layout;
    this.kernels.barrier(flags, this.rank, workers, ++this.epoch, this.patience.looks);
    this.patience.passed(this.kernels.sleeps.value);
  }

  allReduce(bytes: number, dtype: Dtype, reduction: Reduction): void {
    const { flags, mail, workers } = this.layout;
    const unit = BYTES_PER_ELEMENT[dtype];
    const kind = kindOf(dtype, reduction);
    const { looks } = this.patience;
    this.passed(
      this.kernels.allReduce(this.table, flags, mail, this.rank, workers, bytes, unit, kind, this.epoch, looks),
    );
  }

  /** `bytes` of the whole input. */
  reduceScatter(bytes: number, dtype: Dtype, reduction: Reduction): void {
    const { flags, mail, workers } = this.layout;
    const unit = BYTES_PER_ELEMENT[dtype];
    const kind = kindOf(dtype, reduction);
    this.passed(
      this.kernels.reduceScatter(
        this.table,
        flags,
        mail,
        this.rank,
        workers,
        bytes,
        unit,
        kind,
        this.epoch,
        this.patience.looks,
      ),
    );
  }

  /** `bytes` of one rank's input. */
  allGather(bytes: number): void {
    const { flags, mail, workers } = this.layout;
    this.passed(
      this.kernels.allGather(this.table, flags, mail, this.rank, workers, bytes, this.epoch, this.patience.looks),
    );
  }

  /** `bytes` of the whole input. */
  allToAll(bytes: number, dtype: Dtype): void {
    const { flags, mail, workers } = this.layout;
    const unit = BYTES_PER_ELEMENT[dtype];
    this.passed(
      this.kernels.allToAll(this.table, flags, mail, this.rank, workers, bytes, unit, this.epoch, this.patience.looks),
    );
  }

  broadcast(bytes: number, root: number): void {
    const { flags, mail, workers } = this.layout;
    this.passed(
      this.kernels.broadcast(this.table, flags, mail, this.rank, workers, bytes, root, this.epoch, this.patience.looks),
    );
  }

  /** One message from rank 0 to rank 1 and one back, each into the other's output: half of it is one way. */
  pingPong(bytes: number): void {
    const { ready } = this.layout;
    const { kernels, words, table, rank } = this;
    const { looks } = this.patience;
    const sequence = ++this.messages;
    const row = (of: number, field: number) => words[(table >> 2) + 4 * of + field];
    if (rank === 0) {
      kernels.post(ready, sequence);
      kernels.waitFor(ready + 128, sequence, looks);
      kernels.copy(row(0, 1), row(1, 0), bytes);
    } else if (rank === 1) {
      kernels.waitFor(ready, sequence, looks);
      kernels.copy(row(1, 1), row(0, 0), bytes);
      kernels.post(ready + 128, sequence);
    }
    this.patience.passed(kernels.sleeps.value);
  }

  private passed(epoch: number): void {
    this.epoch = epoch;
    this.patience.passed(this.kernels.sleeps.value);
  }
}

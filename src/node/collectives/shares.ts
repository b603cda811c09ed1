/** One rank's share of a communication whose members have all posted their calls: its output, straight from the inputs. */
import { partition } from '../../engine/collectives/layout';
import {
  allocate,
  type Buffer,
  BYTES_PER_ELEMENT,
  type Dtype,
  DTYPES,
  REDUCTIONS,
} from '../../engine/collectives/numbers';
import { type KernelMemory, kindOf, type SharedKernels } from '../../engine/kernels/kernels';
import { SLOT, viewOf } from './heap';
import type { Pending, Slots } from './slots';

export const NOTHING: Buffer = new Float32Array(0);

export class Shares {
  constructor(
    private readonly memory: KernelMemory,
    private readonly kernels: SharedKernels,
    private readonly words: Int32Array,
    private readonly slots: Slots,
    /** Address of this worker's table. */
    private readonly table: number,
  ) {}

  /** Does the share, given the members' slots; returns the rank's output, or null where it is whole only when the others have done theirs. */
  perform(call: Pending, members: readonly number[]): Buffer | null {
    const { request, group, rank } = call;
    if (request.kind === 'send') return NOTHING;
    if (request.kind === 'receive') return this.inputOf(members[0]).slice();
    const place = group.ranks.indexOf(rank);
    const n = members.length;
    const at = (member: number) => members[member];
    switch (request.op) {
      case 'barrier':
        return NOTHING;
      case 'broadcast':
        return this.inputOf(at(request.root)).slice();
      case 'scatter':
        return this.block(at(request.root), place, n);
      case 'send-recv':
        return this.inputOf(at((place - 1 + n) % n)).slice();
      case 'gather':
        return place === request.root ? this.joined(members.map(m => this.inputOf(m))) : NOTHING;
      case 'all-gather':
        return this.joined(members.map(m => this.inputOf(m)));
      case 'all-to-all':
        return this.joined(members.map(m => this.block(m, place, n)));
      case 'all-reduce':
      case 'reduce':
      case 'reduce-scatter':
        return this.reduce(call, request.op, request.root, members, place);
    }
  }

  private reduce(
    call: Pending,
    op: 'all-reduce' | 'reduce' | 'reduce-scatter',
    root: number,
    members: readonly number[],
    place: number,
  ) {
    const { slots, words, table, kernels } = this;
    members.forEach((base, member) => {
      words[(table >> 2) + 4 * member] = slots.word(base, SLOT.input);
      words[(table >> 2) + 4 * member + 1] = slots.word(base, SLOT.output);
    });
    const dtype = this.dtypeOf(call.base);
    const unit = BYTES_PER_ELEMENT[dtype];
    const elements = slots.word(call.base, SLOT.elements);
    const kind = kindOf(dtype, REDUCTIONS[slots.word(call.base, SLOT.reduction)] ?? 'sum');
    const n = members.length;
    if (op === 'all-reduce') kernels.allReduceSlice(table, place, n, elements * unit, unit, kind);
    else if (op === 'reduce') kernels.reduceSlice(table, place, n, elements * unit, unit, kind, root);
    else {
      kernels.reduceScatterSlice(table, place, n, elements * unit, unit, kind);
      return this.outputAt(call, partition(elements, n)[place]);
    }
    return null;
  }

  /** A copy of what stands at a call's output. */
  outputAt(call: Pending, length: number): Buffer {
    return viewOf(this.memory, this.dtypeOf(call.base), call.room, length).slice();
  }

  private dtypeOf(base: number): Dtype {
    return DTYPES[this.slots.word(base, SLOT.dtype)];
  }

  private inputOf(base: number): Buffer {
    return viewOf(
      this.memory,
      this.dtypeOf(base),
      this.slots.word(base, SLOT.input),
      this.slots.word(base, SLOT.elements),
    );
  }

  /** What a call's input holds for a member: its even block, or the part of that length. */
  private block(base: number, member: number, n: number): Buffer {
    const input = this.inputOf(base);
    const lengths = this.slots.word(base, SLOT.lengths);
    const parts = lengths ? this.words.subarray(lengths >> 2, (lengths >> 2) + n) : partition(input.length, n);
    let start = 0;
    for (let m = 0; m < member; m++) start += parts[m];
    return input.slice(start, start + parts[member]);
  }

  private joined(parts: readonly Buffer[]): Buffer {
    const first = parts[0];
    const dtype: Dtype =
      first instanceof Float32Array
        ? 'f32'
        : first instanceof Float64Array
          ? 'f64'
          : first instanceof Int32Array
            ? 'i32'
            : 'bf16';
    const output = allocate(
      dtype,
      parts.reduce((sum, part) => sum + part.length, 0),
    );
    let at = 0;
    for (const part of parts) {
      output.set(part, at);
      at += part.length;
    }
    return output;
  }
}

/**
 * What a rank's program says to the world. A program is a generator: it yields requests and is resumed with the reply.
 * The same program runs in virtual time (world.ts) and in worker threads (src/node/collectives).
 *
 *   function* program(rank: Rank) {
 *     const sum = yield* rank.allReduce(gradient, { group: dp });
 *     const handle = yield* rank.start(rank.request('all-gather', shard));
 *     yield* rank.compute(1e-3);
 *     const whole = yield* rank.wait(handle);
 *   }
 */
import { allocate as plainBuffer, type Buffer, type Dtype, type Reduction } from './numbers';
import type { CollectiveOp } from './schedule';

/** Ranks that communicate together, in the order of their places; the axis names the traffic. */
export interface Group {
  readonly axis: string;
  readonly ranks: readonly number[];
}

export interface CollectiveRequest {
  readonly kind: 'collective';
  readonly op: CollectiveOp;
  readonly group: Group;
  readonly data: Buffer;
  readonly reduction: Reduction;
  /** Place in the group of the rank that gives or takes all, for the rooted operations. */
  readonly root: number;
  /** All-to-all: elements for each member; null splits evenly. */
  readonly sendLengths: readonly number[] | null;
  /** All-reduce: the result takes the place of the data. */
  readonly inPlace: boolean;
}

export interface SendRequest {
  readonly kind: 'send';
  readonly to: number;
  readonly tag: number;
  readonly data: Buffer;
}

export interface ReceiveRequest {
  readonly kind: 'receive';
  readonly from: number;
  readonly tag: number;
}

export type Communication = CollectiveRequest | SendRequest | ReceiveRequest;

export type Request =
  | Communication
  | { readonly kind: 'start'; readonly request: Communication }
  | { readonly kind: 'wait'; readonly handle: Handle }
  | { readonly kind: 'compute'; readonly seconds: number };

/** A communication that was started. Waiting for it twice gives the same result again. */
export interface Handle {
  readonly id: number;
}

/** What the world answers: the output of a communication, a handle, or nothing. */
export type Reply = Buffer | Handle | undefined;

export type Program<T> = Generator<Request, T, Reply>;

interface Options {
  readonly group?: Group;
  readonly reduction?: Reduction;
  readonly root?: number;
  readonly sendLengths?: readonly number[];
  readonly inPlace?: boolean;
}

const NOTHING = new Float32Array(0);

/** A rank's own side of the communicator. All ranks are numbers of the world, except `root`, a place in the group. */
export class Rank {
  readonly world: Group;

  constructor(
    readonly rank: number,
    readonly size: number,
    /** Makes a buffer of this rank: in threads on the shared heap, so that communication need not copy it there. */
    readonly allocate: (dtype: Dtype, length: number) => Buffer = plainBuffer,
  ) {
    this.world = worldGroup(size);
  }

  /** A request to yield, or to hand to `start`. */
  request(op: CollectiveOp, data: Buffer, options: Options = {}): CollectiveRequest {
    const { group = this.world, reduction = 'sum', root = 0, sendLengths = null } = options;
    const inPlace = op === 'all-reduce' && options.inPlace === true;
    return { kind: 'collective', op, group, data, reduction, root, sendLengths, inPlace };
  }

  /** Runs a communication to its end; returns this rank's output. */
  *run(request: Communication): Program<Buffer> {
    return (yield request) as Buffer;
  }

  /** Starts a communication without waiting for it. */
  *start(request: Communication): Program<Handle> {
    return (yield { kind: 'start', request }) as Handle;
  }

  *wait(handle: Handle): Program<Buffer> {
    return (yield { kind: 'wait', handle }) as Buffer;
  }

  /** Lets time pass on this rank. */
  *compute(seconds: number): Program<void> {
    yield { kind: 'compute', seconds };
  }

  /** The reduction of all members' buffers, on every member. */
  allReduce(data: Buffer, options?: Options): Program<Buffer> {
    return this.run(this.request('all-reduce', data, options));
  }

  /** All members' buffers, one after the other. */
  allGather(data: Buffer, options?: Options): Program<Buffer> {
    return this.run(this.request('all-gather', data, options));
  }

  /** This member's part of the reduction; the first parts are longer where the length does not divide. */
  reduceScatter(data: Buffer, options?: Options): Program<Buffer> {
    return this.run(this.request('reduce-scatter', data, options));
  }

  /** The parts that all members send to this one, in their order. */
  allToAll(data: Buffer, options?: Options): Program<Buffer> {
    return this.run(this.request('all-to-all', data, options));
  }

  /** The root's buffer; what others give is not read. */
  broadcast(data: Buffer, options?: Options): Program<Buffer> {
    return this.run(this.request('broadcast', data, options));
  }

  /** The reduction on the root, nothing elsewhere. */
  reduce(data: Buffer, options?: Options): Program<Buffer> {
    return this.run(this.request('reduce', data, options));
  }

  /** All buffers on the root, nothing elsewhere. */
  gather(data: Buffer, options?: Options): Program<Buffer> {
    return this.run(this.request('gather', data, options));
  }

  /** This member's part of the root's buffer; what others give is not read. */
  scatter(data: Buffer, options?: Options): Program<Buffer> {
    return this.run(this.request('scatter', data, options));
  }

  barrier(group?: Group): Program<Buffer> {
    return this.run(this.request('barrier', NOTHING, group ? { group } : {}));
  }

  /** Blocks until the receiver has taken the data. */
  send(to: number, data: Buffer, tag = 0): Program<Buffer> {
    return this.run({ kind: 'send', to, tag, data });
  }

  receive(from: number, tag = 0): Program<Buffer> {
    return this.run({ kind: 'receive', from, tag });
  }
}

const worlds = new Map<number, Group>();

export function worldGroup(size: number): Group {
  let group = worlds.get(size);
  if (!group) worlds.set(size, (group = { axis: 'world', ranks: Array.from({ length: size }, (_, r) => r) }));
  return group;
}

/** The number type of a buffer; bfloat16 is what travels in 16 bits. */
export function dtypeOf(buffer: Buffer): Dtype {
  if (buffer instanceof Float32Array) return 'f32';
  if (buffer instanceof Float64Array) return 'f64';
  return buffer instanceof Int32Array ? 'i32' : 'bf16';
}

/** Where the members of a group meet: their k-th calls belong together, whatever they are. */
import { invariant } from '../problem';
import { buildSchedule, segmentsFor } from './build';
import { type CollectiveRequest, type Communication, dtypeOf, type Group, type Handle } from './communicator';
import { callShape, type Diagnosis, mismatch } from './diagnosis';
import { blockLengths, execute } from './execute';
import { chunkStarts, evenBlocks } from './layout';
import { type Buffer, BYTES_PER_ELEMENT } from './numbers';
import type { CollectiveOp, Schedule } from './schedule';
import { timeSchedule } from './timing';
import { planCollective, type WorldNetwork } from './worldNetwork';

/** One rank's part of a communication. */
export interface Call {
  readonly rank: number;
  readonly request: Communication;
  readonly handle: Handle;
  readonly postSeconds: number;
  output: Buffer | null;
  finishSeconds: number;
}

export interface Meeting {
  readonly group: Group;
  readonly op: CollectiveOp;
  readonly sequence: number;
  readonly calls: Call[];
}

interface Outcome {
  readonly outputs: readonly Buffer[];
  readonly sentBytes: Float64Array;
  readonly finishSeconds: Float64Array;
}

/** The collectives of one group: how many each member has called, and those that still miss a member. */
interface Ledger {
  readonly called: Map<number, number>;
  readonly open: Map<number, Meeting>;
}

export class Meetings {
  private readonly ledgers = new Map<string, Ledger>();
  private readonly keys = new WeakMap<Group, string>();

  constructor(private readonly network: WorldNetwork | null) {}

  /** Adds a call to its meeting; the first call that does not fit ends the world. */
  join(call: Call, request: CollectiveRequest): Meeting | Diagnosis {
    const { group, op } = request;
    if (!group.ranks.includes(call.rank)) return { code: 'not-a-member', rank: call.rank, axis: group.axis, op };
    const ledger = this.ledgerOf(group);
    const sequence = ledger.called.get(call.rank) ?? 0;
    ledger.called.set(call.rank, sequence + 1);
    const meeting = ledger.open.get(sequence) ?? { group, op, sequence, calls: [] };
    ledger.open.set(sequence, meeting);
    const shape = callShape(call.rank, request);
    const first = meeting.calls[0];
    const wrong = mismatch(sequence, first ? callShape(first.rank, first.request as CollectiveRequest) : shape, shape);
    if (wrong) return wrong;
    meeting.calls.push(call);
    if (meeting.calls.length === group.ranks.length) ledger.open.delete(sequence);
    return meeting;
  }

  /** Meetings that wait for members, in the order of their groups. */
  open(): Meeting[] {
    return [...this.ledgers.values()].flatMap(ledger => [...ledger.open.values()]);
  }

  private ledgerOf(group: Group): Ledger {
    let key = this.keys.get(group);
    if (key === undefined) this.keys.set(group, (key = `${group.axis} ${group.ranks.join()}`));
    let ledger = this.ledgers.get(key);
    if (!ledger) this.ledgers.set(key, (ledger = { called: new Map(), open: new Map() }));
    return ledger;
  }

  /** Executes a full meeting by its step list. */
  execute({ group, op, calls }: Meeting): Outcome {
    const n = group.ranks.length;
    const byPlace = group.ranks.map(rank => calls.find(call => call.rank === rank) as Call);
    const requests = byPlace.map(call => call.request as CollectiveRequest);
    const { reduction, root } = requests[0];
    const dtype = dtypeOf(requests[root].data);
    const inputs = requests.map(request => request.data);
    const uneven = requests.some(request => request.sendLengths !== null);
    const payload = {
      dtype,
      reduction,
      inputs,
      ...(uneven ? { lengths: requests.flatMap(r => r.sendLengths ?? []) } : {}),
    };
    const bytes = BYTES_PER_ELEMENT[dtype] * totalElements(op, inputs, root);
    const plan = planCollective(this.network, group, op, bytes);
    const schedule = buildSchedule(op, plan.algorithm, n, {
      root,
      ranksPerDomain: plan.ranksPerDomain,
      inSwitch: plan.inSwitch,
      segments: segmentsFor(bytes),
    });
    invariant(schedule !== null, `no ${plan.algorithm} for ${op} of ${n} ranks`);
    const { outputs, sentElements } = execute(schedule, payload);
    requests.forEach((request, place) => {
      if (request.inPlace) request.data.set(outputs[place]);
    });
    return {
      outputs: outputs.map((output, place) => (requests[place]?.inPlace ? inputs[place] : output)),
      sentBytes: sentElements.map(elements => elements * BYTES_PER_ELEMENT[dtype]),
      finishSeconds: this.times(schedule, blockLengths(schedule, payload), BYTES_PER_ELEMENT[dtype], byPlace, plan),
    };
  }

  private times(
    schedule: Schedule,
    lengths: readonly number[],
    elementBytes: number,
    calls: readonly Call[],
    plan: ReturnType<typeof planCollective>,
  ): Float64Array {
    const begin = Float64Array.from(calls, call => call.postSeconds + plan.startSeconds);
    if (!plan.wires) {
      const last = begin.reduce((a, b) => Math.max(a, b), 0);
      return begin.fill(last);
    }
    const blocks = schedule.op === 'barrier' ? evenBlocks(schedule, 0) : lengths.map(x => x * elementBytes);
    return timeSchedule(schedule, chunkStarts(schedule, blocks), plan.wires, begin).finishSeconds.slice();
  }
}

/** Elements in nccl-tests' sense, by which the algorithm is chosen. */
function totalElements(op: CollectiveOp, inputs: readonly Buffer[], root: number): number {
  if (op === 'barrier') return 0;
  if (op === 'all-gather' || op === 'gather') return inputs.reduce((sum, input) => sum + input.length, 0);
  return inputs[op === 'broadcast' || op === 'scatter' ? root : 0].length;
}

/** What a worker reports when its ranks have ended or can go no further, and what is wrong in the second case. */
import type { Communication, Group } from '../../engine/collectives/communicator';
import { type CallShape, type Diagnosis, mismatch, type RankState } from '../../engine/collectives/diagnosis';
import type { Dtype } from '../../engine/collectives/numbers';

/** A call that never met its partners, as the worker reports it. */
export interface OpenCall {
  readonly rank: number;
  readonly sequence: number;
  readonly group: Group;
  /** Without its data. */
  readonly request: Communication;
  readonly dtype: Dtype;
  readonly elements: number;
}

export interface WorkerOutcome<T> {
  readonly results: readonly { readonly rank: number; readonly value: T }[];
  readonly open: readonly OpenCall[];
  readonly finished: readonly number[];
}

/** Why nobody goes on, from all calls that are open. */
export function diagnose(open: readonly OpenCall[], finished: ReadonlySet<number>): Diagnosis[] {
  const meetings = new Map<string, OpenCall[]>();
  for (const call of open) {
    const key = `${call.group.axis} ${call.group.ranks.join()} ${call.sequence}`;
    meetings.set(key, [...(meetings.get(key) ?? []), call]);
  }
  const state = (rank: number): RankState => {
    const call = open.findLast(c => c.rank === rank);
    if (finished.has(rank) || !call) return { doing: 'finished' };
    if (call.request.kind === 'collective') return { doing: 'collective', op: call.request.op, axis: call.group.axis };
    return { doing: call.request.kind, peer: call.request.kind === 'send' ? call.request.to : call.request.from };
  };
  return [...meetings.values()].map(calls => diagnoseMeeting(calls, state));
}

function diagnoseMeeting(calls: readonly OpenCall[], state: (rank: number) => RankState): Diagnosis {
  const [first] = calls as readonly [OpenCall, ...OpenCall[]];
  const { request, rank, group, sequence } = first;
  if (request.kind === 'send') return { code: 'unmatched-send', from: rank, to: request.to, tag: request.tag };
  if (request.kind === 'receive') return { code: 'unmatched-receive', from: request.from, to: rank, tag: request.tag };
  const shapes = calls.map(shapeOf);
  for (const shape of shapes) {
    const wrong = mismatch(sequence, shapes[0], shape);
    if (wrong) return wrong;
  }
  const present = calls.map(c => c.rank).sort((a, b) => a - b);
  const missing = group.ranks.filter(r => !present.includes(r)).map(r => ({ rank: r, state: state(r) }));
  return { code: 'missing-rank', axis: group.axis, sequence, op: request.op, present, missing };
}

function shapeOf({ rank, group, request, dtype, elements }: OpenCall): CallShape {
  if (request.kind !== 'collective') throw new Error('a message is no collective');
  const { op, reduction, root, sendLengths } = request;
  return { rank, group, op, dtype, reduction, root, elements, sendLengths };
}

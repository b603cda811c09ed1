/** What stops a world: values that name ranks and operations, in the place of a hang. */
import { type CollectiveRequest, dtypeOf } from './communicator';
import type { CollectiveOp } from './schedule';

export type Diagnosis =
  | {
      /** Members of a group call different operations, or the same with other types, reductions or roots. */
      readonly code: 'collective-mismatch';
      readonly axis: string;
      /** How many collectives the group had completed or begun before. */
      readonly sequence: number;
      readonly field: 'op' | 'dtype' | 'reduction' | 'root';
      readonly calls: readonly { readonly rank: number; readonly op: CollectiveOp; readonly value: string }[];
    }
  | {
      readonly code: 'shape-mismatch';
      readonly axis: string;
      readonly sequence: number;
      readonly op: CollectiveOp;
      readonly calls: readonly { readonly rank: number; readonly elements: number }[];
    }
  | {
      /** Some members wait in a collective that others never join. */
      readonly code: 'missing-rank';
      readonly axis: string;
      readonly sequence: number;
      readonly op: CollectiveOp;
      readonly present: readonly number[];
      readonly missing: readonly { readonly rank: number; readonly state: RankState }[];
    }
  | {
      readonly code: 'unmatched-send' | 'unmatched-receive';
      readonly from: number;
      readonly to: number;
      readonly tag: number;
    }
  | { readonly code: 'not-a-member'; readonly rank: number; readonly axis: string; readonly op: CollectiveOp };

/** What a rank does while others wait for it. */
export type RankState =
  | { readonly doing: 'finished' }
  | { readonly doing: 'collective'; readonly op: CollectiveOp; readonly axis: string }
  | { readonly doing: 'send' | 'receive'; readonly peer: number };

/** Operations whose members must give buffers of one length. The rooted ones read the root's alone. */
const SAME_LENGTH: readonly CollectiveOp[] = [
  'all-reduce',
  'reduce',
  'reduce-scatter',
  'all-gather',
  'gather',
  'send-recv',
];

/** Compares a call with the first of its group; null where they agree. */
export function mismatch(
  sequence: number,
  first: { rank: number; request: CollectiveRequest },
  next: { rank: number; request: CollectiveRequest },
): Diagnosis | null {
  const both = [first, next].sort((a, b) => a.rank - b.rank);
  const { axis } = first.request.group;
  const values = {
    op: (r: CollectiveRequest) => r.op,
    dtype: (r: CollectiveRequest) => (r.op === 'barrier' ? '' : dtypeOf(r.data)),
    reduction: (r: CollectiveRequest) => r.reduction,
    root: (r: CollectiveRequest) => String(r.root),
  };
  for (const field of ['op', 'dtype', 'reduction', 'root'] as const) {
    const calls = both.map(({ rank, request }) => ({ rank, op: request.op, value: values[field](request) }));
    if (calls[0]?.value !== calls[1]?.value) return { code: 'collective-mismatch', axis, sequence, field, calls };
  }
  const { op } = first.request;
  const lengths = both.map(({ rank, request }) => ({ rank, elements: request.data.length }));
  const evenAllToAll = op === 'all-to-all' && both.every(({ request }) => request.sendLengths === null);
  if ((SAME_LENGTH.includes(op) || evenAllToAll) && lengths[0]?.elements !== lengths[1]?.elements)
    return { code: 'shape-mismatch', axis, sequence, op, calls: lengths };
  return wrongSplit(sequence, next) ?? (first === next ? null : wrongSplit(sequence, first));
}

/** An all-to-all whose parts do not add up to its buffer, or are not one a member. */
function wrongSplit(
  sequence: number,
  { rank, request }: { rank: number; request: CollectiveRequest },
): Diagnosis | null {
  const { sendLengths, data, group, op } = request;
  if (op !== 'all-to-all' || sendLengths === null) return null;
  const elements = sendLengths.reduce((a, b) => a + b, 0);
  if (sendLengths.length === group.ranks.length && elements === data.length) return null;
  const calls = [
    { rank, elements: data.length },
    { rank, elements },
  ];
  return { code: 'shape-mismatch', axis: group.axis, sequence, op, calls };
}

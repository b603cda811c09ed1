/** What stops a world: values that name ranks and operations, in the place of a hang. */
import { type CollectiveRequest, dtypeOf, type Group } from './communicator';
import type { Dtype, Reduction } from './numbers';
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
export const SAME_LENGTH: readonly CollectiveOp[] = [
  'all-reduce',
  'reduce',
  'reduce-scatter',
  'all-gather',
  'gather',
  'send-recv',
];

/** What members of a group must agree on. */
export interface CallShape {
  readonly rank: number;
  readonly group: Group;
  readonly op: CollectiveOp;
  readonly dtype: Dtype;
  readonly reduction: Reduction;
  readonly root: number;
  readonly elements: number;
  readonly sendLengths: readonly number[] | null;
}

export function callShape(
  rank: number,
  { group, op, reduction, root, data, sendLengths }: CollectiveRequest,
): CallShape {
  return { rank, group, op, dtype: dtypeOf(data), reduction, root, elements: data.length, sendLengths };
}

/** Compares a call with the first of its meeting; null where they agree. */
export function mismatch(sequence: number, first: CallShape, next: CallShape): Diagnosis | null {
  const both = [first, next].sort((a, b) => a.rank - b.rank);
  const { op } = first;
  const { axis } = first.group;
  for (const field of ['op', 'dtype', 'reduction', 'root'] as const) {
    if (first[field] === next[field] || (field === 'dtype' && op === 'barrier')) continue;
    const calls = both.map(call => ({ rank: call.rank, op: call.op, value: String(call[field]) }));
    return { code: 'collective-mismatch', axis, sequence, field, calls };
  }
  const even = op === 'all-to-all' && both.every(call => call.sendLengths === null);
  if ((SAME_LENGTH.includes(op) || even) && first.elements !== next.elements) {
    const calls = both.map(({ rank, elements }) => ({ rank, elements }));
    return { code: 'shape-mismatch', axis, sequence, op, calls };
  }
  return wrongSplit(sequence, next);
}

/** An all-to-all whose parts do not add up to its buffer, or are not one a member. */
function wrongSplit(sequence: number, { rank, op, group, elements, sendLengths }: CallShape): Diagnosis | null {
  if (op !== 'all-to-all' || sendLengths === null) return null;
  const sum = sendLengths.reduce((a, b) => a + b, 0);
  if (sendLengths.length === group.ranks.length && sum === elements) return null;
  const calls = [
    { rank, elements },
    { rank, elements: sum },
  ];
  return { code: 'shape-mismatch', axis: group.axis, sequence, op, calls };
}

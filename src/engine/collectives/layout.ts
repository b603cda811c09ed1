/** How a collective's data is cut into blocks and chunks, and who holds which block before and after. */
import type { CollectiveOp, Schedule } from './schedule';

/** Lengths of `parts` parts of a length that need not divide: the first ones get one more. */
export function partition(length: number, parts: number): number[] {
  const base = Math.floor(length / parts);
  const rest = length - base * parts;
  return Array.from({ length: parts }, (_, i) => base + (i < rest ? 1 : 0));
}

/**
 * Lengths of a schedule's blocks for a total length in nccl-tests' sense: all-gather and gather the total output,
 * reduce-scatter, scatter and all-to-all the total input of a rank, else the buffer.
 */
export function evenBlocks(schedule: Schedule, length: number): number[] {
  const { op, blocks, ranks } = schedule;
  if (op === 'barrier') return new Array<number>(blocks).fill(0);
  if (op === 'send-recv') return new Array<number>(blocks).fill(length);
  if (op === 'all-to-all') {
    const row = partition(length, ranks);
    return Array.from({ length: blocks }, (_, i) => row[i % ranks]);
  }
  return partition(length, blocks);
}

/** Start of each chunk in the concatenation of all blocks, and its end as a last entry. */
export function chunkStarts(schedule: Schedule, blockLengths: readonly number[]): Float64Array {
  const { split } = schedule;
  const starts = new Float64Array(blockLengths.length * split + 1);
  let at = 0;
  let chunk = 0;
  for (const length of blockLengths)
    for (const part of split === 1 ? [length] : partition(length, split)) {
      starts[chunk++] = at;
      at += part;
    }
  starts[chunk] = at;
  return starts;
}

type Holds = (rank: number, block: number) => boolean;

/** What an operation makes of the data, for n ranks and a root. */
export function holdings(op: CollectiveOp, n: number, root: number): { before: Holds; after: Holds } {
  const all: Holds = () => true;
  const atRoot: Holds = rank => rank === root;
  const own: Holds = (rank, block) => rank === block;
  switch (op) {
    case 'broadcast':
      return { before: atRoot, after: all };
    case 'reduce':
      return { before: all, after: atRoot };
    case 'scatter':
      return { before: atRoot, after: own };
    case 'gather':
      return { before: own, after: atRoot };
    case 'all-gather':
    case 'barrier':
      return { before: own, after: all };
    case 'reduce-scatter':
      return { before: all, after: own };
    case 'all-reduce':
      return { before: all, after: all };
    case 'send-recv':
      return { before: own, after: (rank, block) => block === (rank - 1 + n) % n };
    case 'all-to-all':
      return { before: (r, b) => Math.floor(b / n) === r, after: (r, b) => b % n === r };
  }
}

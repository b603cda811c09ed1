/** Numbers of a proof as the charts and the tables show them. */
import type { ProofResult } from '../../src/documents/proof';

export const PREDICTED_KINDS = ['weights', 'gradients', 'optimizer', 'activations'] as const;
type Kind = (typeof PREDICTED_KINDS)[number];

/** Neighbouring ranks that hold the same. */
export interface MemoryGroup {
  readonly from: number;
  readonly to: number;
  readonly live: Readonly<Record<Kind, number>>;
  readonly predicted: Readonly<Record<Kind, number>>;
  readonly buffers: number;
  readonly liveTotal: number;
  readonly predictedTotal: number;
}

export function memoryGroups({ memory, predictedMemory }: ProofResult): MemoryGroup[] {
  const groups: MemoryGroup[] = [];
  const total = (bytes: Readonly<Record<Kind, number>>) => PREDICTED_KINDS.reduce((sum, kind) => sum + bytes[kind], 0);
  memory.forEach((live, rank) => {
    const predicted = predictedMemory[rank];
    const last = groups.at(-1);
    const isAlike =
      last !== undefined &&
      last.buffers === live.buffers &&
      PREDICTED_KINDS.every(kind => last.live[kind] === live[kind] && last.predicted[kind] === predicted[kind]);
    if (isAlike) groups[groups.length - 1] = { ...last, to: rank };
    else
      groups.push({
        from: rank,
        to: rank,
        live,
        predicted,
        buffers: live.buffers,
        liveTotal: total(live),
        predictedTotal: total(predicted),
      });
  });
  return groups;
}

export interface TrafficRow {
  readonly axis: string;
  readonly op: string;
  readonly count: number;
  readonly predictedCount: number;
  readonly counted: number;
  readonly predicted: number;
  readonly mostCounted: number;
  readonly mostPredicted: number;
}

/** Bytes summed over ranks, and the most of one rank; operations that send nothing are left out. */
export function trafficRows({ traffic }: ProofResult): TrafficRow[] {
  const sum = (bytes: readonly number[]) => bytes.reduce((a, b) => a + b, 0);
  return traffic
    .map(({ axis, op, count, predictedCount, bytesPerRank, predictedBytesPerRank }) => ({
      axis,
      op,
      count,
      predictedCount,
      counted: sum(bytesPerRank),
      predicted: sum(predictedBytesPerRank),
      mostCounted: Math.max(0, ...bytesPerRank),
      mostPredicted: Math.max(0, ...predictedBytesPerRank),
    }))
    .filter(({ counted, predicted }) => counted > 0 || predicted > 0);
}

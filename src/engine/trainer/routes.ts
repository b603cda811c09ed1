/**
 * Which experts each token went to, as the serial run recorded it: with the plan it says how many rows go from rank to
 * rank, which no plan alone can say.
 */
import type { Layout, Place } from './layout';
import type { RoutingLog } from './state';

/** Rows of a micro-batch by the rank (place in the ep group) that deals them and by expert. */
export type Rows = (layer: string, place: Place, microBatch: number) => Int32Array;

/** Reads the log of a serial run of the same plan's batch. */
export function rowsOf({ plan, network }: Layout, log: RoutingLog): Rows {
  return (layer, place, microBatch) => {
    const counts = new Int32Array(network.kind === 'decoder' ? network.experts : 0);
    if (network.kind !== 'decoder') return counts;
    const { microBatch: b, seqLen, cp, tp, globalBatch, dp } = plan;
    const serial = log.get(layer) ?? [];
    const first = (place.dpIndex * globalBatch) / dp + microBatch * b;
    const rows = (b * seqLen) / cp / tp;
    for (let r = 0; r < rows; r++) {
      const row = place.tp.index * rows + r;
      const position = (place.cp.index * seqLen) / cp + Math.floor(row / b);
      const choices = serial[first / b];
      for (let j = 0; j < network.topK; j++) counts[choices[(position * b + (row % b)) * network.topK + j]]++;
    }
    return counts;
  };
}

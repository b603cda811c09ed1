/** Memory by rank: live at the peak beside what the model predicts. */
import type { ProofResult } from '../../src/documents/proof';
import { h, type VNode } from '../dom';
import type { ChartData } from '../chartFiles';
import { chartWithTable, type Scene, table } from '../parts';
import { say } from '../words';
import { type MemoryGroup, memoryGroups, PREDICTED_KINDS } from './rows';

export const PROOF_MEMORY_CHART = 'proof-memory-chart';

export function groupLabel({ from, to }: MemoryGroup): string {
  return from === to ? say('oneRank', { rank: from }) : say('rankRange', { from, to });
}

export function memoryFigure(scene: Scene, result: ProofResult): VNode {
  const { bytes, integer } = scene.formats;
  const groups = memoryGroups(result);
  const most = groups.reduce((best, group) => (group.liveTotal > best.liveTotal ? group : best));
  const label = say('proofMemoryChart', { bytes: bytes(most.liveTotal), ranks: groupLabel(most) });
  const cell = (live: number, predicted: number) =>
    live === predicted ? integer(live) : say('ofPredicted', { live: integer(live), predicted: integer(predicted) });
  const twin = (reachable: boolean) =>
    table(
      `${PROOF_MEMORY_CHART}-twin`,
      say('proofMemoryTable'),
      [
        { head: say('ranksColumn') },
        ...PREDICTED_KINDS.map(kind => ({ head: say(kind), numeric: true })),
        { head: say('liveTotal'), numeric: true },
        { head: say('predictedTotal'), numeric: true },
        { head: say('buffers'), numeric: true },
      ],
      groups.map(group => [
        groupLabel(group),
        ...PREDICTED_KINDS.map(kind => cell(group.live[kind], group.predicted[kind])),
        integer(group.liveTotal),
        integer(group.predictedTotal),
        integer(group.buffers),
      ]),
      { reachable },
    );
  return h(
    'div',
    {},
    chartWithTable(
      scene,
      {
        id: PROOF_MEMORY_CHART,
        label,
        height: 110 + groups.length * 38,
        source: ['simulated', 'estimated'],
        data: () => dataOf(result),
      },
      twin,
    ),
    h('p', { class: 'note' }, say('proofMemoryNote')),
  );
}

/** A row a rank. */
function dataOf({ memory, predictedMemory }: ProofResult): ChartData {
  const columns = PREDICTED_KINDS.flatMap(kind => [`${kind}Bytes`, `${kind}PredictedBytes`]);
  return {
    columns: ['rank', ...columns, 'buffersBytes'],
    rows: memory.map((live, rank) => [
      rank,
      ...PREDICTED_KINDS.flatMap(kind => [live[kind], predictedMemory[rank][kind]]),
      live.buffers,
    ]),
  };
}

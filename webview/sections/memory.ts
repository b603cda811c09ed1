/** Does it fit? Peak memory of a GPU on each stage, by part, against the capacity. */
import type { EstimateDocument } from '../../src/documents/types';
import type { ChartData } from '../chartFiles';
import { type Child, h, type VNode } from '../dom';
import { explainedMemory } from '../explained/memory';
import { MEMORY_PARTS, type MemoryRow, memoryRows } from '../figures';
import { chartWithTable, type Fact, facts, type Scene, section, table } from '../parts';
import { say } from '../words';
import { activationTradeTable } from './activationTrade';

export const MEMORY_CHART = 'memory-chart';

/** Room for the axis and the legend, and for each bar; many bars are thinner. */
function memoryChartHeight(bars: number): number {
  return 84 + bars * (bars <= 8 ? 34 : 20);
}

export function rowLabel({ from, to }: MemoryRow): string {
  return from === to ? say('stageLabel', { stage: from }) : say('stagesLabel', { from, to });
}

export function memorySection(scene: Scene): VNode {
  const { memory } = scene.state.estimate;
  const rows = memoryRows(memory);
  const content: readonly (Child | null)[] =
    rows.length > 0
      ? [
          h('div', { class: 'split' }, chart(scene, rows), facts(peaks(scene))),
          explainedMemory(scene),
          activationTradeTable(scene),
        ]
      : [h('p', {}, say(scene.state.estimate.parameters === null ? 'fitNoModel' : 'fitNothing')), states(scene)];
  return section('memory', say('memoryHeading'), ...content);
}

function chart(scene: Scene, rows: readonly MemoryRow[]): VNode {
  const { formats, state } = scene;
  const { capacityBytes } = state.estimate.memory;
  const fullest = rows.reduce((best, row) => (row.total > best.total ? row : best));
  const label = say('memoryChart', {
    label: rowLabel(fullest),
    peak: formats.bytes(fullest.total),
    capacity: capacityBytes === null ? '' : say('memoryChartCapacity', { capacity: formats.bytes(capacityBytes) }),
  });
  const grouped = rows.some(({ from, to }) => from !== to);
  const twin = (reachable: boolean) =>
    table(
      `${MEMORY_CHART}-twin`,
      say('memoryTable'),
      [
        { head: say('stage') },
        ...MEMORY_PARTS.map(part => ({ head: say(part), numeric: true })),
        { head: say('total'), numeric: true },
      ],
      rows.map(row => [rowLabel(row), ...row.parts.map(formats.gigabytes), formats.gigabytes(row.total)]),
      { reachable },
    );
  return h(
    'div',
    {},
    chartWithTable(
      scene,
      {
        id: MEMORY_CHART,
        label,
        height: memoryChartHeight(rows.length),
        source: 'estimated',
        data: () => dataOf(state.estimate.memory),
      },
      twin,
    ),
    grouped && h('p', { class: 'note' }, say('stagesGrouped')),
  );
}

/** Every stage, also where the chart groups them. */
function dataOf({ stages, capacityBytes }: EstimateDocument['memory']): ChartData {
  return {
    columns: ['stage', ...MEMORY_PARTS.map(part => `${part}Bytes`), 'totalBytes', 'capacityBytes'],
    rows: stages.map(stage => [stage.stage, ...MEMORY_PARTS.map(part => stage[part]), stage.total, capacityBytes]),
  };
}

function peaks({ state, formats }: Scene): Fact[] {
  const { peakBytes, reservedBytes, allocatedBytes, lowerBytes, upperBytes, capacityBytes } = state.estimate.memory;
  const { bytesBoth, bytes } = formats;
  const list: Fact[] = [];
  if (peakBytes !== null) {
    list.push({ name: say('devicePeak'), note: say('devicePeakNote'), value: bytesBoth(peakBytes) });
  }
  if (reservedBytes !== null) {
    list.push({ name: say('reservedPeak'), note: say('reservedPeakNote'), value: bytesBoth(reservedBytes) });
  }
  if (allocatedBytes !== null) {
    list.push({ name: say('allocatedPeak'), note: say('allocatedPeakNote'), value: bytesBoth(allocatedBytes) });
  }
  if (lowerBytes !== null && upperBytes !== null) {
    list.push({
      name: say('likelyRange'),
      value: say('rangeText', { lower: bytes(lowerBytes), upper: bytes(upperBytes) }),
    });
  }
  if (capacityBytes !== null && peakBytes !== null) {
    list.push({ name: say('capacity'), note: say('capacityNote'), value: bytesBoth(capacityBytes) });
    const rest = capacityBytes - peakBytes;
    list.push({ name: say(rest >= 0 ? 'room' : 'missing'), value: bytesBoth(Math.abs(rest)) });
  }
  return list;
}

/** What is known of a model without a plan. */
function states({ state, formats }: Scene): VNode | null {
  const { states: known } = state.estimate;
  if (known === null) return null;
  const rows = [
    [say('weights'), formats.bytesBoth(known.weights)],
    [say('gradients'), formats.bytesBoth(known.gradients)],
    [say('optimizer'), formats.bytesBoth(known.optimizer)],
  ];
  if (known.activationPerToken !== null)
    rows.push([say('activationPerToken'), formats.bytes(known.activationPerToken)]);
  const columns = [{ head: say('state') }, { head: say('size'), numeric: true }];
  return h('div', {}, h('p', {}, say('statesText')), table('states', say('statesTable'), columns, rows));
}

/** Does it fit? Peak memory of a GPU on each stage, by part, against the capacity. */
import type { EstimateDocument } from '../../src/documents/types';
import type { ChartData } from '../chartFiles';
import { type Child, h, type VNode } from '../dom';
import { explainedMemory } from '../explained/memory';
import { MEMORY_PARTS, type MemoryRow, memoryRows } from '../figures';
import { explainPeak } from '../explained/headline';
import { type Fact, facts } from '../facts';
import { chartWithTable, type Scene, section, table } from '../parts';
import type { Explanation } from './explanation';
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
          h('div', { class: 'split' }, chart(scene, rows), facts(scene, peaks(scene))),
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

function peaks(scene: Scene): Fact[] {
  const { memory } = scene.state.estimate;
  const { peakBytes, reservedBytes, allocatedBytes, lowerBytes, upperBytes, capacityBytes, peakStage } = memory;
  const { bytesBoth, bytes, figures } = scene.formats;
  const stage = memory.stages.find(one => one.stage === peakStage);
  if (peakBytes === null || stage === undefined) return [];
  const list: Fact[] = [];
  const add = (id: string, name: string, note: string | null, value: string, explanation: Explanation | null) =>
    list.push({
      name,
      note,
      value,
      how: explanation === null ? 'given' : { id: `peak-${id}`, explanation: () => explanation },
    });
  const tensors = stage.total - stage.overhead;
  const beside = (whole: number) => ({
    formula: say('besideFormula'),
    values: `${bytes(tensors)} + ${bytes(whole - tensors)} = ${bytesBoth(whole)}`,
    kind: say('overheadKind'),
  });
  add('device', say('devicePeak'), say('devicePeakNote'), bytesBoth(peakBytes), explainPeak(scene));
  if (reservedBytes !== null)
    add('reserved', say('reservedPeak'), say('reservedPeakNote'), bytesBoth(reservedBytes), beside(reservedBytes));
  if (allocatedBytes !== null)
    add('allocated', say('allocatedPeak'), say('allocatedPeakNote'), bytesBoth(allocatedBytes), beside(allocatedBytes));
  if (lowerBytes !== null && upperBytes !== null) {
    const [lower, upper] = [lowerBytes, upperBytes].map(bytes);
    const times = (bound: number) => `${bytes(peakBytes)} × ${figures(bound / peakBytes)} = ${bytes(bound)}`;
    add('range', say('likelyRange'), null, say('rangeText', { lower, upper }), {
      formula: say('rangeFormula'),
      values: `${times(lowerBytes)}; ${times(upperBytes)}`,
      kind: say('rangeKind'),
    });
  }
  if (capacityBytes !== null) {
    add('capacity', say('capacity'), say('capacityNote'), bytesBoth(capacityBytes), null);
    const rest = capacityBytes - peakBytes;
    add('room', say(rest >= 0 ? 'room' : 'missing'), null, bytesBoth(Math.abs(rest)), {
      formula: say('roomFormula'),
      values: `${bytes(capacityBytes)} − ${bytes(peakBytes)} = ${rest < 0 ? '−' : ''}${bytes(Math.abs(rest))}`,
      kind: say('roomKind'),
    });
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

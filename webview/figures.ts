/** What the page shows of an estimate, as plain values: headline figures, and the rows behind charts and tables. */
import type { EstimateDocument, MemoryDocument } from '../src/documents/types';
import { HIDDEN_PARTS, type HiddenPart, TIME_PARTS, type TimePart } from '../src/engine/estimate/output';
import type { WordKey } from './words';

export const MEMORY_PARTS = ['weights', 'gradients', 'optimizer', 'activations', 'buffers', 'overhead'] as const;

export type TimeGroup = 'compute' | 'repeated' | 'communication' | 'idle' | 'other';

const TIME_GROUPS: readonly TimeGroup[] = ['compute', 'repeated', 'communication', 'idle', 'other'];

const GROUP_OF: Readonly<Record<TimePart, TimeGroup>> = {
  forward: 'compute',
  backward: 'compute',
  recompute: 'repeated',
  launch: 'other',
  tpExposed: 'communication',
  cpExposed: 'communication',
  epExposed: 'communication',
  ppExposed: 'communication',
  dpExposed: 'communication',
  bubble: 'idle',
  optimizer: 'other',
  gradNorm: 'other',
  host: 'other',
  straggler: 'idle',
};

export function partWord(part: TimePart): WordKey {
  return part === 'optimizer' ? 'optimizerStep' : part;
}

/** The text of the headline figures as the tests compare it: whole numbers of the document, not rounded ones. */
export function reportFigures({ parameters, memory, throughput, pipeline }: EstimateDocument): Record<string, string> {
  return {
    parameters: String(parameters?.total ?? null),
    peakBytes: String(memory.peakBytes),
    capacityBytes: String(memory.capacityBytes),
    fits: String(memory.fits),
    stepSeconds: String(throughput.stepSeconds),
    tokensPerSecondPerGpu: String(throughput.tokensPerSecondPerGpu),
    mfu: String(throughput.mfu),
    bubbleFraction: String(pipeline.bubbleFraction),
  };
}

export interface TimeRow {
  readonly word: WordKey;
  readonly group: TimeGroup;
  /** Where the part starts if all stand one after the other. */
  readonly start: number;
  readonly seconds: number;
}

/** Parts under this share of the step would be invisible: they stand together in one row. */
const SMALL_SHARE = 0.001;

/** Rows of the waterfall, which add up to the step; none where the step is not known. */
export function timeRows({ time, throughput: { stepSeconds } }: EstimateDocument): TimeRow[] {
  if (stepSeconds === null) return [];
  const rows: TimeRow[] = [];
  let start = 0;
  let small = 0;
  for (const part of TIME_PARTS) {
    const seconds = time[part] ?? 0;
    if (seconds < stepSeconds * SMALL_SHARE) {
      small += seconds;
      continue;
    }
    rows.push({ word: partWord(part), group: GROUP_OF[part], start, seconds });
    start += seconds;
  }
  if (small > 0) rows.push({ word: 'smallParts', group: 'other', start, seconds: small });
  return rows;
}

export function zeroParts({ time }: EstimateDocument): TimePart[] {
  return TIME_PARTS.filter(part => time[part] === 0);
}

interface GroupSeconds {
  readonly group: TimeGroup;
  /** Those that take any time. */
  readonly parts: readonly TimePart[];
  readonly seconds: number;
}

export function groupSeconds({ time }: EstimateDocument): GroupSeconds[] {
  return TIME_GROUPS.map(group => {
    const parts = TIME_PARTS.filter(part => GROUP_OF[part] === group && (time[part] ?? 0) > 0);
    return { group, parts, seconds: parts.reduce((sum, part) => sum + (time[part] ?? 0), 0) };
  });
}

/** What is not forward or backward, and the largest part of it. */
export function waste({ time, throughput: { stepSeconds } }: EstimateDocument) {
  if (stepSeconds === null) return null;
  const parts = TIME_PARTS.filter(part => GROUP_OF[part] !== 'compute');
  const seconds = (part: TimePart) => time[part] ?? 0;
  const largest = parts.reduce((best, part) => (seconds(part) > seconds(best) ? part : best));
  const sum = parts.reduce((total, part) => total + seconds(part), 0);
  return { fraction: sum / stepSeconds, largest: seconds(largest) > 0 ? largest : null };
}

export interface AxisRow {
  readonly axis: HiddenPart;
  readonly exposed: number;
  readonly hidden: number;
}

/** Axes that communicate at all. */
export function axisRows({ time, hidden }: EstimateDocument): AxisRow[] {
  return HIDDEN_PARTS.map(axis => ({ axis, exposed: time[`${axis}Exposed`] ?? 0, hidden: hidden[axis] ?? 0 })).filter(
    row => row.exposed + row.hidden > 0,
  );
}

/** A stage, or the fullest of a group of stages. */
export interface MemoryRow {
  readonly from: number;
  readonly to: number;
  readonly parts: readonly number[];
  readonly total: number;
}

const MOST_BARS = 32;

export function memoryRows({ stages }: MemoryDocument): MemoryRow[] {
  const size = Math.ceil(stages.length / MOST_BARS);
  const rows: MemoryRow[] = [];
  for (let first = 0; first < stages.length; first += size) {
    const group = stages.slice(first, first + size);
    const fullest = group.reduce((best, stage) => (stage.total > best.total ? stage : best));
    const { from, to } = { from: group[0].stage, to: group[group.length - 1].stage };
    rows.push({ from, to, parts: MEMORY_PARTS.map(part => fullest[part]), total: fullest.total });
  }
  return rows;
}

/** Why a layout beats the present one, in one sentence with its numbers. */
import type { TimePart } from '../engine/estimate/output';
import type { Plan, PlanKey } from '../engine/plan/keys';
import type { Args } from '../engine/problem';
import type { RejectionCode } from '../engine/search/rejections';
import { SLOVAK, SLOVAK_PARTS } from './explain.sk';
import { formatBytes, formatInteger, formatPercent, formatSeconds } from './format';
import { translated } from './language';
import { problemMessage } from './problems';

const ENGLISH_PARTS: Readonly<Record<TimePart, string>> = {
  forward: 'forward compute',
  backward: 'backward compute',
  recompute: 'recomputation',
  launch: 'kernel launches',
  tpExposed: 'tensor-parallel communication',
  cpExposed: 'context-parallel communication',
  epExposed: 'expert-parallel communication',
  ppExposed: 'pipeline messages',
  dpExposed: 'data-parallel communication',
  bubble: 'pipeline bubble',
  optimizer: 'optimizer',
  gradNorm: 'gradient norm',
  host: 'host overhead',
  straggler: 'stragglers',
};

export const PART_NAMES = translated(ENGLISH_PARTS, SLOVAK_PARTS);

const ENGLISH = {
  first: (step: string, memory: string): string => `A step of ${step} in ${memory} a GPU.`,
  needs: (peak: string, capacity: string): string => `It needs ${peak} of ${capacity} a GPU.`,
  memory: (before: string, after: string): string => `${before} → ${after} a GPU`,
  fits: (memory: string, capacity: string): string => `It fits: ${memory}, where the present plan exceeds ${capacity}.`,
  asFast: (memory: string): string => `As fast as the present plan; memory ${memory}.`,
  faster: (gain: string, because: string, memory: string): string => `${gain} faster${because}; memory ${memory}.`,
  slower: (gain: string, because: string, memory: string): string => `${gain} slower${because}; memory ${memory}.`,
  more: (step: string, gain: string): string => ` Its step would take ${step}, ${gain} more tokens a second.`,
  fewer: (step: string, gain: string): string => ` Its step would take ${step}, ${gain} fewer tokens a second.`,
  samePlan: (key: string, other: string): string =>
    `The same as a layout that is counted already: ${key} changes nothing where ${other}.`,
  shardSize: (size: string, ranks: string): string =>
    `Groups of ${size} do not divide the ${ranks} ranks that share states.`,
  triedLate: (schedule: string): string =>
    `${schedule} takes long to compute, so only the best layouts are tried with it. Fix the schedule to try them all.`,
  alreadyCounted: 'counted already',
  slowToCompute: 'slow to compute',
  layout: (keys: string): string =>
    `Another layout (${keys}): a checkpoint of the present one resumes only after it is resharded, or where the framework saves it in a form that any layout reads.`,
  batch: (before: string, after: string): string =>
    `The global batch changes from ${before} to ${after} sequences: the learning rate and its warm-up need to follow.`,
  precision: (before: string, after: string): string =>
    `The numbers change from ${before} to ${after}: check that the loss still falls alike.`,
  unset: 'unset',
  doesNotFit: 'does not fit. ',
  close: (upper: string, capacity: string): string =>
    `Fits, but close: it may take up to ${upper} of ${capacity} a GPU.`,
};

const WORDS = translated(ENGLISH, SLOVAK);

interface Side {
  readonly stepSeconds: number;
  readonly tokensPerSecond: number;
  readonly peakBytes: number;
}

export interface Change {
  readonly part: TimePart;
  readonly beforeSeconds: number;
  readonly afterSeconds: number;
}

/** `changes` with the largest first; `capacityBytes` tells whether the present plan fits at all. */
export function reasonFor(
  before: Side | null,
  after: Side,
  changes: readonly Change[],
  capacityBytes: number | null,
): string {
  if (before === null) return WORDS.first(formatSeconds(after.stepSeconds), formatBytes(after.peakBytes));
  if (capacityBytes !== null && after.peakBytes > capacityBytes)
    return WORDS.needs(formatBytes(after.peakBytes), formatBytes(capacityBytes));
  const fits = capacityBytes === null || before.peakBytes <= capacityBytes;
  const memory = WORDS.memory(formatBytes(before.peakBytes), formatBytes(after.peakBytes));
  if (!fits) return `${WORDS.fits(memory, formatBytes(capacityBytes ?? 0))}${speed(before, after)}`;
  const gain = after.tokensPerSecond / before.tokensPerSecond - 1;
  if (Math.abs(gain) < 5e-4) return WORDS.asFast(memory);
  const saved = changes.filter(({ beforeSeconds, afterSeconds }) =>
    gain > 0 ? afterSeconds < beforeSeconds : afterSeconds > beforeSeconds,
  );
  const parts = saved
    .slice(0, 2)
    .map(
      ({ part, beforeSeconds, afterSeconds }) =>
        `${PART_NAMES[part]} ${formatSeconds(beforeSeconds)} → ${formatSeconds(afterSeconds)}`,
    );
  const because = parts.length === 0 ? '' : `: ${parts.join(', ')}`;
  return WORDS[gain > 0 ? 'faster' : 'slower'](formatPercent(Math.abs(gain)), because, memory);
}

function speed(before: Side, after: Side): string {
  const gain = after.tokensPerSecond / before.tokensPerSecond - 1;
  return WORDS[gain >= 0 ? 'more' : 'fewer'](formatSeconds(after.stepSeconds), formatPercent(Math.abs(gain)));
}

/** The mark of a plan that fits, but not surely; null where it surely does. */
export function closeness({ upperBytes, capacityBytes, uncertain }: Closeness): string | null {
  return uncertain === true ? WORDS.close(formatBytes(upperBytes), formatBytes(capacityBytes ?? 0)) : null;
}

interface Closeness {
  readonly upperBytes: number;
  readonly capacityBytes: number | null;
  readonly uncertain: boolean | null;
}

/** The rule that refused points, for readers: its code, or plain words where the code has none. */
export function ruleName(code: string): string {
  if (code === 'same-plan') return WORDS.alreadyCounted;
  return code === 'tried-late' ? WORDS.slowToCompute : code;
}

/** Why a point of the search is no candidate. */
export function rejectionMessage(code: RejectionCode, args: Args): string {
  if (code === 'same-plan') return WORDS.samePlan(String(args.key), String(args.other));
  if (code === 'shard-size')
    return WORDS.shardSize(formatInteger(Number(args.shardSize)), formatInteger(Number(args.ranks)));
  if (code === 'tried-late') return WORDS.triedLate(String(args.schedule));
  return problemMessage({ code, args });
}

/** What a change of layout breaks besides the time of a step. */
export function warningsOf(before: Plan, after: Plan, changed: readonly PlanKey[]): string[] {
  const found: string[] = [];
  const layout = changed.filter(key => LAYOUT_KEYS.has(key));
  if (layout.length > 0) found.push(WORDS.layout(layout.join(', ')));
  if (changed.includes('globalBatch')) found.push(WORDS.batch(String(before.globalBatch), String(after.globalBatch)));
  if (changed.includes('dtype')) found.push(WORDS.precision(String(before.dtype), String(after.dtype)));
  return found;
}

const LAYOUT_KEYS: ReadonlySet<PlanKey> = new Set([
  'dp',
  'tp',
  'pp',
  'vpp',
  'ep',
  'etp',
  'sharding',
  'shardSize',
  'stageLayers',
]);

/** `changes` alone, as a sentence. */
export function whatIfMessage(
  changes: readonly { readonly key: string; readonly before: string | null; readonly after: string | null }[],
  reason: string,
  fits: boolean,
): string {
  const what = changes
    .map(({ key, before, after }) => `${key} ${before ?? WORDS.unset} → ${after ?? WORDS.unset}`)
    .join(', ');
  return `${what}: ${fits ? '' : WORDS.doesNotFit}${reason}`;
}

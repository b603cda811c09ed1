/** Why a layout beats the present one, in one sentence with its numbers. */
import type { TimePart } from '../engine/estimate/output';
import type { Plan, PlanKey } from '../engine/plan/keys';
import type { Args } from '../engine/problem';
import type { RejectionCode } from '../engine/search/rejections';
import { formatBytes, formatInteger, formatPercent, formatSeconds } from './format';
import { problemMessage } from './problems';

export const PART_NAMES: Readonly<Record<TimePart, string>> = {
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
  if (before === null) return `A step of ${formatSeconds(after.stepSeconds)} in ${formatBytes(after.peakBytes)} a GPU.`;
  if (capacityBytes !== null && after.peakBytes > capacityBytes)
    return `It needs ${formatBytes(after.peakBytes)} of ${formatBytes(capacityBytes)} a GPU.`;
  const fits = capacityBytes === null || before.peakBytes <= capacityBytes;
  const memory = `${formatBytes(before.peakBytes)} → ${formatBytes(after.peakBytes)} a GPU`;
  if (!fits)
    return `It fits: ${memory}, where the present plan exceeds ${formatBytes(capacityBytes ?? 0)}.${speed(before, after)}`;
  const gain = after.tokensPerSecond / before.tokensPerSecond - 1;
  if (Math.abs(gain) < 5e-4) return `As fast as the present plan; memory ${memory}.`;
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
  return `${formatPercent(Math.abs(gain))} ${gain > 0 ? 'faster' : 'slower'}${because}; memory ${memory}.`;
}

function speed(before: Side, after: Side): string {
  const gain = after.tokensPerSecond / before.tokensPerSecond - 1;
  return ` Its step would take ${formatSeconds(after.stepSeconds)}, ${formatPercent(Math.abs(gain))} ${gain >= 0 ? 'more' : 'fewer'} tokens a second.`;
}

/** Why a point of the search is no candidate. */
export function rejectionMessage(code: RejectionCode, args: Args): string {
  if (code === 'same-plan')
    return `This is another layout under a different name: ${String(args.key)} changes nothing where ${String(args.other)}.`;
  if (code === 'shard-size')
    return `Groups of ${formatInteger(Number(args.shardSize))} do not divide the ${formatInteger(Number(args.ranks))} ranks that share states.`;
  if (code === 'tried-late')
    return `The order of ${String(args.schedule)} is itself searched for: it is tried on the best layouts alone, unless the schedule is fixed.`;
  return problemMessage({ code, args });
}

/** What a change of layout breaks besides the time of a step. */
export function warningsOf(before: Plan, after: Plan, changed: readonly PlanKey[]): string[] {
  const found: string[] = [];
  const layout = changed.filter(key => LAYOUT_KEYS.has(key));
  if (layout.length > 0)
    found.push(
      `Another layout (${layout.join(', ')}): a checkpoint of the present one resumes only after it is resharded, or where the framework saves it in a form that any layout reads.`,
    );
  if (changed.includes('globalBatch'))
    found.push(
      `The global batch changes from ${String(before.globalBatch)} to ${String(after.globalBatch)} sequences: the learning rate and its warm-up need to follow.`,
    );
  if (changed.includes('dtype'))
    found.push(
      `The numbers change from ${String(before.dtype)} to ${String(after.dtype)}: check that the loss still falls alike.`,
    );
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
  const what = changes.map(({ key, before, after }) => `${key} ${before ?? 'unset'} → ${after ?? 'unset'}`).join(', ');
  return `${what}: ${fits ? '' : 'does not fit. '}${reason}`;
}

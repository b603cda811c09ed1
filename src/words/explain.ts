/** Why a layout beats the present one, in one sentence with its numbers. */
import type { TimePart } from '../engine/estimate/output';
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
  return problemMessage({ code, args });
}

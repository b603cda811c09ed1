/** How the headline figures come about: the peak, the step, the rate of tokens, MFU and HFU. */
import { groupSeconds, MEMORY_PARTS, memoryRows } from '../figures';
import type { Scene } from '../parts';
import type { Explanation } from '../sections/explanation';
import { say } from '../words';

/** null where the peak is not known. */
export function explainPeak({ formats, state }: Scene): Explanation | null {
  const { memory } = state.estimate;
  const { peakBytes, capacityBytes, lowerBytes, upperBytes, peakStage } = memory;
  if (peakBytes === null || lowerBytes === null || upperBytes === null) return null;
  const { bytes, bytesBoth, percent, gigabytes } = formats;
  const range = { lower: bytes(lowerBytes), upper: bytes(upperBytes) };
  const [row] = memoryRows({ ...memory, stages: memory.stages.filter(({ stage }) => stage === peakStage) });
  if (row === undefined) return null;
  const most = Math.max(...row.parts);
  return {
    formula: say('peakFormula'),
    values: `${row.parts.map(gigabytes).join(' + ')} = ${bytesBoth(peakBytes)}`,
    kind: say(capacityBytes === null ? 'peakKindNoCapacity' : 'peakKind', range),
    binds: say('peakBinds', {
      part: say(MEMORY_PARTS[row.parts.indexOf(most)]),
      bytes: bytes(most),
      percent: percent(most / peakBytes),
    }),
  };
}

/** What kind of number every time is. */
export function timeKind({ state }: Scene): string {
  const { evidence } = state.estimate;
  return evidence === 'none' ? say('stepKindAssumed') : say('stepKindFitted', { architecture: evidence.architecture });
}

export function explainStep(scene: Scene, stepSeconds: number): Explanation {
  const { seconds, percent } = scene.formats;
  const groups = groupSeconds(scene.state.estimate);
  const largest = groups.reduce((best, group) => (group.seconds > best.seconds ? group : best));
  return {
    formula: say('stepFormula'),
    values: `${groups
      .filter(group => group.seconds > 0)
      .map(group => `${say(group.group)} ${seconds(group.seconds)}`)
      .join(' + ')} = ${seconds(stepSeconds)}`,
    binds: say('stepBinds', { group: say(largest.group), percent: percent(largest.seconds / stepSeconds) }),
    kind: timeKind(scene),
  };
}

/** Whole tokens/s of all GPUs, or of one; null where the batch or the sequence is not known. */
export function explainTokens({ formats, state }: Scene, of: 'all' | 'one'): Explanation | null {
  const { throughput, setup } = state.estimate;
  const { stepSeconds, tokensPerSecondPerGpu: rate } = throughput;
  const { globalBatch, seqLen } = setup.plan;
  if (stepSeconds === null || rate === null || globalBatch === null || seqLen === null) return null;
  const { integer, seconds } = formats;
  const all = (globalBatch * seqLen) / stepSeconds;
  const batch = `${integer(globalBatch)} × ${integer(seqLen)} ÷ ${seconds(stepSeconds)}`;
  return {
    formula: say(of === 'all' ? 'tokensAllFormula' : 'tokensFormula'),
    values:
      of === 'all' ? `${batch} = ${integer(all)}` : `${batch} ÷ ${integer(Math.round(all / rate))} = ${integer(rate)}`,
    kind: say('tokensKind'),
  };
}

/** Of MFU, of HFU, or of the rate that they share; null where it is not known. */
export function explainUse({ formats, state }: Scene, of: 'rate' | 'mfu' | 'hfu'): Explanation | null {
  const {
    mfu,
    hfu,
    modelFlopsPerSecondPerGpu: flops,
    tokensPerSecondPerGpu: tokens,
    convention,
  } = state.estimate.throughput;
  if (mfu === null || hfu === null || flops === null || tokens === null) return null;
  const { integer, percent, flopsPerSecond } = formats;
  const perToken = (share: number) => `${formats.flops((flops / tokens) * (share / mfu))} × ${integer(tokens)}`;
  const peak = flopsPerSecond(flops / mfu);
  const kind = say('mfuKind', { convention: convention ?? say('notKnown') });
  switch (of) {
    case 'rate':
      return { formula: say('rateFormula'), values: `${perToken(mfu)} = ${flopsPerSecond(flops)}`, kind };
    case 'mfu':
      return { formula: say('mfuFormula'), values: `${perToken(mfu)} ÷ ${peak} = ${percent(mfu)}`, kind };
    case 'hfu':
      return { formula: say('hfuFormula'), values: `${perToken(hfu)} ÷ ${peak} = ${percent(hfu)}`, kind };
  }
}

/** How fast? The step with its bounds, rates, and what stands behind them. */
import { h, styled, type VNode } from '../dom';
import { type Fact, facts, type Scene, section } from '../parts';
import { say } from '../words';

export function speedSection(scene: Scene): VNode {
  const { stepSeconds } = scene.state.estimate.throughput;
  if (stepSeconds === null) return section('speed', say('speedHeading'), h('p', {}, say('speedUnknown')));
  return section(
    'speed',
    say('speedHeading'),
    ...range(scene, stepSeconds),
    h('div', { class: 'split even' }, facts(rates(scene, stepSeconds)), facts(quality(scene))),
  );
}

/** The bounds as a band with the estimate marked in it. */
function range({ state, formats }: Scene, stepSeconds: number): VNode[] {
  const { lowerSeconds, upperSeconds, coverage } = state.estimate.bounds;
  if (lowerSeconds === null || upperSeconds === null || coverage === null) return [];
  const [lower, upper, step] = [lowerSeconds, upperSeconds, stepSeconds].map(formats.seconds);
  const words = { step, lower, upper, coverage: formats.wholePercent(coverage) };
  const percent = (seconds: number) => `${(seconds / (upperSeconds * 1.25)) * 100}%`;
  const label = (name: string, seconds: number, text: string) =>
    styled({ left: percent(seconds) }, h('span', { class: `range-text ${name}` }, text));
  return [
    h(
      'div',
      { class: 'range', role: 'img', 'aria-label': say('boundsChart', words) },
      styled(
        { left: percent(lowerSeconds), width: percent(upperSeconds - lowerSeconds) },
        h('div', { class: 'range-band' }),
      ),
      styled({ left: percent(stepSeconds) }, h('div', { class: 'range-mark' })),
      label('above', stepSeconds, step),
      label('lower', lowerSeconds, lower),
      label('upper', upperSeconds, upper),
    ),
    h('p', { class: 'note' }, say('boundsText', words)),
  ];
}

function rates({ state, formats }: Scene, stepSeconds: number): Fact[] {
  const { plan } = state.estimate.setup;
  const { tokensPerSecondPerGpu } = state.estimate.throughput;
  const list: Fact[] = [{ name: say('stepTime'), value: formats.seconds(stepSeconds) }];
  if (plan.globalBatch !== null && plan.seqLen !== null) {
    const tokens = plan.globalBatch * plan.seqLen;
    list.push({ name: say('tokensPerStep'), value: formats.integer(tokens) });
    list.push({ name: say('tokensAll'), value: formats.integer(tokens / stepSeconds) });
  }
  if (tokensPerSecondPerGpu !== null)
    list.push({ name: say('tokensPerGpu'), value: formats.integer(tokensPerSecondPerGpu) });
  return list;
}

function quality({ state, formats }: Scene): Fact[] {
  const { throughput, evidence } = state.estimate;
  const { modelFlopsPerSecondPerGpu: rate, mfu, hfu, convention } = throughput;
  const list: Fact[] = [];
  if (rate !== null) list.push({ name: say('modelRate'), value: formats.flopsPerSecond(rate) });
  if (mfu !== null) {
    const note = convention === null ? null : say('mfuNote', { convention });
    list.push({ name: say('mfu'), note, value: formats.percent(mfu) });
  }
  if (hfu !== null) list.push({ name: say('hfu'), note: say('hfuNote'), value: formats.percent(hfu) });
  list.push({
    name: say('evidence'),
    value:
      evidence === 'none'
        ? say('evidenceNone')
        : say('evidenceRuns', { architecture: evidence.architecture, stack: evidence.stack }),
  });
  return list;
}

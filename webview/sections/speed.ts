/** How fast? The step with its bounds, rates, and what stands behind them. */
import { h, styled, type VNode } from '../dom';
import { explainStep, explainTokens, explainUse } from '../explained/headline';
import { type Fact, facts, type How } from '../facts';
import { type Scene, section } from '../parts';
import type { Explanation } from './explanation';
import { say } from '../words';

export function speedSection(scene: Scene): VNode {
  const { stepSeconds } = scene.state.estimate.throughput;
  if (stepSeconds === null) return section('speed', say('speedHeading'), h('p', {}, say('speedUnknown')));
  return section(
    'speed',
    say('speedHeading'),
    ...range(scene, stepSeconds),
    h('div', { class: 'split even' }, facts(scene, rates(scene, stepSeconds)), facts(scene, quality(scene))),
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

function rates(scene: Scene, stepSeconds: number): Fact[] {
  const { formats, state } = scene;
  const { globalBatch, seqLen } = state.estimate.setup.plan;
  const { tokensPerSecondPerGpu } = state.estimate.throughput;
  const { integer, seconds } = formats;
  const list: Fact[] = [
    { name: say('stepTime'), value: seconds(stepSeconds), how: opening('step', explainStep(scene, stepSeconds)) },
  ];
  if (globalBatch !== null && seqLen !== null) {
    const tokens = globalBatch * seqLen;
    const values = `${integer(globalBatch)} × ${integer(seqLen)} = ${integer(tokens)}`;
    const how = opening('batch', { formula: say('tokensPerStepFormula'), values, kind: say('fromPlanKind') });
    list.push({ name: say('tokensPerStep'), value: integer(tokens), how });
    const all = opening('tokens-all', explainTokens(scene, 'all'));
    list.push({ name: say('tokensAll'), value: integer(tokens / stepSeconds), how: all });
  }
  if (tokensPerSecondPerGpu !== null) {
    const how = opening('tokens', explainTokens(scene, 'one'));
    list.push({ name: say('tokensPerGpu'), value: integer(tokensPerSecondPerGpu), how });
  }
  return list;
}

/** On the page of the time; the overview has ids of its own. */
function opening(id: string, explanation: Explanation | null): How {
  return explanation === null ? 'given' : { id: `speed-${id}`, explanation: () => explanation };
}

function quality(scene: Scene): Fact[] {
  const { state, formats } = scene;
  const { throughput, evidence } = state.estimate;
  const { modelFlopsPerSecondPerGpu: rate, mfu, hfu, convention } = throughput;
  const list: Fact[] = [];
  const use = (of: 'rate' | 'mfu' | 'hfu') => opening(of, explainUse(scene, of));
  if (rate !== null) list.push({ name: say('modelRate'), value: formats.flopsPerSecond(rate), how: use('rate') });
  if (mfu !== null) {
    const note = convention === null ? null : say('mfuNote', { convention });
    list.push({ name: say('mfu'), note, value: formats.percent(mfu), how: use('mfu') });
  }
  if (hfu !== null) list.push({ name: say('hfu'), note: say('hfuNote'), value: formats.percent(hfu), how: use('hfu') });
  list.push(
    evidence === 'none'
      ? { name: say('evidence'), value: say('evidenceAssumed'), note: say('evidenceNone'), how: 'given' }
      : {
          name: say('evidence'),
          value: say('evidenceCount', { count: evidence.runs.length }),
          note: say('evidenceNear', { architecture: evidence.architecture }),
          how: 'given',
        },
  );
  return list;
}

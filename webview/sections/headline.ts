/** The headline figures as cards: verdict, number, one line, and a disclosure that shows where the number comes from. */
import { type Child, h, styled, type VNode } from '../dom';
import { explainPeak, explainStep, explainTokens, explainUse } from '../explained/headline';
import { partWord, waste } from '../figures';
import { button, type Scene, toggle } from '../parts';
import { deltaText } from '../whatIf/delta';
import { type Explanation, explanationPanel } from './explanation';
import { say } from '../words';
import { type Verdict, verdictOf, verdictWord } from './verdict';

interface Card {
  readonly id: string;
  readonly title: string;
  /** A mark and a word; the mark is never alone. */
  readonly verdict?: Verdict;
  readonly value: string | null;
  readonly text: string;
  readonly extra?: Child | null;
  /** How the figure differs from the file's, where a change is tried out. */
  readonly delta?: string | null;
  readonly explanation: Explanation | null;
}

const MARKS: Readonly<Record<Verdict, string>> = { good: '✓', tight: '!', bad: '✕', unknown: '?' };

export function headline(scene: Scene): VNode {
  const cards = [
    memoryCard(scene),
    stepCard(scene),
    tokensCard(scene),
    mfuCard(scene),
    wasteCard(scene),
    costCard(scene),
  ];
  return h(
    'section',
    { id: 'headline', 'aria-labelledby': 'headline-heading' },
    h('h2', { id: 'headline-heading', class: 'for-readers' }, say('headlineHeading')),
    h('div', { class: 'cards' }, ...cards.map(card => draw(scene, card))),
    // Below the row of cards, so that no card moves when one of them is explained.
    ...cards.map(
      ({ id, title, explanation }) => explanation && explanationPanel(scene, `how-${id}`, title, explanation),
    ),
  );
}

function draw(scene: Scene, { id, title, verdict, value, text, extra, delta, explanation }: Card): VNode {
  return h(
    'article',
    { id: `card-${id}`, class: `card ${verdict ?? ''}` },
    h('h3', {}, title),
    verdict &&
      h(
        'p',
        { class: 'verdict' },
        h('span', { class: 'mark', 'aria-hidden': 'true' }, MARKS[verdict]),
        verdictWord(scene),
      ),
    h('p', { class: value === null ? 'figure missing' : 'figure' }, value ?? say('unknownValue')),
    delta && h('p', { class: 'delta' }, delta),
    h('p', { class: 'note' }, text),
    extra,
    explanation && toggle(scene, `how-${id}`, say('how'), say('how'), say('howOf', { title })),
  );
}

function memoryCard(scene: Scene): Card {
  const { formats, state } = scene;
  const { memory } = state.estimate;
  const { peakBytes, capacityBytes, lowerBytes, upperBytes } = memory;
  const delta = deltaText(peakBytes, scene.base?.memory.peakBytes, formats.bytes, formats);
  const card = { id: 'memory', title: say('memoryCard'), verdict: verdictOf(memory), delta };
  if (peakBytes === null || lowerBytes === null || upperBytes === null) {
    return { ...card, value: null, text: statesText(scene), explanation: null };
  }
  const { bytes, percent } = formats;
  const range = { lower: bytes(lowerBytes), upper: bytes(upperBytes) };
  const explanation = explainPeak(scene);
  if (capacityBytes === null) {
    return { ...card, value: bytes(peakBytes), text: say('fitNoCapacity'), explanation };
  }
  const difference = bytes(Math.abs(capacityBytes - peakBytes));
  const rest =
    peakBytes > capacityBytes
      ? say('fitOver', { bytes: difference })
      : memory.uncertain === true
        ? say('fitTight', range)
        : say('fitRoom', { bytes: difference });
  return {
    ...card,
    value: bytes(peakBytes),
    text: `${say(memory.stages.length > 1 ? 'fitText' : 'fitTextOneStage', { capacity: bytes(capacityBytes) })}. ${rest}`,
    extra: meter(peakBytes / capacityBytes, say('fitMeter', { percent: percent(peakBytes / capacityBytes) })),
    explanation,
  };
}

function statesText({ state, formats }: Scene): string {
  const { states } = state.estimate;
  if (states === null) return say(state.estimate.parameters === null ? 'fitNoModel' : 'fitNothing');
  return say('statesSum', { bytes: formats.bytes(states.weights + states.gradients + states.optimizer) });
}

function meter(fraction: number, label: string): VNode {
  const width = `${Math.min(fraction, 1) * 100}%`;
  return h('div', { class: 'meter', role: 'img', 'aria-label': label }, styled({ width }, h('div')));
}

function stepCard(scene: Scene): Card {
  const { formats, state } = scene;
  const { throughput, bounds } = state.estimate;
  const { stepSeconds } = throughput;
  const delta = deltaText(stepSeconds, scene.base?.throughput.stepSeconds, formats.seconds, formats);
  const card = { id: 'step', title: say('stepCard'), delta };
  if (stepSeconds === null) return { ...card, value: null, text: say('unknownStep'), explanation: null };
  const { seconds } = formats;
  const { lowerSeconds, upperSeconds, coverage } = bounds;
  return {
    ...card,
    value: seconds(stepSeconds),
    text:
      lowerSeconds === null || upperSeconds === null || coverage === null
        ? ''
        : say('stepRange', {
            lower: seconds(lowerSeconds),
            upper: seconds(upperSeconds),
            coverage: formats.wholePercent(coverage),
          }),
    explanation: explainStep(scene, stepSeconds),
  };
}

function tokensCard(scene: Scene): Card {
  const { formats, state, base } = scene;
  const { throughput, setup } = state.estimate;
  const { stepSeconds, tokensPerSecondPerGpu: rate } = throughput;
  const { globalBatch, seqLen } = setup.plan;
  const delta = deltaText(rate, base?.throughput.tokensPerSecondPerGpu, formats.integer, formats);
  const card = { id: 'tokens', title: say('tokensCard'), delta };
  if (rate === null || stepSeconds === null)
    return { ...card, value: null, text: say('unknownStep'), explanation: null };
  const { integer } = formats;
  const gpus = globalBatch === null || seqLen === null ? null : Math.round((globalBatch * seqLen) / stepSeconds / rate);
  return {
    ...card,
    value: integer(rate),
    text: gpus === null ? '' : say('tokensTotal', { tokens: integer(rate * gpus), gpus: integer(gpus) }),
    explanation: explainTokens(scene, 'one'),
  };
}

function mfuCard(scene: Scene): Card {
  const { formats, state, base } = scene;
  const { mfu, modelFlopsPerSecondPerGpu: flops } = state.estimate.throughput;
  const delta = deltaText(mfu, base?.throughput.mfu, formats.percent, formats);
  const card = { id: 'mfu', title: say('mfuCard'), delta };
  if (mfu === null || flops === null) return { ...card, value: null, text: say('unknownStep'), explanation: null };
  const peak = formats.flopsPerSecond(flops / mfu);
  return {
    ...card,
    value: formats.percent(mfu),
    text: say('mfuText', { flops: formats.flopsPerSecond(flops), peak }),
    explanation: explainUse(scene, 'mfu'),
  };
}

function wasteCard({ formats, state }: Scene): Card {
  const found = waste(state.estimate);
  const { stepSeconds } = state.estimate.throughput;
  const { forward, backward } = state.estimate.time;
  const card = { id: 'waste', title: say('wasteCard') };
  if (found === null || stepSeconds === null || forward === null || backward === null) {
    return { ...card, value: null, text: say('unknownStep'), explanation: null };
  }
  const { percent, seconds } = formats;
  return {
    ...card,
    value: percent(found.fraction),
    text: found.largest === null ? say('wasteNone') : say('wasteText', { part: say(partWord(found.largest)) }),
    explanation: {
      formula: say('wasteFormula'),
      values: `1 − (${seconds(forward)} + ${seconds(backward)}) ÷ ${seconds(stepSeconds)} = ${percent(found.fraction)}`,
      kind: say('wasteKind'),
    },
  };
}

const TOKENS = 1e9;

/** GPU-hours where no price is stated, which the card then asks for. */
function costCard({ formats, state, base }: Scene): Card {
  const { tokensPerSecondPerGpu: rate } = state.estimate.throughput;
  const card = { id: 'cost', title: say('costCard') };
  if (rate === null) return { ...card, value: null, text: say('unknownStep'), explanation: null };
  const { integer, figures, number } = formats;
  const hours = TOKENS / rate / 3600;
  const before = base?.throughput.tokensPerSecondPerGpu;
  const price = state.costs?.perGpuHour ?? null;
  const unit = state.costs?.currency ?? '';
  const of = (value: number) =>
    price === null ? say('hours', { hours: amount(value) }) : `${amount(value * price)} ${unit}`;
  const amount = (value: number) => (value >= 100 ? integer(value) : figures(value));
  const hoursBefore = before === undefined || before === null ? before : TOKENS / before / 3600;
  const values = { rate: integer(rate), hours: amount(hours), price: price === null ? '' : number(price), unit };
  return {
    ...card,
    value: of(hours),
    delta: deltaText(hours, hoursBefore, of, formats),
    text: price === null ? say('costHours') : say('costText', values),
    extra: price === null ? button('set-price', 'setPrice', say('setPrice'), { class: 'link' }) : null,
    explanation: {
      formula: say(price === null ? 'hoursFormula' : 'costFormula'),
      values: `${say(price === null ? 'hoursValues' : 'costValues', values)} = ${of(hours)}`,
      kind: say('costKind'),
    },
  };
}

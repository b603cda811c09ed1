/** Does the layout compute the same? The proof of a plan: its button, its progress, and what it showed. */
import type { ProofDocument, ProofResult } from '../../src/documents/proof';
import type { ProofState } from '../../src/protocol/dashboard';
import { formatExact, formatExponent } from '../../src/words/format';
import { h, type VNode } from '../dom';
import { type Fact, facts } from '../facts';
import { button, chartWithTable, disclosure, type Scene, section, table } from '../parts';
import { say, type WordKey } from '../words';
import { memoryFigure } from './memory';
import { type TrafficRow, trafficRows } from './rows';

export const LOSS_CHART = 'proof-loss-chart';
export const TRAFFIC_CHART = 'proof-traffic-chart';

export function proofSection(scene: Scene): VNode {
  const proof = scene.state.proof ?? { phase: 'idle' };
  return section(
    'proof',
    say('proofHeading'),
    h('p', {}, say('proofText')),
    status(proof),
    controls(scene, proof),
    proof.phase === 'done' ? shown(scene, proof.document) : null,
  );
}

/** The document of a proof that has ended; null where there is none. */
export function provenDocument(proof: ProofState | undefined): ProofDocument | null {
  return proof?.phase === 'done' ? proof.document : null;
}

function status(proof: ProofState): VNode {
  const sentence = () => {
    switch (proof.phase) {
      case 'idle':
        return say('proofIdle');
      case 'running':
        return say('proofRunning');
      case 'failed':
        return say('proofFailed', { message: proof.message });
      case 'done':
        return proof.document.sentences.verdict;
    }
  };
  return h('p', { id: 'proof-status', role: 'status', class: look(proof) }, sentence());
}

function look(proof: ProofState): string | null {
  if (proof.phase === 'failed') return 'banner error';
  if (proof.phase !== 'done') return null;
  const { result } = proof.document;
  if (result === null) return 'banner warning';
  return result.equal ? 'banner good' : 'banner error';
}

function controls({ state }: Scene, proof: ProofState): VNode {
  const ready = state.estimate.parameters !== null && state.estimate.setup.plan.dp !== null;
  const running = proof.phase === 'running';
  // The same element starts and cancels, so that the keyboard's focus stays on it.
  const main = running
    ? button('prove-button', 'cancelProof', say('cancel'), { class: 'secondary' })
    : button('prove-button', 'prove', say(proof.phase === 'idle' ? 'proveButton' : 'proveAgain'), {
        class: 'secondary',
        'aria-disabled': ready ? null : 'true',
        'aria-describedby': ready ? null : 'proof-needs',
      });
  return h(
    'div',
    { id: 'proof-controls' },
    h('div', { class: 'buttons' }, main, running ? progress(proof) : textButton(state.proofText ?? null)),
    h('p', { id: 'proof-text', class: 'note' }, textNote(state.proofText ?? null)),
    running && proof.planString !== null && h('code', { class: 'plan' }, proof.planString),
    !ready && h('p', { id: 'proof-needs', class: 'note' }, say('proofNeeds')),
  );
}

/** What the twin learns: the trainer's own text, or a file of the user's. */
function textButton(name: string | null): VNode {
  return name === null
    ? button('proof-text-button', 'chooseProofText', say('proofTextChoose'), { class: 'secondary' })
    : button('proof-text-button', 'ownProofText', say('proofTextBack'), { class: 'secondary' });
}

function textNote(name: string | null): string {
  return name === null ? say('proofTextOwn') : say('proofTextFile', { name });
}

function progress({ done, total }: Extract<ProofState, { phase: 'running' }>): VNode {
  const text = say('proofProgress', { done, total });
  return h(
    'div',
    { id: 'proof-progress', class: 'progress' },
    h('progress', { 'aria-label': text, max: total, value: done }),
    h('span', { class: 'note' }, text),
  );
}

function shown(scene: Scene, document: ProofDocument): VNode {
  const { result, sentences, problems, planString, twin } = document;
  const list = (id: string, heading: string, items: readonly string[]) =>
    h('div', {}, h('h3', {}, heading), h('ul', { id, class: 'sentences' }, ...items.map(text => h('li', {}, text))));
  if (result === null || twin === null)
    return h(
      'div',
      { id: 'proof-shown' },
      h('ul', { id: 'proof-problems', class: 'sentences' }, ...problems.map(({ message }) => h('li', {}, message))),
    );
  return h(
    'div',
    { id: 'proof-shown' },
    h('p', { class: 'note' }, say('proofOf'), ': ', h('code', { id: 'proof-plan', class: 'plan' }, planString)),
    result.mismatches.length > 0 &&
      list(
        'proof-mismatches',
        say('differencesHeading'),
        result.mismatches.map(({ message }) => message),
      ),
    h(
      'div',
      { class: 'split even' },
      list('proof-proved', say('provedHeading'), sentences.proved),
      list('proof-not-proved', say('notProvedHeading'), sentences.notProved),
    ),
    list('proof-scaled', say('twinHeading'), [...sentences.scaled, twinSentence(scene, twin)]),
    disclosure(scene, 'proof-twin-plan', say('twinPlan'), h('code', { class: 'plan' }, twin.planString)),
    h(
      'div',
      { class: 'split even' },
      h('div', {}, h('h3', {}, say('lossHeading')), lossFigure(scene, result)),
      h('div', {}, h('h3', {}, say('proofTrafficHeading')), trafficFigure(scene, result)),
    ),
    h('h3', {}, say('proofMemoryHeading')),
    memoryFigure(scene, result),
    h('h3', {}, say('proofBubbleHeading')),
    h('div', { id: 'proof-bubble' }, bubbles(scene, result, twin)),
    h(
      'div',
      { class: 'buttons' },
      button('proof-csv', 'saveProof', say('proofCsv'), { class: 'secondary', 'data-format': 'csv' }),
      button('proof-json', 'saveProof', say('proofJson'), { class: 'secondary', 'data-format': 'json' }),
    ),
  );
}

type Twin = NonNullable<ProofDocument['twin']>;

function twinSentence({ formats }: Scene, { network, planString, microBatches }: Twin) {
  const { integer } = formats;
  const { layers, hidden, heads, kvHeads, headDim, ffn, vocab, experts, topK, expertFfn } = network;
  const feedForward =
    experts > 0 ? say('twinMoe', { experts, ffn: integer(expertFfn), topK }) : say('twinDense', { ffn: integer(ffn) });
  const seqLen = /(?:^|,)seqLen=(\d+)/.exec(planString)?.[1] ?? '';
  const values = { layers, hidden: integer(hidden), heads, kvHeads, headDim, feedForward, vocab, seqLen, microBatches };
  return say('twinText', values);
}

function lossFigure(scene: Scene, { losses, serialLosses, maxLossDifference }: ProofResult): VNode {
  const { formats } = scene;
  const label = say('lossChart', {
    first: formats.number(losses[0]),
    last: formats.number(losses.at(-1) ?? NaN),
    difference: formatExponent(maxLossDifference),
  });
  const exact = (value: number) => formatExact(value.toPrecision(12));
  const twin = (reachable: boolean) =>
    table(
      `${LOSS_CHART}-twin`,
      say('lossTable'),
      [
        { head: say('proofStep') },
        { head: say('parallelRun'), numeric: true },
        { head: say('serialRun'), numeric: true },
        { head: say('difference'), numeric: true },
      ],
      losses.map((loss, step) => [
        String(step + 1),
        exact(loss),
        exact(serialLosses[step]),
        formatExponent(Math.abs(loss - serialLosses[step])),
      ]),
      { reachable },
    );
  const data = () => ({
    columns: ['step', 'loss', 'serialLoss'],
    rows: losses.map((loss, step) => [step + 1, loss, serialLosses[step]]),
  });
  return chartWithTable(scene, { id: LOSS_CHART, label, height: 260, source: 'simulated', data }, twin);
}

export const operationLabel = ({ axis, op }: TrafficRow) => say('operationOf', { axis, op });

function trafficFigure(scene: Scene, result: ProofResult): VNode {
  const { bytes, integer } = scene.formats;
  const rows = trafficRows(result);
  if (rows.length === 0) return h('p', {}, say('proofTrafficNone'));
  const most = rows.reduce((best, row) => (row.counted > best.counted ? row : best));
  const label = say('proofTrafficChart', {
    most: say('proofTrafficMost', { axis: operationLabel(most), bytes: bytes(most.counted) }),
  });
  const both = (live: number, predicted: number, format: (value: number) => string) =>
    live === predicted ? format(live) : say('ofPredicted', { live: format(live), predicted: format(predicted) });
  const twin = (reachable: boolean) =>
    table(
      `${TRAFFIC_CHART}-twin`,
      say('proofTrafficTable'),
      [
        { head: say('axis') },
        { head: say('calls'), numeric: true },
        { head: `${say('allRanks')}, ${say('counted')}`, numeric: true },
        { head: `${say('allRanks')}, ${say('predicted')}`, numeric: true },
        { head: `${say('mostOfARank')}, ${say('counted')}`, numeric: true },
        { head: `${say('mostOfARank')}, ${say('predicted')}`, numeric: true },
      ],
      rows.map(row => [
        operationLabel(row),
        both(row.count, row.predictedCount, integer),
        integer(row.counted),
        integer(row.predicted),
        integer(row.mostCounted),
        integer(row.mostPredicted),
      ]),
      { reachable },
    );
  const data = () => ({
    columns: ['axis', 'op', 'calls', 'predictedCalls', 'bytes', 'predictedBytes', 'mostBytes', 'predictedMostBytes'],
    rows: rows.map(row => [
      row.axis,
      row.op,
      row.count,
      row.predictedCount,
      row.counted,
      row.predicted,
      row.mostCounted,
      row.mostPredicted,
    ]),
  });
  const height = 100 + rows.length * 36;
  return chartWithTable(scene, { id: TRAFFIC_CHART, label, height, source: ['simulated', 'estimated'], data }, twin);
}

function bubbles(scene: Scene, { bubbleFraction, predictedBubbleFraction, virtualSeconds }: ProofResult, twin: Twin) {
  const { percent, integer, number } = scene.formats;
  const { ranks, microBatches, planString } = twin;
  const stages = /(?:^|,)pp=(\d+)/.exec(planString)?.[1] ?? '1';
  const fact = (id: string, word: WordKey, fraction: number, values: string): Fact => {
    const explanation = () => ({ formula: say('proofBubbleFormula'), values, kind: say('proofBubbleKind') });
    return { name: say(word), value: percent(fraction), how: { id: `proof-${id}`, explanation } };
  };
  const busy = (1 - bubbleFraction) * ranks * virtualSeconds;
  const run = `1 − ${number(busy)} ÷ (${integer(ranks)} × ${number(virtualSeconds)}) = ${percent(bubbleFraction)}`;
  const simulated = say('proofBubbleShape', { stages, microBatches, percent: percent(predictedBubbleFraction) });
  return facts(scene, [
    fact('virtual', 'virtualTimeline', bubbleFraction, run),
    fact('predicted', 'simulator', predictedBubbleFraction, simulated),
  ]);
}

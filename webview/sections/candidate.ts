/** A layout that the search proposes: what it gains, why, what it changes in the file. */
import type { CandidateDocument, SearchDocument } from '../../src/documents/types';
import { closeness } from '../../src/words/explain';
import { h, type VNode } from '../dom';
import { partWord } from '../figures';
import { timeKind } from '../explained/headline';
import { button, disclosure, type Scene, table, toggle } from '../parts';
import { type Explanation, explanationPanel } from './explanation';
import { say } from '../words';

type Current = SearchDocument['current'];

export function candidateList(
  scene: Scene,
  name: string,
  candidates: readonly CandidateDocument[],
  current: Current,
  firstRank = 1,
): VNode {
  const items = candidates.map((candidate, index) =>
    item(scene, `${name}-${index + 1}`, firstRank + index, candidate, current),
  );
  return h('ol', { id: `${name}-list`, class: 'candidates' }, ...items);
}

function item(scene: Scene, id: string, rank: number, candidate: CandidateDocument, current: Current): VNode {
  const { state } = scene;
  const { reason, applicable, notApplicable, planString, warnings, speedup } = candidate;
  return h(
    'li',
    { id, class: applicable ? 'candidate' : 'candidate elsewhere' },
    h(
      'div',
      { class: 'title-row' },
      h('h4', {}, h('span', { class: 'rank' }, say('rank', { rank })), ' ', gain(scene, candidate)),
      h(
        'span',
        { class: 'actions' },
        applicable &&
          button(`${id}-apply`, 'apply', say('apply'), {
            'data-plan': planString,
            'aria-label': say('applyLabel', { rank }),
          }),
        button(`${id}-prove`, 'prove', say('prove'), {
          class: 'secondary',
          'data-plan': planString,
          'aria-label': say('proveLabel', { rank }),
        }),
      ),
    ),
    h('p', {}, reason),
    candidate.memory.uncertain === true && h('p', { class: 'banner warning' }, closeness(candidate.memory)),
    !applicable &&
      h(
        'p',
        { class: 'banner warning' },
        say('notApplicable', { framework: state.framework ?? say('thisFramework'), keys: notApplicable.join(', ') }),
      ),
    changes(candidate.changes),
    warnings.length > 0 &&
      h('ul', { class: 'warnings', 'aria-label': say('warningsLabel') }, ...warnings.map(text => h('li', {}, text))),
    h(
      'div',
      { class: 'disclosures' },
      candidate.parts.length > 0 &&
        disclosure(scene, `${id}-parts`, say('partsChanged'), partTable(scene, id, candidate)),
      speedup !== null &&
        toggle(scene, `how-${id}`, say('howFaster'), say('howFaster'), `${say('howFaster')} ${say('rank', { rank })}`),
      disclosure(scene, `${id}-plan`, say('planText'), h('code', { class: 'plan' }, planString)),
    ),
    speedup !== null &&
      explanationPanel(scene, `how-${id}`, gain(scene, candidate), explainGain(scene, candidate, current)),
  );
}

/** The layouts beside the present plan, in numbers. */
export function comparison({ formats }: Scene, { current, best }: SearchDocument): VNode {
  const { seconds, integer, percent, bytes, times } = formats;
  const cell = (value: number | null, format: (value: number) => string) =>
    value === null ? say('unknownValue') : format(value);
  const row = (name: string, plan: Compared) => [
    name,
    cell(plan.speedup, times),
    cell(plan.throughput.stepSeconds, seconds),
    cell(plan.throughput.tokensPerSecondPerGpu, integer),
    cell(plan.throughput.mfu, percent),
    cell(plan.memory.peakBytes, bytes),
    fitWord(plan.memory),
    cell(plan.bubbleFraction, percent),
  ];
  const figure = (head: string) => ({ head, numeric: true });
  const figures = [say('speedup'), say('stepTime'), say('tokensPerGpu'), say('mfu'), say('peak')].map(figure);
  return table(
    'comparison',
    say('comparisonTable'),
    [{ head: say('layout') }, ...figures, { head: say('fit') }, figure(say('bubbleFraction'))],
    [
      row(say('presentPlan'), { ...current, speedup: current.throughput.stepSeconds === null ? null : 1 }),
      ...best.map((candidate, index) => row(say('rank', { rank: index + 1 }), candidate)),
    ],
  );
}

function fitWord({ fits, uncertain }: { fits: boolean | null; uncertain?: boolean | null }): string {
  if (fits === null) return say('unknownValue');
  return say(fits ? (uncertain === true ? 'fitsClosely' : 'fits') : 'doesNotFit');
}

type Compared = Pick<SearchDocument['current'], 'throughput' | 'memory' | 'bubbleFraction'> &
  Pick<CandidateDocument, 'speedup'>;

/** Under the same batch tokens a second are in proportion to steps; under another one the batch counts too. */
function explainGain(scene: Scene, candidate: CandidateDocument, { throughput }: Current): Explanation {
  const { integer, times, seconds } = scene.formats;
  const [after, before] = [candidate.throughput.tokensPerSecondPerGpu, throughput.tokensPerSecondPerGpu ?? 0];
  const [largest] = candidate.parts;
  return {
    formula: say('gainFormula'),
    values: `${integer(after)} ÷ ${integer(before)} = ${times(candidate.speedup ?? after / before)}`,
    ...(largest === undefined
      ? {}
      : {
          binds: say('gainBinds', {
            part: say(partWord(largest.part)),
            before: seconds(largest.beforeSeconds),
            after: seconds(largest.afterSeconds),
          }),
        }),
    kind: timeKind(scene),
  };
}

function gain({ formats }: Scene, { speedup }: CandidateDocument): string {
  if (speedup === null) return say('noPresent');
  return say('gain', { times: formats.times(speedup) });
}

export function changes(list: CandidateDocument['changes']): VNode {
  if (list.length === 0) return h('p', { class: 'note' }, say('noChanges'));
  return h(
    'ul',
    { class: 'changes', 'aria-label': say('changesLabel') },
    ...list.map(({ key, before, after }) =>
      h(
        'li',
        {},
        h('code', {}, key),
        ': ',
        h('span', { class: 'before' }, before ?? say('absent')),
        h('span', { class: 'arrow', 'aria-hidden': 'true' }, ' → '),
        h('span', { class: 'for-readers' }, ` ${say('becomes')} `),
        h('b', {}, after ?? say('absent')),
      ),
    ),
  );
}

export function partTable({ formats }: Scene, id: string, { parts }: Pick<CandidateDocument, 'parts'>): VNode {
  const { seconds } = formats;
  const columns = [
    { head: say('part') },
    { head: say('before'), numeric: true },
    { head: say('after'), numeric: true },
    { head: say('difference'), numeric: true },
  ];
  const rows = parts.map(({ part, beforeSeconds, afterSeconds }) => {
    const difference = afterSeconds - beforeSeconds;
    const sign = difference > 0 ? '+' : difference < 0 ? '−' : '';
    return [
      say(partWord(part)),
      seconds(beforeSeconds),
      seconds(afterSeconds),
      `${sign}${seconds(Math.abs(difference))}`,
    ];
  });
  return table(`${id}-part-table`, say('partsTable'), columns, rows);
}

/** What is wrong with the setup, and what is not known of it. */
import type { ProblemDocument } from '../../src/documents/types';
import { h, type VNode } from '../dom';
import { button, placeLink, type Scene, section } from '../parts';
import { say } from '../words';

const ORDER = { error: 0, warning: 1, information: 2 } as const;

const isUnknown = ({ code }: ProblemDocument) => code === 'value-unknown' || code === 'cluster-unknown';

/** Values that the estimate waits for, and the buttons that ask for them. */
export function unknowns({ state }: Scene): VNode | null {
  const { parameters, problems: found } = state.estimate;
  const missing = found.filter(isUnknown);
  if (missing.length === 0) return null;
  // Of a model that no file states, its single sizes are no news.
  const isSize = ({ args }: ProblemDocument) => parameters === null && String(args['key']).startsWith('model');
  const messages = missing.filter(problem => !isSize(problem)).map(({ message }) => message);
  const noModel = missing.some(isSize);
  return section(
    'unknowns',
    say('unknownHeading'),
    h('p', {}, say('unknownText')),
    h(
      'ul',
      { class: 'unknown-list' },
      ...(noModel ? [say('modelUnknown')] : []).concat(messages).map(text => h('li', {}, text)),
    ),
    h(
      'div',
      { class: 'buttons' },
      noModel && button('choose-files', 'chooseFiles', say('chooseFiles')),
      missing.some(({ code }) => code === 'cluster-unknown') &&
        button('choose-cluster', 'chooseCluster', say('chooseCluster')),
      missing.some(problem => problem.code === 'value-unknown' && !isSize(problem)) &&
        button('ask-values', 'askValues', say('askValues')),
    ),
  );
}

export function problems({ state }: Scene): VNode | null {
  const found = state.estimate.problems
    .filter(problem => !isUnknown(problem))
    .sort((a, b) => ORDER[a.severity] - ORDER[b.severity]);
  if (found.length === 0) return null;
  return section('problems', say('problemsHeading'), h('ul', { class: 'problem-list' }, ...found.map(item)));
}

function item(problem: ProblemDocument, index: number): VNode {
  const { severity, message, fix, code } = problem;
  const place = placeLink(`reveal-${index}`, problem);
  return h(
    'li',
    { class: severity },
    h('span', { class: 'severity' }, say(severity)),
    h(
      'div',
      {},
      h('p', {}, message),
      h('p', { class: 'note' }, place, place && ' · ', h('code', {}, code)),
      fix && h('p', { class: 'note' }, say('fixOffered', { title: fix.title })),
    ),
  );
}

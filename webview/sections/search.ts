/** What should I run instead? The search: its button, its progress, and what it found. */
import type { RejectionDocument, SearchDocument } from '../../src/documents/types';
import { ruleName } from '../../src/words/explain';
import type { SearchState } from '../../src/protocol/dashboard';
import { h, type VNode } from '../dom';
import { furtherFacts } from '../explorer/further';
import { scaleFigure } from '../explorer/plots';
import { explorer } from '../explorer/view';
import { whatIfTable } from '../explorer/whatIfs';
import { button, disclosure, type Scene, section, table } from '../parts';
import { say } from '../words';
import { candidateList, comparison } from './candidate';
import { batchBox, goalBox } from './goal';

export function searchSection(scene: Scene): VNode {
  const { search } = scene.state;
  return section(
    'search',
    say('searchHeading'),
    status(scene, search),
    controls(scene, search),
    search.phase === 'done' ? found(scene, search.document) : null,
  );
}

/** One sentence on where the search stands, read out when it changes; the counts move too fast for that. */
function status({ formats }: Scene, search: SearchState): VNode {
  const { integer } = formats;
  const sentence = () => {
    switch (search.phase) {
      case 'idle':
        return say('searchIdle');
      case 'running':
        return say('searchRunning');
      case 'failed':
        return say('searchFailed', { message: search.message });
      case 'done': {
        const { evaluated, candidates, seconds, feasible } = search.document.space;
        return say('searchDone', {
          evaluated: integer(evaluated),
          candidates: integer(candidates),
          seconds: formats.seconds(seconds),
          feasible: integer(feasible),
        });
      }
    }
  };
  return h(
    'p',
    { id: 'search-status', role: 'status', class: search.phase === 'failed' ? 'banner error' : null },
    sentence(),
  );
}

function controls(scene: Scene, search: SearchState): VNode {
  const { setup } = scene.state.estimate;
  const ready = setup.cluster.gpu !== null && setup.cluster.gpus !== null && setup.plan.seqLen !== null;
  const running = search.phase === 'running';
  // The same element starts and cancels, so that the keyboard's focus stays on it.
  const main = running
    ? button('search-button', 'cancelSearch', say('cancel'), { class: 'secondary' })
    : button('search-button', 'search', say(search.phase === 'idle' ? 'searchButton' : 'searchAgain'), {
        'aria-disabled': ready ? null : 'true',
        'aria-describedby': ready ? null : 'search-needs',
      });
  return h(
    'div',
    { id: 'search-controls' },
    h(
      'div',
      { class: 'buttons' },
      main,
      running ? progress(scene, search.evaluated, search.candidates) : batchBox(scene),
    ),
    !running && goalBox(scene),
    !ready && h('p', { id: 'search-needs', class: 'note' }, say('searchNeeds')),
  );
}

/** The search does not know how many layouts there are before it has looked at them all, so the bar has no end. */
function progress({ formats }: Scene, evaluated: number, candidates: number): VNode {
  const counts = { evaluated: formats.integer(evaluated), candidates: formats.integer(candidates) };
  const text = say('searchProgress', counts);
  return h(
    'div',
    { id: 'search-progress', class: 'progress' },
    h('progress', { 'aria-label': text }),
    h('span', { class: 'note' }, text),
  );
}

function found(scene: Scene, result: SearchDocument): VNode {
  const { best, elsewhere, whatIfs, layouts, scale, rejections } = result;
  const framework = scene.state.framework ?? say('thisFramework');
  return h(
    'div',
    { id: 'found' },
    best.length === 0
      ? h('p', {}, say('searchNothing'))
      : [
          h('h3', {}, say('bestHeading')),
          comparison(scene, result),
          instead(scene, result),
          candidateList(scene, 'best', best, result.current),
        ],
    elsewhere.length > 0 && [
      h('h3', {}, say('elsewhereHeading', { framework })),
      h('p', { class: 'note' }, say('elsewhereText')),
      candidateList(scene, 'elsewhere', elsewhere, result.current),
    ],
    whatIfs.length > 0 && [h('h3', {}, say('whatIfsHeading')), whatIfTable(scene, whatIfs)],
    layouts.length > 0 && explorer(scene, result),
    scale !== null && scaleFigure(scene, scale),
    furtherFacts(scene, result),
    rejections.length > 0 &&
      disclosure(scene, 'rejections', say('rejectionsHeading'), rejectionTable(scene, rejections)),
  );
}

/** What to run, where that is not the first of the best. */
function instead(scene: Scene, { best, recommended, current }: SearchDocument): VNode[] {
  if (recommended === null || recommended.planString === best[0].planString) return [];
  const rank = best.findIndex(({ planString }) => planString === recommended.planString) + 1;
  return [
    h('h3', {}, say('recommendedHeading')),
    h('p', { class: 'note' }, say('recommendedText')),
    candidateList(scene, 'recommended', [recommended], current, Math.max(1, rank)),
    h('h3', {}, say('fastestHeading')),
  ];
}

function rejectionTable({ formats }: Scene, rejections: readonly RejectionDocument[]): VNode {
  return table(
    'rejection-table',
    say('rejectionsTable'),
    [{ head: say('rule') }, { head: say('count'), numeric: true }, { head: say('example') }],
    rejections.map(({ code, count, example }) => [
      h('code', {}, ruleName(code)),
      formats.integer(count),
      h('div', {}, example.message, h('div', { class: 'note plan' }, h('code', {}, example.planString))),
    ]),
  );
}

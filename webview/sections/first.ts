/** The one thing to change first: what is unknown, what is broken, or the best single change. */
import { h, type VNode } from '../dom';
import { button, type Scene, section } from '../parts';
import { say } from '../words';
import { changes } from './candidate';

/** Nothing while another plan is tried out: the advice is for the file. */
export function firstSection(scene: Scene): VNode | null {
  const { state, base, first } = scene;
  if (base !== null || state.setup === undefined) return null;
  const { problems, throughput, memory } = state.estimate;
  const heading = say('firstHeading');
  const error = problems.find(({ severity, code }) => severity === 'error' && code !== 'out-of-memory');
  if (error !== undefined) return section('first', heading, h('p', {}, say('firstError', { message: error.message })));
  if (throughput.stepSeconds === null) return section('first', heading, h('p', {}, say('firstUnknown')));
  if (first === undefined) return section('first', heading, h('p', { role: 'status' }, say('firstLooking')));
  const toSearch = button('first-search', 'searchAll', say('firstSearch'), { class: 'secondary' });
  if (first === null) {
    const words = { framework: state.framework ?? say('thisFramework') };
    const text = say(memory.fits === false ? 'firstCannotFit' : 'firstNothing', words);
    return section('first', heading, h('p', {}, text), h('div', { class: 'buttons' }, toSearch));
  }
  // dp follows from the others.
  const asked = first.changes.filter(({ key, after }) => key !== 'dp' && after !== null);
  const text = asked.map(({ key, after }) => `${key}=${after ?? ''}`).join(',');
  return section(
    'first',
    heading,
    h('p', {}, first.message),
    changes(first.changes),
    h(
      'div',
      { class: 'buttons' },
      text !== '' &&
        button('first-try', 'tryOut', say('firstTry'), {
          'data-change': text,
          'aria-label': say('firstTryLabel', { changes: text }),
        }),
      state.framework !== null &&
        button('first-apply', 'apply', say('apply'), {
          class: 'secondary',
          'data-plan': first.planString,
          'aria-label': say('applyWhatIf', { changes: text }),
        }),
      toSearch,
    ),
    h('p', { class: 'note' }, say('firstSource')),
  );
}

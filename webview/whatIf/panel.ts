/** The panel in which a plan is tried out: sliders for the degrees, lists for the choices, and what they break. */
import type { EstimateDocument } from '../../src/documents/types';
import { formatPlan, type Plan } from '../../src/engine/plan/keys';
import { h, type VNode } from '../dom';
import { button, disclosure, type Scene } from '../parts';
import { say } from '../words';
import { LISTS, type ListKey, SLIDERS, type SliderKey, sliderValues } from './values';

const WHAT_IF_PANEL = 'what-if-panel';

/** Nothing where the model or its plan is not known well enough to change it. */
export function whatIfPanel(scene: Scene): VNode | null {
  const { state, base, hasEngine } = scene;
  if (state.setup === undefined || state.estimate.parameters === null) return null;
  return h(
    'div',
    { id: 'what-if' },
    disclosure(
      scene,
      WHAT_IF_PANEL,
      say('whatIf'),
      h(
        'div',
        {},
        h('p', { class: 'note' }, say(hasEngine ? 'whatIfHint' : 'whatIfLoading')),
        hasEngine && controls(scene),
      ),
    ),
    // Below the sliders, which must not move away from under the hand.
    base !== null && changedBanner(scene, base),
  );
}

/** What differs from the file, with the two ways out. */
function changedBanner(scene: Scene, base: EstimateDocument): VNode {
  const { state } = scene;
  const { estimate, framework } = state;
  const errors = estimate.problems.filter(({ severity, code }) => severity === 'error' && code !== 'out-of-memory');
  const foreign = estimate.problems
    .filter(({ code }) => code === 'not-expressible')
    .map(({ args }) => String(args.key));
  const applicable = framework !== null && errors.length === 0 && foreign.length === 0;
  return h(
    'div',
    { id: 'what-if-banner', class: 'banner' },
    h('p', { role: 'status' }, say('whatIfSummary', { changes: changesText(base, estimate) })),
    errors.length > 0 &&
      h(
        'div',
        { id: 'what-if-errors', role: 'alert' },
        h('p', {}, say('whatIfProblems')),
        h('ul', { class: 'assumptions' }, ...errors.map(({ message }) => h('li', {}, message))),
      ),
    foreign.length > 0 &&
      h('p', { class: 'note' }, say('whatIfForeign', { framework: framework ?? '', keys: foreign.join(', ') })),
    h(
      'div',
      { class: 'buttons' },
      applicable &&
        button('what-if-apply', 'apply', say('whatIfApply'), {
          'data-plan': formatPlan(estimate.setup.plan),
          'aria-label': say('whatIfApplyLabel'),
        }),
      button('what-if-reset', 'resetWhatIf', say('whatIfReset'), { class: 'secondary' }),
    ),
  );
}

function changesText(before: EstimateDocument, after: EstimateDocument): string {
  const [was, is] = [before.setup.plan, after.setup.plan];
  const text = (value: Plan[keyof Plan]) => (value === null ? say('absent') : String(value));
  const keys = (Object.keys(is) as (keyof Plan)[]).filter(key => String(was[key]) !== String(is[key]));
  const changes = keys.map(key => `${key} ${text(was[key])} → ${text(is[key])}`);
  const [gpusBefore, gpus] = [before.setup.cluster.gpus, after.setup.cluster.gpus];
  if (gpus !== gpusBefore) changes.push(`${say('whatIfGpus')} ${gpusBefore ?? '?'} → ${gpus ?? '?'}`);
  return changes.join(', ');
}

function controls(scene: Scene): VNode {
  const { estimate } = scene.state;
  const { plan, model } = estimate.setup;
  const sliders = SLIDERS.filter(key => plan[key] !== null && (key !== 'ep' || (model.experts ?? 0) > 0));
  const lists = (Object.keys(LISTS) as ListKey[]).filter(key => key !== 'schedule' || (plan.pp ?? 1) > 1);
  return h(
    'div',
    {},
    h('div', { class: 'sliders' }, ...sliders.map(key => slider(scene, key))),
    h('div', { class: 'buttons' }, ...lists.map(key => list(scene, key)), (plan.tp ?? 1) > 1 && spBox(scene)),
  );
}

function slider({ state, base, formats }: Scene, key: SliderKey): VNode {
  const values = sliderValues(key, state.estimate);
  const value = state.estimate.setup.plan[key] ?? values[0];
  const was = (base ?? state.estimate).setup.plan[key];
  const shown = formats.integer(value);
  return h(
    'label',
    { id: `what-if-${key}-label`, class: 'slider' },
    h('span', { class: 'slider-name' }, h('code', {}, key), ' ', h('b', {}, shown)),
    h('input', {
      id: `what-if-${key}`,
      type: 'range',
      min: 0,
      max: values.length - 1,
      step: 1,
      value: values.indexOf(value),
      disabled: values.length === 1,
      'data-what-if': key,
      'aria-label': key,
      'aria-valuetext': say('whatIfSlider', { key, value: shown }),
    }),
    h(
      'span',
      { class: 'note' },
      was === value || was === null ? '' : say('whatIfWas', { value: formats.integer(was) }),
    ),
  );
}

function list({ state }: Scene, key: ListKey): VNode {
  const value = state.estimate.setup.plan[key];
  return h(
    'label',
    { class: 'choice' },
    h('code', {}, key),
    h(
      'select',
      { id: `what-if-${key}`, 'data-what-if': key },
      ...LISTS[key]
        .filter(option => key !== 'schedule' || option !== 'none')
        .map(option => h('option', { value: option, selected: option === value }, option)),
    ),
  );
}

function spBox({ state }: Scene): VNode {
  return h(
    'label',
    { class: 'checkbox' },
    h('input', {
      id: 'what-if-sp',
      type: 'checkbox',
      'data-what-if': 'sp',
      checked: state.estimate.setup.plan.sp === true,
    }),
    h('code', {}, 'sp'),
  );
}

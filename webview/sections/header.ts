/** What is estimated: the model, the machines, the files and the plan. */
import type { Plan } from '../../src/engine/plan/keys';
import { h, type VNode } from '../dom';
import { button, type Scene } from '../parts';
import { say } from '../words';

/** Keys that always show, with unknown ones as such; others show where they are not at rest. */
const ALWAYS: readonly (keyof Plan)[] = ['dp', 'tp', 'pp', 'microBatch', 'globalBatch', 'seqLen'];
const OTHERS: readonly (keyof Plan)[] = [
  'cp',
  'ep',
  'vpp',
  'schedule',
  'sharding',
  'recompute',
  'dtype',
  'optimizer',
  'offload',
  'adapter',
];
const AT_REST: readonly unknown[] = [null, false, 1, 'none'];

export function header(scene: Scene): VNode {
  const { state, formats } = scene;
  const { setup, parameters } = state.estimate;
  const { gpu, gpus, nodes } = setup.cluster;
  const isSparse = parameters !== null && parameters.active !== parameters.total;
  const lines = [
    parameters && say('parametersOf', { count: formats.count(parameters.total) }),
    isSparse && say('activeOf', { count: formats.count(parameters.active) }),
    gpu !== null && say('gpusOf', { count: gpus === null ? '?' : formats.integer(gpus), gpu }),
    nodes !== null && nodes > 1 && say('nodesOf', { count: formats.integer(nodes) }),
    state.framework,
  ].filter(line => typeof line === 'string');
  return h(
    'header',
    { id: 'top' },
    h(
      'div',
      { class: 'title-row' },
      h('h1', {}, setup.model.name ?? say('untitledModel')),
      h(
        'div',
        { class: 'title-buttons' },
        button('save-report', 'saveReport', say('saveReport'), { class: 'secondary' }),
        button('export', 'exportMarkdown', say('exportMarkdown'), { class: 'secondary' }),
      ),
    ),
    h('p', { class: 'facts-line' }, lines.join(' · ')),
    h('p', { class: 'note' }, say('filesOf', { files: state.files.join(', ') })),
    planList(scene),
  );
}

function planList({ state, base, formats }: Scene): VNode {
  const { plan } = state.estimate.setup;
  const was = base?.setup.plan ?? plan;
  const isChanged = (key: keyof Plan) => String(was[key]) !== String(plan[key]);
  const shown = [...ALWAYS, ...OTHERS.filter(key => !AT_REST.includes(plan[key]) || isChanged(key))];
  const text = (key: keyof Plan) => {
    const value = plan[key];
    if (value === null) return say('notKnown');
    return typeof value === 'number' ? formats.integer(value) : String(value);
  };
  return h(
    'ul',
    { class: 'chips', 'aria-label': say('planHeading') },
    ...shown.map(key =>
      h(
        'li',
        { class: plan[key] === null ? 'unknown' : isChanged(key) ? 'changed' : null },
        h('span', {}, key),
        ' ',
        h('b', {}, text(key)),
      ),
    ),
  );
}

export function staleBanner({ state }: Scene): VNode {
  const text = state.stale ? h('p', { class: 'banner warning' }, say('stale')) : null;
  return h('div', { id: 'stale', role: 'status' }, text);
}

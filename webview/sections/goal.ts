/** What a search is asked for: its objective, the training that the plan is for, and whether to look at other numbers of GPUs. */
import { OBJECTIVES, SCALES } from '../../src/engine/search/objective';
import type { SearchAsk } from '../../src/protocol/searchAsk';
import { h, type VNode } from '../dom';
import { button, disclosure, type Scene } from '../parts';
import { say, type WordKey } from '../words';

/** Ids of the controls. */
const FREE_BATCH = 'free-batch';
const OBJECTIVE = 'goal-objective';
const TOKENS = 'goal-tokens';
const DAYS = 'goal-days';
const CRITICAL = 'goal-critical';
const SCALE = 'goal-scale';

const BILLION = 1e9;
const MILLION = 1e6;
const SECONDS_A_DAY = 86_400;

/** What the controls say; a box that is empty or says no number above 0 states nothing. */
export function searchAsk({ open, chosen }: Pick<Scene, 'open' | 'chosen'>): SearchAsk {
  const amount = (id: string, unit: number) => {
    const value = Number(chosen.get(id) ?? '') * unit;
    return Number.isFinite(value) && value > 0 ? value : null;
  };
  return {
    freeBatch: open.has(FREE_BATCH),
    objective: OBJECTIVES.find(name => name === chosen.get(OBJECTIVE)) ?? 'throughput',
    tokens: amount(TOKENS, BILLION),
    deadline: amount(DAYS, SECONDS_A_DAY),
    criticalBatch: amount(CRITICAL, MILLION),
    scale: SCALES.find(name => name === chosen.get(SCALE)) ?? null,
  };
}

export function goalBox(scene: Scene): VNode {
  const ask = searchAsk(scene);
  const content = h(
    'div',
    { id: 'goal' },
    list(
      OBJECTIVE,
      'goalObjective',
      ask.objective,
      OBJECTIVES.map(name => [name, say(`objective-${name}`)]),
    ),
    number(scene, TOKENS, 'goalTokens'),
    number(scene, DAYS, 'goalDays'),
    number(scene, CRITICAL, 'goalCritical'),
    list(SCALE, 'goalScale', ask.scale ?? '', [
      ['', say('scale-none')],
      ...SCALES.map(name => [name, say(`scale-${name}`)] as const),
    ]),
    h(
      'p',
      { class: 'note' },
      say('goalNote'),
      ' ',
      button('goal-prices', 'setPrice', say('goalPrices'), { class: 'link' }),
    ),
  );
  return disclosure(scene, 'search-goal', say('goalHeading'), content);
}

function list(
  id: string,
  label: WordKey,
  chosen: string,
  options: readonly (readonly [value: string, text: string])[],
): VNode {
  const items = options.map(([value, text]) => h('option', { value, selected: value === chosen }, text));
  return h('label', { class: 'choice' }, say(label), h('select', { id, 'data-choice': true }, ...items));
}

function number({ chosen }: Scene, id: string, label: WordKey): VNode {
  const value = chosen.get(id) ?? '';
  const input = h('input', { id, type: 'number', min: 0, step: 'any', value, 'data-choice': true });
  return h('label', { class: 'choice' }, say(label), input);
}

export function batchBox({ open }: Scene): VNode {
  return h(
    'label',
    { id: 'free-batch-label', class: 'checkbox' },
    h('input', {
      id: FREE_BATCH,
      type: 'checkbox',
      'data-action': 'toggle',
      'data-target': FREE_BATCH,
      checked: open.has(FREE_BATCH),
    }),
    ` ${say('freeBatch')}`,
  );
}

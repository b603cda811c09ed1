/** Named values one under the other; each that was computed opens to show how. */
import { h, styled, type VNode } from './dom';
import { type Scene, toggle } from './parts';
import { type Explanation, explanationPanel } from './sections/explanation';

/** How a value comes about: its explanation under an id of the page's own, or that the plan or a datasheet gives it. */
export type How = { readonly id: string; readonly explanation: () => Explanation } | 'given';

export interface Fact {
  readonly name: string;
  readonly value: string;
  readonly how: How;
  readonly note?: string | null;
  /** A bar beside the value, from 0 to 1, so that facts compare at a glance. */
  readonly share?: number;
  /** Class of the bar's colour and pattern. */
  readonly swatch?: string;
}

export function facts(scene: Scene, list: readonly Fact[]): VNode {
  return h(
    'dl',
    { class: 'facts' },
    list.map(fact => {
      const { name, value, note, share, swatch, how } = fact;
      return h(
        'div',
        {},
        h('dt', {}, name, note ? h('span', { class: 'note' }, note) : null),
        how === 'given' ? h('dd', { 'data-given': true }, value) : h('dd', {}, opener(scene, fact, how.id)),
        share === undefined ? null : bar(share, swatch),
        how === 'given' ? null : panel(scene, fact, how),
      );
    }),
  );
}

function opener(scene: Scene, { name, value }: Fact, id: string): VNode {
  return toggle(scene, `how-${id}`, value, value, `${name}: ${value}`);
}

function panel(scene: Scene, { name, value }: Fact, { id, explanation }: Exclude<How, 'given'>): VNode {
  const target = `how-${id}`;
  return h(
    'dd',
    { class: 'opened-fact' },
    scene.open.has(target)
      ? explanationPanel(scene, target, `${name}: ${value}`, explanation())
      : h('div', { id: target, hidden: true }),
  );
}

function bar(share: number, swatch = ''): VNode {
  return h(
    'div',
    { class: 'bar', 'aria-hidden': 'true' },
    styled({ width: `${Math.min(Math.max(share, 0), 1) * 100}%` }, h('div', { class: swatch })),
  );
}

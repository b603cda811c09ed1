/** How a number comes about: the formula, the same with the values in it, what binds it, and what kind of number it is. */
import { h, type VNode } from '../dom';
import { type Scene, toggle } from '../parts';
import { say } from '../words';

export interface Explanation {
  readonly formula: string;
  readonly values: string;
  readonly kind: string;
  readonly binds?: string;
}

export function explanationPanel({ open }: Scene, id: string, title: string, explanation: Explanation): VNode {
  const { formula, values, kind, binds } = explanation;
  const line = (term: string, text: string, name = '') =>
    h('div', { class: name }, h('dt', {}, term), h('dd', {}, text));
  return h(
    'div',
    { id, class: 'explanation', hidden: !open.has(id) },
    h('h3', {}, title),
    h(
      'dl',
      {},
      line(say('formula'), formula),
      line(say('values'), values, 'values'),
      binds !== undefined && line(say('bound'), binds),
      line(say('kind'), kind),
    ),
  );
}

export interface Explained {
  readonly id: string;
  readonly name: string;
  readonly value: string;
  /** Made only where it is open. */
  readonly explanation: () => Explanation;
}

/** Figures that open, one under the other. */
export function explanationList(
  scene: Scene,
  id: string,
  list: readonly Explained[],
  choice: VNode | null = null,
): VNode | null {
  if (list.length === 0) return null;
  const item = (one: Explained) => {
    const target = `how-${one.id}`;
    const text = `${one.name}: ${one.value}`;
    const panel = scene.open.has(target)
      ? explanationPanel(scene, target, text, one.explanation())
      : h('div', { id: target, hidden: true });
    return h('li', {}, toggle(scene, target, text, text), panel);
  };
  return h(
    'div',
    { id, class: 'how-each' },
    h('h3', { id: `${id}-heading` }, say('explainHeading')),
    choice,
    h('ul', { class: 'explained', 'aria-labelledby': `${id}-heading` }, ...list.map(item)),
  );
}

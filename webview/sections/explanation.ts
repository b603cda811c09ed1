/** How a number comes about: the formula, the same with the values in it, what binds it, and what kind of number it is. */
import { h, type VNode } from '../dom';
import type { Scene } from '../parts';
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

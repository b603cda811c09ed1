/** The tabs of the pages: one is in the order of the keyboard, arrows move among them (WAI-ARIA tabs pattern). */
import { h, type VNode } from './dom';
import { PAGES } from './pages';
import { say } from './words';

export const TABS = 'tabs';

export const tabId = (page: string): string => `tab-${page}`;

export function navigation(shown: string): VNode {
  return h(
    'div',
    { id: TABS, role: 'tablist', 'aria-label': say('pagesLabel') },
    ...PAGES.map(({ id, title }) =>
      h(
        'button',
        {
          id: tabId(id),
          type: 'button',
          role: 'tab',
          'data-action': 'showPage',
          'data-target': id,
          'aria-selected': String(id === shown),
          'aria-controls': `page-${id}`,
          tabindex: id === shown ? '0' : '-1',
        },
        say(title),
      ),
    ),
  );
}

/** The page that a key on a tab leads to; null where the key means nothing here. */
export function pageByKey(key: string, shown: string): string | null {
  const at = PAGES.findIndex(({ id }) => id === shown);
  const count = PAGES.length;
  const to = {
    ArrowRight: (at + 1) % count,
    ArrowLeft: (at + count - 1) % count,
    Home: 0,
    End: count - 1,
  }[key];
  return to === undefined ? null : PAGES[to].id;
}

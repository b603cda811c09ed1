/** The whole document: what is estimated, the navigation, and the page that is chosen. */
import { h, type VNode } from './dom';
import { navigation, tabId } from './navigation';
import { PAGES, shownPage } from './pages';
import type { Scene } from './parts';
import { header, staleBanner } from './sections/header';
import { whatIfPanel } from './whatIf/panel';

export function page(scene: Scene): VNode {
  const shown = shownPage(scene.chosen);
  return h(
    'main',
    { id: 'page', class: scene.state.stale ? 'stale' : null },
    header(scene),
    staleBanner(scene),
    whatIfPanel(scene),
    navigation(shown.id),
    ...PAGES.map(({ id, sections }) =>
      // A page that is not shown keeps what it holds, as it was, until it is shown again.
      h(
        'div',
        {
          id: `page-${id}`,
          class: 'page',
          role: 'tabpanel',
          'aria-labelledby': tabId(id),
          hidden: id !== shown.id,
          'data-own': id !== shown.id,
        },
        id === shown.id ? sections(scene) : null,
      ),
    ),
  );
}

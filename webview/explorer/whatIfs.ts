/** What one change alone would do to the present plan, the best first. */
import type { WhatIfDocument } from '../../src/documents/types';
import { h, type VNode } from '../dom';
import { button, type Scene, table } from '../parts';
import { changes } from '../sections/candidate';
import { say } from '../words';

/** Rows drawn at first. */
const FEW = 6;
const ALL = 'what-if-all';

export function whatIfTable(scene: Scene, whatIfs: readonly WhatIfDocument[]): VNode {
  const { formats, open } = scene;
  const all = open.has(ALL);
  const words = (whatIf: WhatIfDocument) =>
    whatIf.changes.map(({ key, after }) => `${key} ${after ?? say('absent')}`).join(', ');
  const rows = whatIfs.slice(0, all ? undefined : FEW).map((whatIf, index) => [
    changes(whatIf.changes),
    formats.times(whatIf.speedup),
    formats.seconds(whatIf.stepSeconds),
    formats.bytes(whatIf.peakBytes),
    say(whatIf.fits ? 'fits' : 'doesNotFit'),
    whatIf.applicable
      ? button(`what-if-${index + 1}-apply`, 'apply', say('apply'), {
          class: 'link',
          'data-plan': whatIf.planString,
          'aria-label': say('applyWhatIf', { changes: words(whatIf) }),
        })
      : say('notHere', { framework: scene.state.framework ?? say('thisFramework') }),
    button(`what-if-${index + 1}-prove`, 'prove', say('prove'), {
      class: 'link',
      'data-plan': whatIf.planString,
      'aria-label': say('proveWhatIf', { changes: words(whatIf) }),
    }),
  ]);
  return h(
    'div',
    {},
    h('p', { class: 'note' }, say('whatIfsText')),
    table(
      'what-if-table',
      say('whatIfsTable'),
      [
        { head: say('change') },
        { head: say('speedup'), numeric: true },
        { head: say('stepTime'), numeric: true },
        { head: say('peak'), numeric: true },
        { head: say('fit') },
        { head: say('applyHead') },
        { head: say('prove') },
      ],
      rows,
    ),
    whatIfs.length > FEW &&
      button('what-if-more', 'toggle', say(all ? 'showFew' : 'showAll', { count: formats.integer(whatIfs.length) }), {
        class: 'link',
        'data-target': ALL,
        'aria-controls': 'what-if-table',
      }),
  );
}

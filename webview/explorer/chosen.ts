/** One layout beside the present plan. */
import { planDifferences } from '../../src/documents/planDifferences';
import type { PartChange, SearchDocument } from '../../src/documents/types';
import { TIME_PARTS } from '../../src/engine/estimate/output';
import { h, type VNode } from '../dom';
import { button, type Scene, table } from '../parts';
import { changes, partTable } from '../sections/candidate';
import { say } from '../words';
import type { Row } from './rows';
import { ROW } from './shown';

/** The row whose text is in the clipboard. */
export const COPIED = 'explorer-copied';
export const NOT_COPIED = '';

export function comparisonOf(scene: Scene, document: SearchDocument, row: Row): VNode {
  const { candidate, planString } = row;
  const parts = candidate?.parts ?? partsOf(scene, row);
  return h(
    'section',
    { id: 'explorer-chosen', class: 'candidate', 'aria-labelledby': 'explorer-chosen-heading', 'aria-live': 'polite' },
    h('h4', { id: 'explorer-chosen-heading' }, say('chosenHeading')),
    h('code', { class: 'plan' }, planString),
    changes(candidate?.changes ?? planDifferences(document.current.planString, planString)),
    h(
      'div',
      { class: 'split even' },
      figures(scene, document, row),
      parts.length === 0 ? h('p', { class: 'note' }, say('noParts')) : partTable(scene, 'explorer-chosen', { parts }),
    ),
    h(
      'div',
      { class: 'buttons' },
      !row.applicable
        ? h('p', { class: 'note' }, say('notHere', { framework: scene.state.framework ?? say('thisFramework') }))
        : button('explorer-apply', 'apply', say('apply'), {
            'data-plan': planString,
            'aria-label': say('applyWhatIf', { changes: planString }),
          }),
      button('explorer-prove', 'prove', say('prove'), {
        class: 'secondary',
        'data-plan': planString,
        'aria-label': say('proveWhatIf', { changes: planString }),
      }),
      button('explorer-copy', 'copyRow', say('copyRow'), { class: 'secondary' }),
      button('explorer-close', 'choose', say('close'), { class: 'secondary', 'data-target': ROW }),
      h('span', { id: 'explorer-copied', role: 'status', class: 'note' }, copyNote(scene, row)),
    ),
  );
}

/** Parts of the step that differ from the file's own, the largest difference first. */
function partsOf({ base, state }: Scene, { time }: Row): PartChange[] {
  const present = (base ?? state.estimate).time;
  if (time === null) return [];
  const difference = ({ beforeSeconds, afterSeconds }: PartChange) => Math.abs(afterSeconds - beforeSeconds);
  return TIME_PARTS.map(part => ({ part, beforeSeconds: present[part] ?? 0, afterSeconds: time[part] }))
    .filter(change => difference(change) > 0)
    .sort((a, b) => difference(b) - difference(a));
}

function copyNote({ chosen }: Scene, { planString }: Row): string {
  const note = chosen.get(COPIED);
  if (note === NOT_COPIED) return say('notCopied');
  return note === planString ? say('copied') : '';
}

function figures({ formats }: Scene, { current, setup }: SearchDocument, row: Row): VNode {
  const { seconds, integer, percent, bytes } = formats;
  const gpus = setup.cluster.gpus ?? 1;
  const { stepSeconds, tokensPerSecondPerGpu: tokens, mfu } = current.throughput;
  const line = (name: string, before: number | null, after: number | null, format: (value: number) => string) => [
    name,
    before === null ? say('unknownValue') : format(before),
    after === null ? say('unknownValue') : format(after),
  ];
  return table(
    'explorer-figures',
    say('chosenHeading'),
    [{ head: say('figure') }, { head: say('before'), numeric: true }, { head: say('after'), numeric: true }],
    [
      line(say('stepTime'), stepSeconds, row.stepSeconds, seconds),
      line(say('tokensAll'), tokens === null ? null : tokens * gpus, row.tokensPerSecond, integer),
      line(say('mfu'), mfu, row.mfu, percent),
      line(say('peak'), current.memory.peakBytes, row.peakBytes, bytes),
      line(say('bubbleFraction'), current.bubbleFraction, row.bubbleFraction, percent),
    ],
  );
}

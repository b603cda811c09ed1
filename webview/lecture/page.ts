/** The page as data: the demonstration, its present scene with a row a rank, and what the lecture prints there. */
import type { LectureScene } from '../../src/documents/lectureScenes';
import { LECTURE_PAGES, type LecturePageName, type LectureState } from '../../src/protocol/lecture';
import { h, type VNode } from '../dom';
import { table } from '../parts';
import { tell } from './words';

/** What the page shows. */
export interface Shown {
  readonly demo: LecturePageName;
  readonly state: LectureState | null;
  readonly scene: number;
  readonly playing: boolean;
  readonly stillness: boolean;
}

export function lecturePage(shown: Shown): VNode {
  const { state } = shown;
  return h(
    'main',
    { id: 'lecture', 'data-still': shown.stillness },
    h('h1', {}, tell('title')),
    h('p', { class: 'note' }, tell('source')),
    demoList(shown),
    state?.phase === 'done' ? scenes(shown, state.scenes) : waiting(state),
  );
}

function demoList({ demo }: Shown): VNode {
  const options = LECTURE_PAGES.map(name =>
    h('option', { value: name, selected: name === demo }, tell(`demo-${name}`)),
  );
  return h(
    'div',
    { id: 'lecture-demo', class: 'buttons' },
    h('label', { class: 'choice' }, tell('demo'), h('select', { id: 'demo' }, ...options)),
  );
}

function waiting(state: LectureState | null): VNode {
  const failed = state?.phase === 'failed';
  const text = failed ? tell('failed', { message: state.message }) : tell('running');
  return h('p', { id: 'lecture-waiting', role: 'status', class: failed ? 'banner error' : null }, text);
}

function scenes(shown: Shown, all: readonly LectureScene[]): VNode {
  const scene = all[shown.scene];
  const place = tell('place', { step: shown.scene + 1, steps: all.length });
  return h(
    'section',
    { id: 'lecture-scene', 'aria-labelledby': 'scene-text' },
    controls(shown, all.length, place),
    h(
      'div',
      { id: 'scene-status', role: 'status' },
      h('p', { class: 'note' }, place),
      h('h2', { id: 'scene-text' }, tell(`scene-${scene.code}`, scene.args)),
    ),
    rankTable(scene, all[shown.scene - 1]),
    h('h3', {}, tell('printed')),
    scene.lines.length === 0
      ? h('p', { class: 'note' }, tell('printedNothing'))
      : h(
          'pre',
          { id: 'scene-lines', tabindex: '0', role: 'region', 'aria-label': tell('printed') },
          scene.lines.join('\n'),
        ),
  );
}

function controls({ scene, playing, stillness }: Shown, count: number, place: string): VNode {
  const control = (id: string, text: string, isDisabled: boolean) =>
    h('button', { id, type: 'button', class: 'secondary', 'aria-disabled': isDisabled ? 'true' : null }, text);
  return h(
    'div',
    { id: 'lecture-controls' },
    h(
      'div',
      { class: 'buttons' },
      control('previous', tell('previous'), scene === 0),
      control('next', tell('next'), scene === count - 1),
      !stillness && control('play', tell(playing ? 'pause' : 'play'), !playing && scene === count - 1),
      h('input', {
        id: 'place',
        type: 'range',
        min: 1,
        max: count,
        value: scene + 1,
        'aria-label': place,
        'aria-valuetext': place,
      }),
    ),
    h('p', { class: 'note' }, tell('keys'), stillness && ` ${tell('noPlay')}`),
  );
}

/** Cells that differ from the scene before are marked, where that has the same columns. */
function rankTable({ columns, ranks, code, args }: LectureScene, before: LectureScene | undefined): VNode {
  const at = (rank: number, column: number): string | null => {
    const place = before?.columns.indexOf(columns[column]) ?? -1;
    return place < 0 ? null : (before?.ranks[rank]?.[place] ?? null);
  };
  const isBeginning = code === 'start' || args['op'] !== before?.args['op'];
  const rows = ranks.map((texts, rank) => [
    String(rank),
    ...texts.map((text, column) => {
      const old = at(rank, column);
      const isNew = !isBeginning && old !== null && old !== text;
      return text === '' ? '' : h('code', { class: isNew ? 'changed' : null }, text);
    }),
  ]);
  const heads = [{ head: tell('rank') }, ...columns.map(column => ({ head: tell(`column-${column}`) }))];
  return table('scene-ranks', tell('ranksTable'), heads, rows);
}

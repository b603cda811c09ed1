/** A lane's figures, notes and tables as nodes. */
import { type Child, h, styled, type VNode } from '../dom';
import { table } from '../parts';
import { factsOf, isWarning } from './facts';
import { type Model, stageOfSlot } from './model';
import { fullestStage, type Run } from './run';
import { PASS_NAMES } from './trace';
import { factText, say, scheduleName, type TimelineFormats, type TimelineWord } from './words';

/** `explained`: with a sentence on each. */
export function figures(run: Run, formats: TimelineFormats, explained: boolean): VNode {
  const { simulation, inFlight, bytes, input } = run;
  const { seconds, percent, number } = formats;
  const peak = Math.max(...inFlight);
  const explain = (word: TimelineWord) => (explained ? say(word) : '');
  return h(
    'dl',
    { class: 'timeline-figures' },
    figure(say('makespan'), seconds(simulation.makespan), explain('makespanNote')),
    figure(say('bubble'), percent(simulation.bubbleFraction), explain('bubbleNote')),
    figure(say('spanBubble'), percent(simulation.spanBubbleFraction), explain('spanBubbleNote')),
    figure(say('inFlight'), number(peak), say('inFlightNote', { stage: inFlight.indexOf(peak) })),
    bytes === null
      ? figure(say('activations'), say('activationsUnknown'), explain('activationsUnknownNote'))
      : activations(Math.max(...bytes), fullestStage(run), input.capacityBytes, formats),
  );
}

function activations(peak: number, stage: number, capacity: number | null, { bytes }: TimelineFormats): VNode {
  const name = say('activations');
  const note = say('activationsNote', { stage });
  if (capacity === null) return figure(name, bytes(peak), note);
  const value = say('activationsOf', { bytes: bytes(peak), capacity: bytes(capacity) });
  const share = Math.min(peak / capacity, 1);
  const bar = h(
    'div',
    { class: 'timeline-meter', 'aria-hidden': 'true' },
    styled({ width: `${share * 100}%` }, h('div')),
  );
  return figure(name, value, note, peak > capacity ? 'over' : 'fits', bar);
}

function figure(name: string, value: string, note: string, kind = '', extra: Child | null = null): VNode {
  return h(
    'div',
    { class: `timeline-figure ${kind}` },
    h('dt', {}, name),
    h('dd', { class: 'value' }, value),
    extra && h('dd', {}, extra),
    note !== '' && h('dd', { class: 'note' }, note),
  );
}

export function notes(run: Run, formats: TimelineFormats): VNode[] {
  const list = factsOf(run);
  if (list.length === 0) return [];
  const name = scheduleName(run.input.schedule);
  return [
    h(
      'ul',
      { class: 'timeline-notes', 'aria-label': say('notes', { name }) },
      list.map(fact =>
        h(
          'li',
          { class: isWarning(fact) ? 'warning' : null, 'data-code': fact.code },
          h('span', { class: 'kind' }, say(isWarning(fact) ? 'warning' : 'note')),
          ' ',
          factText(fact, formats),
        ),
      ),
    ),
  ];
}

/** More passes than this no one reads in a list. */
export const MOST_LISTED = 2000;

/** The drawing's twin. Where it is not `shown` it is for screen readers alone, and nothing in it takes the focus. */
export function tables(
  model: Model,
  id: string,
  formats: TimelineFormats,
  { shown, withPasses }: { shown: boolean; withPasses: boolean },
): VNode[] {
  const name = scheduleName(model.run.input.schedule);
  const count = formats.integer(model.run.order.pass.length);
  const passes =
    model.run.order.pass.length > MOST_LISTED
      ? h('p', { class: 'note' }, say('passesTooMany', { name, count }))
      : h(
          'details',
          { id: `${id}-passes`, open: withPasses },
          h('summary', {}, say('passList', { name, count })),
          withPasses && passTable(model, id, formats),
        );
  const stages = stageTable(model, id, formats, shown);
  return shown ? [h('h4', {}, name), stages, passes] : [stages];
}

function stageTable({ run }: Model, id: string, formats: TimelineFormats, reachable: boolean): VNode {
  const { seconds, number, bytes, integer } = formats;
  const { busy, idle, span } = run.simulation;
  const columns = [say('busy'), say('idleTime'), say('span'), say('inFlight')];
  if (run.bytes !== null) columns.push(say('activations'));
  const rows = [...run.inFlight].map((peak, stage) => {
    const cells = [integer(stage), seconds(busy[stage]), seconds(idle[stage]), seconds(span[stage]), number(peak)];
    return run.bytes === null ? cells : [...cells, bytes(run.bytes[stage])];
  });
  const heads = [{ head: say('stageColumn') }, ...columns.map(head => ({ head, numeric: true }))];
  const caption = say('stageTable', { name: scheduleName(run.input.schedule) });
  return table(`${id}-stages`, caption, heads, rows, { reachable });
}

function passTable(model: Model, id: string, { seconds, integer }: TimelineFormats): VNode {
  const { order, simulation } = model.run;
  const rows = [...order.pass].map((kind, slot) => [
    PASS_NAMES[kind as keyof typeof PASS_NAMES],
    integer(stageOfSlot(model, slot)),
    integer(order.microBatch[slot]),
    integer(order.chunk[slot]),
    seconds(simulation.start[slot]),
    seconds(simulation.end[slot]),
  ]);
  const heads = [say('stageColumn'), say('microBatch'), say('chunk'), say('start'), say('end')];
  const columns = [{ head: say('pass') }, ...heads.map(head => ({ head, numeric: true }))];
  return table(`${id}-list`, say('passTable', { name: scheduleName(order.schedule) }), columns, rows);
}

const KINDS = [
  [{ name: 'F', word: 'forward' }],
  [
    { name: 'B', word: 'backwardInput' },
    { name: 'BW', word: 'backward' },
  ],
  [{ name: 'W', word: 'backwardWeight' }],
] as const;

/** The kinds of pass that are there, by occupant; their swatches are drawn by drawSwatches. */
export function legend(runs: readonly Run[]): VNode {
  const isPresent = ({ name }: { name: string }) =>
    runs.some(({ order }) => order.pass.some(kind => PASS_NAMES[kind as keyof typeof PASS_NAMES] === name));
  const items = KINDS.map((kinds, occupant) => {
    const present = kinds.filter(isPresent);
    const swatch = h('canvas', { class: 'swatch', 'data-occupant': occupant, 'aria-hidden': 'true' });
    return (
      present.length > 0 &&
      h(
        'li',
        {},
        swatch,
        present.map(({ name, word }) => [h('b', {}, name), say(word)]),
      )
    );
  });
  return h(
    'ul',
    { class: 'timeline-legend', 'aria-label': say('legend') },
    items,
    h('li', {}, h('span', { class: 'swatch idle', 'aria-hidden': 'true' }), say('idle')),
    runs.some(({ order }) => order.chunks > 1) && h('li', {}, say('chunks')),
  );
}

/** The controls above the lanes: what to compare with, how close to look. Below them: the tables, files to take along. */
import type { ScheduleName } from '../../src/engine/plan/keys';
import { h, type VNode } from '../dom';
import { type Choice, choices, type TimelineInput } from './run';
import { ruleText, say, scheduleName } from './words';

const ZOOMS = ['zoomOut', 'zoomIn', 'fit'] as const;
const SAVES = { savePicture: 'png', saveCsv: 'csv', saveJson: 'json', saveTrace: 'trace' } as const;
export type Command = (typeof ZOOMS)[number] | keyof typeof SAVES | 'toggleTables';

export const COMPARE = 'timeline-compare';

/** `chosen` is the schedule of the second lane. */
export function bar(input: TimelineInput, chosen: ScheduleName | ''): VNode[] {
  return [
    h(
      'div',
      { class: 'timeline-compare' },
      h('label', { for: COMPARE }, say('compareWith')),
      h(
        'select',
        { id: COMPARE },
        h('option', { value: '' }, say('compareNothing')),
        choices(input).map(choice => option(choice, chosen)),
      ),
    ),
    h(
      'div',
      { class: 'timeline-zooms', role: 'group' },
      ZOOMS.map(name => command(name, glyph(name))),
    ),
  ];
}

/** The row that every chart has at its foot. */
export function footBar(tablesShown: boolean, tables: string): VNode {
  const toggle = { class: 'link', 'aria-expanded': String(tablesShown), 'aria-controls': tables };
  return h(
    'div',
    { class: 'figure-bar' },
    command('toggleTables', say(tablesShown ? 'hideTables' : 'showTables'), toggle),
    (Object.keys(SAVES) as (keyof typeof SAVES)[]).map(name =>
      command(name, say(SAVES[name]), { class: 'link', 'data-format': SAVES[name] }),
    ),
  );
}

const glyph = (name: (typeof ZOOMS)[number]): string => ({ zoomOut: '−', zoomIn: '+', fit: say('fit') })[name];

function option({ schedule, rule }: Choice, chosen: ScheduleName | ''): VNode {
  const name = scheduleName(schedule);
  const text = rule === null ? name : say('forbidden', { name, rule: ruleText(rule) });
  return h('option', { value: schedule, disabled: rule !== null, selected: schedule === chosen }, text);
}

function command(name: Command, text: string, attributes: Readonly<Record<string, string>> = {}): VNode {
  const label = name === 'toggleTables' ? null : say(name);
  return h(
    'button',
    {
      type: 'button',
      class: 'secondary',
      'data-timeline': name,
      'aria-label': label,
      title: text === label ? null : label,
      ...attributes,
    },
    text,
  );
}

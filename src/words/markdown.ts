/** An estimate as a Markdown report, for a design review or an issue. */
import type { EstimateDocument } from '../documents/types';
import type { OwnMeasurements } from '../documents/ownMeasurements';
import { TIME_PARTS } from '../engine/estimate/output';
import { glanceRows } from './glance';
import { PART_NAMES } from './explain';
import { ownTables } from './ownReport';
import { OWN_WORDS } from './ownWords';
import { MEMORY_PARTS, REPORT_WORDS } from './reportWords';
import { formatBytes, formatCount, formatInteger, formatPercent, formatSeconds } from './format';

/** @param own what the user measured; left out where there is nothing of it */
export function estimateMarkdown(document: EstimateDocument, files: readonly string[], own?: OwnMeasurements): string {
  const { setup, parameters, problems, assumptions } = document;
  const title = setup.model.name ?? REPORT_WORDS.untitled;
  return [
    `# ${escape(title)}`,
    REPORT_WORDS.from(files.map(file => `\`${file}\``).join(', ')),
    parameters === null
      ? ''
      : REPORT_WORDS.parameterCount(formatCount(parameters.total), formatInteger(parameters.total)),
    planTable(document),
    headline(document),
    memoryTable(document),
    timeTable(document),
    measured(own),
    list(
      REPORT_WORDS.problems,
      problems.map(({ severity, code, message }) => `${REPORT_WORDS[severity]} \`${code}\`: ${escape(message)}`),
    ),
    list(
      REPORT_WORDS.assumptions,
      assumptions.map(({ message }) => escape(message)),
    ),
  ]
    .filter(part => part !== '')
    .join('\n\n')
    .concat('\n');
}

function planTable({ setup: { plan, cluster } }: EstimateDocument): string {
  const shown = { ...cluster, ...plan };
  const entries = Object.entries(shown).filter(([, value]) => value !== null && value !== false && value !== 'none');
  return table(
    [REPORT_WORDS.key, REPORT_WORDS.value],
    entries.map(([key, value]) => [key, String(value)]),
  );
}

function headline(document: EstimateDocument): string {
  const rows = glanceRows(document);
  return rows.length === 0 ? '' : table([REPORT_WORDS.figure, REPORT_WORDS.value], rows);
}

function memoryTable({ memory: { stages } }: EstimateDocument): string {
  if (stages.length === 0) return '';
  const rows = stages.map(stage => [
    String(stage.stage),
    ...MEMORY_PARTS.map(part => formatBytes(stage[part])),
    formatBytes(stage.total),
  ]);
  return table([REPORT_WORDS.stage, ...MEMORY_PARTS.map(part => REPORT_WORDS[part]), REPORT_WORDS.total], rows);
}

function timeTable({ time, throughput }: EstimateDocument): string {
  const step = throughput.stepSeconds;
  if (step === null) return '';
  const rows = TIME_PARTS.filter(part => (time[part] ?? 0) > 0).map(part => [
    PART_NAMES[part],
    formatSeconds(time[part] ?? 0),
    formatPercent((time[part] ?? 0) / step),
  ]);
  return table([REPORT_WORDS.part, REPORT_WORDS.time, REPORT_WORDS.share], rows);
}

function measured(own: OwnMeasurements | undefined): string {
  const tables = own === undefined ? [] : ownTables(own);
  if (tables.length === 0) return '';
  const parts = tables.flatMap(({ caption, head, rows, notes }) => [
    escape(caption),
    table(head, rows),
    ...(notes.length === 0 ? [] : [notes.map(note => `- ${escape(note)}`).join('\n')]),
  ]);
  return [`## ${OWN_WORDS.heading}`, ...parts].join('\n\n');
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escape).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function list(title: string, items: readonly string[]): string {
  return items.length === 0 ? '' : `## ${title}\n\n${items.map(item => `- ${item}`).join('\n')}`;
}

/** Names come from files: they must stay text in a table. */
function escape(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' ');
}

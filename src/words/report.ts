/** An estimate as one HTML file for a design review: charts as inline SVG, their tables, no script, nothing loaded. */
import type { EstimateDocument } from '../documents/types';
import type { OwnMeasurements } from '../documents/ownMeasurements';
import { HIDDEN_PARTS, TIME_PARTS } from '../engine/estimate/output';
import { PART_NAMES } from './explain';
import { formatBytes, formatCount, formatInteger, formatPercent, formatSeconds } from './format';
import { escapeHtml } from './html';
import { language } from './language';
import { memorySvg, timeSvg } from './reportCharts';
import { glanceRows } from './glance';
import { ownTables } from './ownReport';
import { OWN_WORDS } from './ownWords';
import { MEMORY_PARTS, REPORT_WORDS } from './reportWords';

/** @param own what the user measured; left out where there is nothing of it */
export function reportHtml(document: EstimateDocument, files: readonly string[], own?: OwnMeasurements): string {
  const title = document.setup.model.name ?? REPORT_WORDS.untitled;
  const parts = [
    `<h1>${escapeHtml(title)}</h1>`,
    `<p>${REPORT_WORDS.from(files.map(file => `<code>${escapeHtml(file)}</code>`).join(', '))} ${REPORT_WORDS.estimated}</p>`,
    headline(document),
    memory(document),
    time(document),
    communication(document),
    evidence(document),
    measured(own),
    list(
      REPORT_WORDS.problems,
      document.problems.map(({ severity, code, message }) => `${REPORT_WORDS[severity]} (${code}): ${message}`),
    ),
    list(
      REPORT_WORDS.assumptions,
      document.assumptions.map(({ message }) => message),
    ),
    plan(document),
  ];
  return `<!doctype html>
<html lang="${language()}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${parts.filter(part => part !== '').join('\n')}
</main>
</body>
</html>
`;
}

const STYLE = `
:root { color-scheme: light dark; --line: #8886; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 0; }
main { margin: 0 auto; max-width: 860px; padding: 24px; }
h2 { border-top: 1px solid var(--line); margin-top: 32px; padding-top: 16px; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; margin: 12px 0; width: 100%; }
caption { font-weight: 600; text-align: left; }
th, td { border-bottom: 1px solid var(--line); font-weight: 400; padding: 4px 8px 4px 0; text-align: right; vertical-align: top; }
th:first-child, td:first-child { text-align: left; }
thead th { opacity: 0.75; }
svg { fill: currentColor; font: 13px system-ui, sans-serif; height: auto; width: 100%; }
code { overflow-wrap: anywhere; }
div.wide { overflow-x: auto; }
@media print { h2 { break-after: avoid; } svg, tr { break-inside: avoid; } }
`;

function table(caption: string, head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = (row: readonly string[]) =>
    row
      .map((cell, i) => (i === 0 ? `<th scope="row">${escapeHtml(cell)}</th>` : `<td>${escapeHtml(cell)}</td>`))
      .join('');
  return `<div class="wide"><table><caption>${escapeHtml(caption)}</caption><thead><tr>${head
    .map(name => `<th scope="col">${escapeHtml(name)}</th>`)
    .join('')}</tr></thead><tbody>${rows.map(row => `<tr>${cells(row)}</tr>`).join('')}</tbody></table></div>`;
}

function list(title: string, items: readonly string[]): string {
  if (items.length === 0) return '';
  return `<h2>${title}</h2><ul>${items.map(item => `<li>${escapeHtml(item)}</li>`).join('')}</ul>`;
}

function headline(document: EstimateDocument): string {
  const { parameters } = document;
  const rows = glanceRows(document);
  if (parameters !== null)
    rows.unshift([REPORT_WORDS.parameters, `${formatCount(parameters.total)} (${formatInteger(parameters.total)})`]);
  return rows.length === 0 ? '' : table(REPORT_WORDS.glance, [REPORT_WORDS.figure, REPORT_WORDS.value], rows);
}

function memory({ memory: found }: EstimateDocument): string {
  const { stages, peakStage, peakBytes } = found;
  if (stages.length === 0 || peakBytes === null) return '';
  const sentence = REPORT_WORDS.memoryText(String(peakStage ?? 0), formatBytes(peakBytes));
  const rows = stages.map(stage => [
    String(stage.stage),
    ...MEMORY_PARTS.map(part => formatBytes(stage[part])),
    formatBytes(stage.total),
  ]);
  return `<h2>${REPORT_WORDS.memoryHeading}</h2><p>${escapeHtml(sentence)}</p>${memorySvg(found, sentence)}${table(REPORT_WORDS.memoryTable, [REPORT_WORDS.stage, ...MEMORY_PARTS.map(part => REPORT_WORDS[part]), REPORT_WORDS.total], rows)}`;
}

function time(document: EstimateDocument): string {
  const { time: found, throughput } = document;
  const step = throughput.stepSeconds;
  if (step === null) return '';
  const parts = TIME_PARTS.filter(part => (found[part] ?? 0) > 0);
  const largest = parts.reduce((best, part) => ((found[part] ?? 0) > (found[best] ?? 0) ? part : best));
  const sentence = REPORT_WORDS.timeText(formatSeconds(step), PART_NAMES[largest]);
  const rows = parts.map(part => [
    PART_NAMES[part],
    formatSeconds(found[part] ?? 0),
    formatPercent((found[part] ?? 0) / step),
  ]);
  return `<h2>${REPORT_WORDS.timeHeading}</h2><p>${escapeHtml(sentence)}</p>${timeSvg(document, sentence)}${table(REPORT_WORDS.timeTable, [REPORT_WORDS.part, REPORT_WORDS.time, REPORT_WORDS.share], [...rows, [REPORT_WORDS.step, formatSeconds(step), '100 %']])}`;
}

function communication({ time: found, hidden, throughput }: EstimateDocument): string {
  if (throughput.stepSeconds === null) return '';
  const rows = HIDDEN_PARTS.map(axis => ({ axis, exposed: found[`${axis}Exposed`] ?? 0, under: hidden[axis] ?? 0 }))
    .filter(({ exposed, under }) => exposed + under > 0)
    .map(({ axis, exposed, under }) => [axis, formatSeconds(exposed), formatSeconds(under)]);
  return rows.length === 0
    ? ''
    : table(REPORT_WORDS.communicationTable, [REPORT_WORDS.axis, REPORT_WORDS.exposed, REPORT_WORDS.hidden], rows);
}

function evidence({ evidence: found }: EstimateDocument): string {
  if (found === 'none') return `<h2>${REPORT_WORDS.evidence}</h2><p>${REPORT_WORDS.noEvidence}</p>`;
  const rows = found.runs.map(({ id, source, predictedSeconds, measuredSeconds }) => [
    id,
    source,
    formatSeconds(predictedSeconds),
    formatSeconds(measuredSeconds),
    formatPercent(predictedSeconds / measuredSeconds - 1),
  ]);
  return `<h2>${REPORT_WORDS.evidence}</h2>${table(
    REPORT_WORDS.evidenceTable,
    [REPORT_WORDS.run, REPORT_WORDS.source, REPORT_WORDS.predicted, REPORT_WORDS.measured, REPORT_WORDS.deviation],
    rows,
  )}`;
}

function measured(own: OwnMeasurements | undefined): string {
  const tables = own === undefined ? [] : ownTables(own);
  if (tables.length === 0) return '';
  const parts = tables.map(({ caption, head, rows, notes }) => {
    const items = notes.map(note => `<li>${escapeHtml(note)}</li>`).join('');
    return `${table(caption, head, rows)}${items === '' ? '' : `<ul>${items}</ul>`}`;
  });
  return `<h2>${OWN_WORDS.heading}</h2>${parts.join('')}`;
}

function plan({ setup }: EstimateDocument): string {
  const entries = Object.entries({ ...setup.cluster, ...setup.plan }).filter(([, value]) => value !== null);
  return `<h2>${REPORT_WORDS.setup}</h2>${table(
    REPORT_WORDS.setupTable,
    [REPORT_WORDS.key, REPORT_WORDS.value],
    entries.map(([key, value]) => [key, String(value)]),
  )}`;
}

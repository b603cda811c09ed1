/** An estimate as one HTML file for a design review: charts as inline SVG, their tables, no script, nothing loaded. */
import type { EstimateDocument } from '../documents/types';
import { HIDDEN_PARTS, TIME_PARTS } from '../engine/estimate/output';
import { PART_NAMES } from './explain';
import { formatBytes, formatCount, formatInteger, formatPercent, formatSeconds } from './format';
import { escapeHtml } from './html';
import { MEMORY_PARTS, memorySvg, timeSvg } from './reportCharts';

export function reportHtml(document: EstimateDocument, files: readonly string[]): string {
  const title = document.setup.model.name ?? 'Training setup';
  const parts = [
    `<h1>${escapeHtml(title)}</h1>`,
    `<p>From ${files.map(file => `<code>${escapeHtml(file)}</code>`).join(', ')}. All times and sizes are estimated unless they say otherwise.</p>`,
    headline(document),
    memory(document),
    time(document),
    communication(document),
    evidence(document),
    list(
      'Problems',
      document.problems.map(({ severity, code, message }) => `${severity} (${code}): ${message}`),
    ),
    list(
      'Assumptions',
      document.assumptions.map(({ message }) => message),
    ),
    plan(document),
  ];
  return `<!doctype html>
<html lang="en">
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

function headline({ parameters, memory, throughput, bounds, pipeline }: EstimateDocument): string {
  const rows: string[][] = [];
  if (parameters !== null)
    rows.push(['parameters', `${formatCount(parameters.total)} (${formatInteger(parameters.total)})`]);
  if (memory.peakBytes !== null) {
    const capacity =
      memory.capacityBytes === null
        ? ''
        : ` of ${formatBytes(memory.capacityBytes)}: ${memory.fits === true ? 'fits' : 'does not fit'}`;
    const range = `likely ${formatBytes(memory.lowerBytes ?? 0)} to ${formatBytes(memory.upperBytes ?? 0)}`;
    rows.push(['memory of a GPU', `${formatBytes(memory.peakBytes)}${capacity} (${range})`]);
  }
  if (throughput.stepSeconds !== null)
    rows.push(
      [
        'step',
        `${formatSeconds(throughput.stepSeconds)} (${formatSeconds(bounds.lowerSeconds ?? 0)} to ${formatSeconds(bounds.upperSeconds ?? 0)} with ${formatPercent(bounds.coverage ?? 0)} confidence)`,
      ],
      ['tokens/s a GPU', formatInteger(throughput.tokensPerSecondPerGpu ?? 0)],
      ['MFU', `${formatPercent(throughput.mfu ?? 0)} (convention ${throughput.convention ?? 'unknown'})`],
      ['bubble', formatPercent(pipeline.bubbleFraction ?? 0)],
    );
  return rows.length === 0 ? '' : table('At a glance', ['figure', 'value'], rows);
}

function memory({ memory: found }: EstimateDocument): string {
  const { stages, peakStage, peakBytes } = found;
  if (stages.length === 0 || peakBytes === null) return '';
  const sentence = `Peak memory of a GPU on each pipeline stage, stacked by part. The fullest is stage ${peakStage ?? 0} with ${formatBytes(peakBytes)}.`;
  const rows = stages.map(stage => [
    String(stage.stage),
    ...MEMORY_PARTS.map(part => formatBytes(stage[part])),
    formatBytes(stage.total),
  ]);
  return `<h2>Does it fit?</h2><p>${escapeHtml(sentence)}</p>${memorySvg(found, sentence)}${table('Memory by stage', ['stage', ...MEMORY_PARTS, 'total'], rows)}`;
}

function time(document: EstimateDocument): string {
  const { time: found, throughput } = document;
  const step = throughput.stepSeconds;
  if (step === null) return '';
  const parts = TIME_PARTS.filter(part => (found[part] ?? 0) > 0);
  const largest = parts.reduce((best, part) => ((found[part] ?? 0) > (found[best] ?? 0) ? part : best));
  const sentence = `Parts of the step on the busiest stage, one after the other, adding up to ${formatSeconds(step)}. The largest is ${PART_NAMES[largest]}.`;
  const rows = parts.map(part => [
    PART_NAMES[part],
    formatSeconds(found[part] ?? 0),
    formatPercent((found[part] ?? 0) / step),
  ]);
  return `<h2>Where does the time go?</h2><p>${escapeHtml(sentence)}</p>${timeSvg(document, sentence)}${table('Parts of the step', ['part', 'time', 'share'], [...rows, ['step', formatSeconds(step), '100 %']])}`;
}

function communication({ time: found, hidden, throughput }: EstimateDocument): string {
  if (throughput.stepSeconds === null) return '';
  const rows = HIDDEN_PARTS.map(axis => ({ axis, exposed: found[`${axis}Exposed`] ?? 0, under: hidden[axis] ?? 0 }))
    .filter(({ exposed, under }) => exposed + under > 0)
    .map(({ axis, exposed, under }) => [axis, formatSeconds(exposed), formatSeconds(under)]);
  return rows.length === 0
    ? ''
    : table('Communication of each axis', ['axis', 'exposed', 'hidden under compute'], rows);
}

function evidence({ evidence: found }: EstimateDocument): string {
  if (found === 'none')
    return '<h2>Evidence</h2><p>No published run on this architecture stands behind the constants: they are assumed.</p>';
  const rows = found.runs.map(({ id, source, predictedSeconds, measuredSeconds }) => [
    id,
    source,
    formatSeconds(predictedSeconds),
    formatSeconds(measuredSeconds),
    formatPercent(predictedSeconds / measuredSeconds - 1),
  ]);
  return `<h2>Evidence</h2>${table('The published runs nearest to this setup', ['run', 'source', 'predicted', 'measured', 'error'], rows)}`;
}

function plan({ setup }: EstimateDocument): string {
  const entries = Object.entries({ ...setup.cluster, ...setup.plan }).filter(([, value]) => value !== null);
  return `<h2>The setup</h2>${table(
    'Plan and cluster',
    ['key', 'value'],
    entries.map(([key, value]) => [key, String(value)]),
  )}`;
}

/** Documents as text for terminals. */
import { TIME_PARTS } from '../engine/estimate/output';
import type {
  ApplyDocument,
  CheckDocument,
  EstimateDocument,
  ExportDocument,
  ProblemDocument,
  ReadDocument,
} from '../documents/types';
import type { PipelineCommandDocument } from './scheduleCommand';
import type { ValidateDocument } from './validate';
import type { CollectiveCommandDocument } from './collectiveCommand';
import { nextStep } from './nextStep';
import { PART_NAMES } from '../words/explain';
import { EXPORT_WORDS } from '../words/export';
import { formatBytes, formatCount, formatInteger, formatNumber, formatPercent, formatSeconds } from '../words/format';

export const lines = (...parts: readonly (string | readonly string[])[]): string => `${parts.flat().join('\n')}\n`;

export function problemLine({ file, line, column, severity, code, message, rule }: ProblemDocument): string {
  const place = file === null ? '' : `${file}:${line ?? 1}:${column ?? 1}: `;
  return `${place}${severity} ${code} ${message}${rule === null ? '' : ` [${rule}]`}`;
}

export function readText({ files, setup, fields, parameters }: ReadDocument): string {
  const values = fields.map(({ path, value, origin, file, line }) => {
    const place = file === null || file === '' ? '' : `  ${file}:${line ?? 1}`;
    return `  ${path.padEnd(24)} ${String(value).padEnd(16)} ${origin}${place}`;
  });
  return lines(
    files.map(({ file, kind }) => `${file}: ${kind ?? 'not a config that MeshLens reads'}`),
    parameters === null
      ? []
      : [
          `${setup.model.name ?? 'model'}: ${formatInteger(parameters.total)} parameters, ${formatCount(parameters.active)} active`,
        ],
    values,
    files.flatMap(({ problems }) => problems.map(problemLine)),
  );
}

export function estimateText(document: EstimateDocument): string {
  const { parameters, throughput, memory, pipeline, bounds } = document;
  return lines(
    parameters === null ? [] : [`parameters  ${formatCount(parameters.total)} (${formatInteger(parameters.total)})`],
    memory.peakBytes === null ? [] : memoryLines(document),
    throughput.stepSeconds === null
      ? []
      : [
          `step        ${formatSeconds(throughput.stepSeconds)} (${formatSeconds(bounds.lowerSeconds ?? 0)} to ${formatSeconds(bounds.upperSeconds ?? 0)}, ${formatPercent(bounds.coverage ?? 0)} interval)`,
          `throughput  ${formatInteger(throughput.tokensPerSecondPerGpu ?? 0)} tokens/s a GPU, MFU ${formatPercent(throughput.mfu ?? 0)} (${throughput.convention ?? ''})`,
          `            ${document.mfus.slice(1).map(mfuText).join(', ')}`,
          `bubble      ${formatPercent(pipeline.bubbleFraction ?? 0)} (${pipeline.schedule ?? 'none'}, ${formatInteger(pipeline.microBatches ?? 1)} micro-batches)`,
          ...timeLines(document),
        ],
    document.assumptions.map(({ message }) => `assumed     ${message}`),
    document.problems.map(problemLine),
    nextStep(document.setup, document.problems),
  );
}

function mfuText({ convention, peak, mfu }: EstimateDocument['mfus'][number]): string {
  return `${formatPercent(mfu)} ${convention}${peak === 'bf16' ? '' : ` of the ${peak} peak`}`;
}

function memoryLines({ memory }: EstimateDocument): string[] {
  const { peakBytes, capacityBytes, fits, uncertain, peakStage, hostBytes, stages } = memory;
  const stage = stages[peakStage ?? 0];
  const verdict = fits === null ? '' : fits ? (uncertain === true ? ' – fits, barely' : ' – fits') : ' – does not fit';
  const parts = ['weights', 'gradients', 'optimizer', 'activations', 'buffers', 'overhead'] as const;
  return [
    `memory      ${formatBytes(peakBytes ?? 0)} a GPU on stage ${peakStage ?? 0}${capacityBytes === null ? '' : ` of ${formatBytes(capacityBytes)}`}${verdict}`,
    ...(stage === undefined
      ? []
      : [`            ${parts.map(part => `${part} ${formatBytes(stage[part])}`).join(', ')}`]),
    ...(hostBytes === null || hostBytes === 0 ? [] : [`            offloaded ${formatBytes(hostBytes)} a node`]),
  ];
}

function timeLines({ time, throughput }: EstimateDocument): string[] {
  const step = throughput.stepSeconds ?? 1;
  return TIME_PARTS.filter(part => (time[part] ?? 0) > step * 5e-4).map(part => {
    const seconds = time[part] ?? 0;
    return `  ${PART_NAMES[part].padEnd(32)} ${formatSeconds(seconds).padStart(10)}  ${formatPercent(seconds / step).padStart(7)}`;
  });
}

export function applyText({ edits, problems }: ApplyDocument, written: boolean): string {
  const changes = edits.map(({ file, line, column, newText }) => `${file}:${line}:${column}: ${newText.trim()}`);
  const summary =
    edits.length === 0
      ? 'Nothing to change.'
      : written
        ? `Written: ${edits.length} edits.`
        : `${edits.length} edits; --write writes them.`;
  return lines(changes, summary, problems.map(problemLine));
}

/** The new files, or the names of those that were written; then what they do not say. */
export function exportText({ files, notCarried, open, problems }: ExportDocument, folder: string | null): string {
  const several = files.length > 1;
  const texts = files.map(({ name, text }) =>
    folder === null ? `${several ? `==> ${name} <==\n` : ''}${text.trimEnd()}` : `${folder}/${name}`,
  );
  const said = (title: string, items: readonly { message: string }[]) =>
    items.length === 0 ? [] : ['', title, ...items.map(({ message }) => `  ${message}`)];
  return lines(
    texts,
    said(EXPORT_WORDS.notCarried, notCarried),
    said(EXPORT_WORDS.open, open),
    problems.map(problemLine),
  );
}

export function checkText({ problems }: CheckDocument): string {
  return problems.length === 0 ? '' : lines(problems.map(problemLine));
}

export function scheduleText({
  costs,
  assumedCosts,
  makespan,
  bubbleFraction,
  spanBubbleFraction,
  peakInFlight,
  problems,
}: PipelineCommandDocument): string {
  const figures =
    makespan === null
      ? []
      : [
          ...costLines(costs, assumedCosts),
          `makespan  ${formatSeconds(makespan)}`,
          `bubble    ${formatPercent(bubbleFraction ?? 0)} of the makespan, ${formatPercent(spanBubbleFraction ?? 0)} of the longest span`,
          `in flight ${(peakInFlight ?? []).map(peak => formatNumber(peak)).join(' ')}`,
        ];
  return lines(figures, problems.map(problemLine));
}

const COST_OPTIONS = {
  forward: '--forward',
  backwardInput: '--backward-input',
  backwardWeight: '--backward-weight',
  p2p: '--p2p',
} as const;

/** What a micro-batch costs on a stage, and which of it nobody stated. */
function costLines(
  { forward, backwardInput, backwardWeight, p2p }: PipelineCommandDocument['costs'],
  assumed: PipelineCommandDocument['assumedCosts'],
): string[] {
  const [f, b, w, message] = [forward, backwardInput, backwardWeight, p2p].map(value => formatSeconds(value));
  const costs = `costs     a micro-batch takes a stage ${f} forward, ${b} backward for inputs and ${w} for weights; a message ${message}`;
  const options = assumed.map(key => COST_OPTIONS[key]).join(', ');
  return options === '' ? [costs] : [costs, `          assumed; state your own by ${options}`];
}

export function collectiveText({
  algorithm,
  choice,
  steps,
  seconds,
  algbw,
  busbw,
  bytesSentPerRank,
  alternatives,
  problems,
}: CollectiveCommandDocument): string {
  const rate = (value: number) => `${formatBytes(value)}/s`;
  return lines(
    algorithm === null
      ? []
      : [
          `algorithm  ${algorithm} (${choice ?? ''}), ${steps === null ? 'too many ranks to count' : `${formatInteger(steps)} steps`}`,
        ],
    seconds === null
      ? []
      : [`time       ${formatSeconds(seconds)}`, `algbw      ${rate(algbw ?? 0)}   busbw ${rate(busbw ?? 0)}`],
    bytesSentPerRank === null
      ? []
      : [
          `sent       at most ${formatBytes(bytesSentPerRank.reduce((most, bytes) => Math.max(most, bytes), 0))} by a rank`,
        ],
    alternatives.map(other => `  ${other.algorithm.padEnd(28)} ${formatSeconds(other.seconds)}`),
    problems.map(problemLine),
  );
}

export function validateText({ summary }: ValidateDocument): string {
  const { core, all } = summary;
  const row = (name: string, { rows, mean }: { rows: number; mean: number | null }) =>
    `  ${name.padEnd(14)} ${formatInteger(rows).padStart(6)} rows  mean error ${formatPercent(mean ?? 0)}`;
  const share = (value: number | null) => (value === null ? 'none' : formatPercent(value));
  return lines(
    `core: ${formatInteger(core.scored)} of ${formatInteger(core.rows)} rows scored; all: ${formatInteger(all.scored)} of ${formatInteger(all.rows)}`,
    `step time over ${formatInteger(core.time.groups)} groups: mean ${share(core.time.mean)}, median ${share(core.time.median)}, within 20 % ${share(core.time.within20)}`,
    Object.entries(core.time.bySource).map(([source, errors]) => row(source, errors)),
    `peak memory over ${formatInteger(core.memory.groups)} groups: mean ${share(core.memory.mean)}, median ${share(core.memory.median)}`,
    Object.entries(core.memory.bySource).map(([source, errors]) => row(source, errors)),
    `out of memory: ${share(core.oom.right)} right of ${formatInteger(core.oom.rows)} (${share(core.oom.oomRight)} of those that ran out, ${share(core.oom.fitsRight)} of those that fit)`,
    `ranking in ${formatInteger(core.ranking.sweeps)} sweeps: Spearman ${formatNumber(core.ranking.spearman ?? 0)}, regret ${share(core.ranking.regret)}, best of three ${share(core.ranking.bestOfThree)}`,
  );
}

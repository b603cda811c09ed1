/** The search's document as text for terminals. */
import type { CandidateDocument, ScalePointDocument, SearchDocument } from '../documents/types';
import { closeness, ruleName } from '../words/explain';
import { formatBytes, formatInteger, formatNumber, formatPercent, formatSeconds } from '../words/format';
import { planDifferences } from '../documents/planDifferences';
import { nextStep } from './nextStep';
import { lines, problemLine } from './text';

export function searchText(document: SearchDocument): string {
  const { space, current, best, elsewhere, rejections, problems, whatIfs } = document;
  const now = current.throughput.stepSeconds;
  return lines(
    `${formatInteger(space.candidates)} layouts, ${formatInteger(space.evaluated)} evaluated, ${formatInteger(space.feasible)} fit, in ${formatSeconds(space.seconds)}`,
    now === null ? [] : [`now  ${formatSeconds(now)}  ${formatBytes(current.memory.peakBytes ?? 0)}`],
    batchLines(document),
    best.flatMap((candidate, i) => candidateLines(candidate, `${i + 1}.`)),
    recommendedLines(document),
    elsewhere
      .slice(0, 1)
      .map(
        candidate =>
          `The file's framework cannot express a layout of ${formatSeconds(candidate.throughput.stepSeconds)}: ${candidate.notApplicable.join(', ')}`,
      ),
    whatIfs.slice(0, MOST_WHAT_IFS).map(({ message }) => `alone  ${message}`),
    choiceLines(document),
    document.scale === null ? [] : scaleLines(document.scale),
    rejections.map(
      ({ code, count, example }) => `refused ${formatInteger(count)} by ${ruleName(code)}, e.g. ${example.message}`,
    ),
    problems.map(problemLine),
    nextStep(document.setup, problems),
  );
}

const MOST_WHAT_IFS = 5;

function changed(changes: CandidateDocument['changes']): string {
  const words = changes.map(({ key, before, after }) => `${key} ${before ?? '–'} → ${after ?? '–'}`);
  return words.join(', ') || 'the present plan';
}

function candidateLines(
  { throughput, memory, changes, reason, warnings, training }: CandidateDocument,
  rank: string,
): string[] {
  const { trainingSeconds, cost, meetsDeadline } = training;
  const whole = [
    trainingSeconds === null ? null : trainingText(trainingSeconds, meetsDeadline),
    cost === null ? null : `cost ${formatNumber(cost)}`,
  ].filter(text => text !== null);
  return [
    `${rank}  ${formatSeconds(throughput.stepSeconds)}  ${formatBytes(memory.peakBytes)}  ${changed(changes)}`,
    `    ${reason}`,
    ...[closeness(memory)].filter(text => text !== null).map(text => `    ${text}`),
    ...whole.map(text => `    ${text}`),
    ...warnings.map(warning => `    ${warning}`),
  ];
}

function trainingText(seconds: number, meetsDeadline: boolean | null): string {
  const days = seconds < SECONDS_A_DAY ? '' : ` (${formatNumber(seconds / SECONDS_A_DAY)} days)`;
  return `training ${formatSeconds(seconds)}${days}${meetsDeadline === false ? ', misses the deadline' : ''}`;
}

const SECONDS_A_DAY = 86_400;

/** Only where it is not the first of the best. */
function recommendedLines({ best, recommended }: SearchDocument): string[] {
  if (recommended === null || recommended.planString === best[0].planString) return [];
  return [
    'recommended: it surely fits, and the first is faster by no more than the model may err',
    ...candidateLines(recommended, '   '),
  ];
}

function batchLines({ batch, largestBatch }: SearchDocument): string[] {
  if (batch === null) return [];
  const critical =
    batch.criticalTokens === null
      ? ''
      : `, critical ${formatInteger(batch.criticalTokens)}${batch.beyondCritical === true ? ' (beyond it)' : ''}`;
  const largest = largestBatch === null ? '' : `; micro-batches of up to ${formatInteger(largestBatch.microBatch)} fit`;
  return [
    `batch  ${formatInteger(batch.tokensPerStep)} tokens a step${critical}, ${formatInteger(batch.microBatches)} micro-batches: idle over busy (p − 1)/m = ${formatNumber(batch.idlePerBusy)}${largest}`,
  ];
}

function choiceLines({ current, robust, fewestGpus, footprint }: SearchDocument): string[] {
  const found: string[] = [];
  if (robust !== null)
    found.push(
      `safe choice  ${formatSeconds(robust.stepSeconds)} a step, ${formatSeconds(robust.slowSeconds)} where the network gives half of its rate, at most ${formatBytes(robust.upperBytes)} a GPU: ${changed(planDifferences(current.planString, robust.planString))}`,
    );
  if (fewestGpus !== null) found.push(`fewest GPUs for the deadline  ${pointText(fewestGpus)}`);
  if (footprint !== null) {
    const { kilowattHours, kilogramsCo2, litresWater } = footprint;
    const part = (value: number | null, unit: string) =>
      value === null ? [] : [`${formatInteger(Math.round(value))} ${unit}`];
    const parts = [...part(kilowattHours, 'kWh'), ...part(kilogramsCo2, 'kg CO₂'), ...part(litresWater, 'l of water')];
    found.push(`footprint, from your own factors  ${parts.join(', ') || 'unknown'}`);
  }
  return found;
}

function scaleLines({ scale, kneeGpus, points }: NonNullable<SearchDocument['scale']>): string[] {
  const knee = kneeGpus === null ? '' : `, efficient up to ${formatInteger(kneeGpus)} GPUs`;
  return [`${scale} scaling${knee}`, ...points.map(point => `  ${pointText(point)}`)];
}

function pointText({ gpus, globalBatch, stepSeconds, efficiency, costPerMillionTokens }: ScalePointDocument): string {
  const start = `${formatInteger(gpus).padStart(6)} GPUs, batch ${formatInteger(globalBatch)}`;
  if (stepSeconds === null) return `${start}: nothing fits`;
  const cost = costPerMillionTokens === null ? '' : `, ${formatNumber(costPerMillionTokens)} a million tokens`;
  return `${start}: ${formatSeconds(stepSeconds)}, ${formatPercent(efficiency ?? 0)} of the best tokens a second and GPU${cost}`;
}

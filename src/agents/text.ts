/** Answers of the tools: a few lines of Markdown, then the same figures as JSON in SI units. */
import type { CandidateDocument, EstimateDocument, ProblemDocument, SearchDocument } from '../documents/types';
import { formatPlan, type PlanKey } from '../engine/plan/keys';
import type { Alternative } from '../engine/search/alternatives';
import { closeness, ruleName } from '../words/explain';
import { lensTitle } from '../words/lens';
import { estimateMarkdown } from '../words/markdown';

const UNITS = 'Units: seconds, bytes, tokens/s per GPU; fractions from 0 to 1; null is unknown.';

const block = (value: unknown): string => `\`\`\`json\n${JSON.stringify(value)}\n\`\`\``;

/** What the agent should do next about what is not known. */
function nextSteps(problems: readonly ProblemDocument[]): string[] {
  const steps = new Set<string>();
  for (const { code, args } of problems) {
    if (code === 'cluster-unknown')
      steps.add('Pass `cluster: {"gpu": …, "nodes": …}` for time and for whether it fits.');
    if (code === 'value-unknown')
      steps.add(
        `Pass \`set: {"${String(args.key ?? args.field).replace(/^\w+\./, '')}": …}\`: no file states it. Ask the user, do not guess.`,
      );
  }
  return [...steps];
}

const shortProblems = (problems: readonly ProblemDocument[]) =>
  problems.map(({ code, severity, message, file, line }) => ({ code, severity, message, file, line }));

function figures({ setup, parameters, throughput, bounds, memory, pipeline, time, evidence }: EstimateDocument) {
  return {
    plan: formatPlan(setup.plan),
    cluster: setup.cluster,
    parameters: parameters?.total ?? null,
    fits: memory.fits,
    uncertain: memory.uncertain,
    peakBytes: memory.peakBytes,
    capacityBytes: memory.capacityBytes,
    stepSeconds: throughput.stepSeconds,
    bounds,
    tokensPerSecondPerGpu: throughput.tokensPerSecondPerGpu,
    mfu: throughput.mfu,
    bubbleFraction: pipeline.bubbleFraction,
    time,
    evidence: evidence === 'none' ? 'none' : `${evidence.runs.length} published runs on ${evidence.architecture}`,
  };
}

export function estimateAnswer(document: EstimateDocument): string {
  const steps = nextSteps(document.problems);
  return [
    lensTitle(document, false),
    ...document.problems.map(({ severity, code, message }) => `- ${severity} ${code}: ${message}`),
    ...steps.map(step => `- Next: ${step}`),
    UNITS,
    block({ ...figures(document), problems: shortProblems(document.problems) }),
  ].join('\n');
}

function candidate({
  planString,
  throughput,
  memory,
  bubbleFraction,
  speedup,
  changes,
  applicable,
  reason,
  warnings,
}: CandidateDocument) {
  return {
    plan: planString,
    stepSeconds: throughput.stepSeconds,
    tokensPerSecondPerGpu: throughput.tokensPerSecondPerGpu,
    mfu: throughput.mfu,
    peakBytes: memory.peakBytes,
    upperBytes: memory.upperBytes,
    uncertain: memory.uncertain,
    bubbleFraction,
    speedup,
    changes,
    applicable,
    reason,
    warnings,
  };
}

export function searchAnswer(document: SearchDocument, top: number): string {
  const { best, recommended, current, space, problems, rejections } = document;
  const steps = nextSteps(problems);
  const shown = best.slice(0, top);
  const lines = shown.map(
    ({ reason, planString, memory }, at) =>
      `${at + 1}. ${[reason, closeness(memory)].filter(text => text !== null).join(' ')}\n   write it: \`meshlens apply FILE --plan ${planString} --write\``,
  );
  if (recommended !== null && recommended.planString !== best[0].planString)
    lines.push(
      `Recommended instead, because it surely fits and the first is faster by no more than the model may err: ${recommended.reason}\n   write it: \`meshlens apply FILE --plan ${recommended.planString} --write\``,
    );
  if (shown.length === 0 && steps.length === 0)
    lines.push(
      `No layout fits. Most were refused by: ${rejections
        .slice(0, 3)
        .map(({ code, count }) => `${ruleName(code)} (${count})`)
        .join(', ')}. Try more GPUs, recompute=full or sharding=zero3.`,
    );
  return [
    `${space.evaluated} of ${space.candidates} layouts evaluated, ${space.feasible} fit.`,
    ...lines,
    ...steps.map(step => `- Next: ${step}`),
    UNITS,
    block({
      current: {
        plan: current.planString,
        stepSeconds: current.throughput.stepSeconds,
        peakBytes: current.memory.peakBytes,
        fits: current.memory.fits,
      },
      best: shown.map(candidate),
      recommended: recommended === null ? null : candidate(recommended),
      problems: shortProblems(problems),
    }),
  ].join('\n');
}

export function explainAnswer(document: EstimateDocument, key: PlanKey | null, rows: readonly Alternative[]): string {
  const { setup, memory, rules, assumptions, bounds, hidden } = document;
  return [
    estimateMarkdown(document, ['the config files']),
    ...rules.map(({ message }) => `- ${message}`),
    ...(key === null
      ? []
      : [rows.length === 0 ? `The values of ${key} have no list to compare.` : `Other values of ${key}:`]),
    UNITS,
    block({
      ...figures(document),
      hidden,
      memoryByStage: memory.stages,
      bounds,
      assumptions: assumptions.map(({ code, message }) => ({ code, message })),
      ...(key === null ? {} : { key, present: setup.plan[key], alternatives: rows }),
    }),
  ].join('\n');
}

/** Words of the editor's surfaces: status bar, hover, completion, views, "hide". */
import type { EstimateDocument, FieldDocument } from '../documents/types';
import type { Alternative } from '../engine/search/alternatives';
import { isPlanKey, type PlanKey } from '../engine/plan/keys';
import type { Parameters } from '../engine/model/parameters';
import { formatBytes, formatCount, formatInteger, formatPercent, formatSeconds } from './format';
import { PLAN_KEY_WORDS } from './keys';
import { plural, translated } from './language';
import { isNoLanguageModel, missing } from './lens';
import { SLOVAK, SLOVAK_PLAN, SLOVAK_PROOF_TEXT, SLOVAK_PROPOSAL } from './editor.sk';

const HIDE_CHOICES = ['file', 'kind', 'lens', 'diagnostics', 'hover', 'statusBar'] as const;
export type HideChoice = (typeof HIDE_CHOICES)[number];

export function isHideChoice(value: unknown): value is HideChoice {
  return HIDE_CHOICES.some(choice => choice === value);
}

const ENGLISH = {
  hideTitle: 'MeshLens: what is to be hidden?',
  hideFile: (file: string): string => `Everything in ${file}`,
  hideKind: (kind: string): string => `Everything in files of ${kind}`,
  hideLens: 'The line above configs',
  hideDiagnostics: 'The marks at problems',
  hideHover: 'The explanations under the pointer',
  hideStatusBar: 'The entry in the status bar',
  ignore: (code: string): string => `Ignore “${code}” on this line`,
  hideProblem: (code: string): string => `Hide “${code}” in this workspace`,
  cannotRun: (code: string): string => `cannot run: ${code}`,
  outOfMemory: 'out of memory',
  fits: 'fits',
  fitsClosely: 'fits, but close',
  unknown: 'not known yet',
  noLanguageModel: 'not a language model',
  modelUnknown: 'model not known: choose its file',
  clusterUnknown: 'GPUs not known: choose the cluster',
  valuesUnknown: 'batch or sequence not known: enter them',
  tooMuch: 'too much',
  notLegal: 'Not legal',
  step: 'step',
  tokens: 'tokens/s/GPU',
  memory: 'memory',
  part: 'part',
  parameters: 'parameters',
  share: 'share',
  layers: (count: number): string => `${formatInteger(count)} ${plural(count, 'layer', 'layers')}`,
  embedding: 'embedding',
  head: 'head',
  all: 'all',
  active: 'active for a token',
  doesNotFit: 'does not fit',
  asNow: 'as now',
  moreFiles: (count: number): string =>
    `${formatInteger(count)} more ${plural(count, 'file that may be a config', 'files that may be configs')}`,
  noConfig: 'MeshLens: open a training config, a launch script or a model’s config.json first.',
  aStep: (time: string): string => `${time} a step`,
  aGpu: (bytes: string): string => `${bytes} a GPU`,
  /** Why nothing is run or measured on the machine beneath. */
  noMachine: 'VS Code runs in a browser here: there is no machine to ask or to measure.',
  untrusted: 'This workspace is not trusted: configs are read and estimated, and nothing is run.',
  'origin-file': 'stated here',
  'origin-derived': 'follows from other values',
  'origin-default': 'default of the framework',
  'origin-zoo': 'known by the model’s name',
  'origin-user': 'your own value',
};

export const EDITOR_WORDS = translated(ENGLISH, SLOVAK);

/** What can be hidden; `kind` is null for a file that is none of ours. */
export function hideChoices(file: string, kind: string | null): { label: string; choice: HideChoice }[] {
  return [
    { label: EDITOR_WORDS.hideFile(file), choice: 'file' },
    ...(kind === null ? [] : [{ label: EDITOR_WORDS.hideKind(kind), choice: 'kind' as const }]),
    { label: EDITOR_WORDS.hideLens, choice: 'lens' },
    { label: EDITOR_WORDS.hideDiagnostics, choice: 'diagnostics' },
    { label: EDITOR_WORDS.hideHover, choice: 'hover' },
    { label: EDITOR_WORDS.hideStatusBar, choice: 'statusBar' },
  ];
}

/** The short verdict of the status bar and of the list of setups, and how grave it is. */
export interface Verdict {
  readonly text: string;
  readonly severity: 'good' | 'close' | 'bad' | 'open';
  /** The command that takes the user on. */
  readonly next: 'openDashboard' | 'chooseFiles' | 'chooseCluster' | 'askValues';
}

export function verdict(document: EstimateDocument): Verdict {
  const { memory, throughput, problems } = document;
  const next = 'openDashboard';
  const refusal = problems.find(({ severity, code }) => severity === 'error' && code !== 'out-of-memory');
  if (refusal !== undefined) return { text: EDITOR_WORDS.cannotRun(refusal.code), severity: 'bad', next };
  if (memory.fits === false) return { text: EDITOR_WORDS.outOfMemory, severity: 'bad', next };
  const parts: string[] = [];
  if (memory.fits === true) parts.push(memory.uncertain === true ? EDITOR_WORDS.fitsClosely : EDITOR_WORDS.fits);
  if (throughput.mfu !== null) parts.push(`MFU ${formatPercent(throughput.mfu)}`);
  if (parts.length === 0) return openVerdict(document);
  return { text: parts.join(' · '), severity: memory.uncertain === true ? 'close' : 'good', next };
}

/** What is missing first, and the command that asks for it. */
function openVerdict(document: EstimateDocument): Verdict {
  const { model, cluster, keys } = missing(document);
  const open = (text: string, next: Verdict['next']): Verdict => ({ text, severity: 'open', next });
  if (isNoLanguageModel(document)) return open(EDITOR_WORDS.noLanguageModel, 'openDashboard');
  if (model) return open(EDITOR_WORDS.modelUnknown, 'chooseFiles');
  if (cluster) return open(EDITOR_WORDS.clusterUnknown, 'chooseCluster');
  return keys.length > 0 ? open(EDITOR_WORDS.valuesUnknown, 'askValues') : open(EDITOR_WORDS.unknown, 'openDashboard');
}

const originOf = ({ origin }: FieldDocument): string => EDITOR_WORDS[`origin-${origin}`];

/** Markdown of a hover on a key of the plan: what it is, and what its other values would give. */
export function planKeyHover(key: PlanKey, field: FieldDocument, rows: readonly Alternative[]): string {
  const { title, meaning } = PLAN_KEY_WORDS[key];
  const head = `**${title}** = ${String(field.value)} (${originOf(field)})\n\n${meaning}`;
  const known = rows.filter(({ stepSeconds, peakBytes }) => stepSeconds !== null || peakBytes !== null);
  if (known.length < 2) return head;
  const lines = known.map(row => {
    const name = row.isPresent ? `**${String(row.value)}**` : String(row.value);
    const step = row.stepSeconds === null ? '–' : formatSeconds(row.stepSeconds);
    const memory = row.peakBytes === null ? '–' : formatBytes(row.peakBytes);
    const tokens = row.tokensPerSecondPerGpu === null ? '–' : formatInteger(row.tokensPerSecondPerGpu);
    return `| ${name} | ${step} | ${tokens} | ${memory}${row.fits === false ? ` (${EDITOR_WORDS.tooMuch})` : ''} |`;
  });
  const refused = rows.filter(({ refusedBy }) => refusedBy !== null);
  const tail =
    refused.length === 0
      ? ''
      : `\n\n${EDITOR_WORDS.notLegal}: ${refused.map(({ value, refusedBy }) => `${String(value)} (${String(refusedBy)})`).join(', ')}.`;
  return `${head}\n\n| ${key} | ${EDITOR_WORDS.step} | ${EDITOR_WORDS.tokens} | ${EDITOR_WORDS.memory} |\n| --- | ---: | ---: | ---: |\n${lines.join('\n')}${tail}`;
}

/** Markdown of a hover on a size of the model: the parameters that its parts hold. */
export function modelKeyHover(path: string, field: FieldDocument, parameters: Parameters): string {
  const layers = parameters.perLayer.reduce((sum, count) => sum + count, 0);
  const row = (name: string, count: number): string =>
    `| ${name} | ${formatCount(count)} | ${formatPercent(count / parameters.total)} |`;
  const active = parameters.active === parameters.total ? [] : [row(EDITOR_WORDS.active, parameters.active)];
  return [
    `**${path}** = ${String(field.value)} (${originOf(field)})\n`,
    `| ${EDITOR_WORDS.part} | ${EDITOR_WORDS.parameters} | ${EDITOR_WORDS.share} |`,
    '| --- | ---: | ---: |',
    row(EDITOR_WORDS.layers(parameters.perLayer.length), layers),
    row(EDITOR_WORDS.embedding, parameters.embedding),
    row(EDITOR_WORDS.head, parameters.head),
    row(EDITOR_WORDS.all, parameters.total),
    ...active,
  ].join('\n');
}

/** What stands beside a value in the list of completions. */
export function alternativeDetail(row: Alternative): string {
  const parts = [
    ...(row.stepSeconds === null ? [] : [formatSeconds(row.stepSeconds)]),
    ...(row.peakBytes === null ? [] : [formatBytes(row.peakBytes)]),
    ...(row.fits === false ? [EDITOR_WORDS.doesNotFit] : []),
    ...(row.isPresent ? [EDITOR_WORDS.asNow] : []),
  ];
  return parts.join(' · ');
}

export const PROPOSAL_WORDS = translated(
  {
    noFile: 'MeshLens: no file of this setup can be written. Open the training config beside the model.',
    nothingToWrite: 'the file already holds this plan.',
    title: (file: string): string => `${file}: the proposed plan`,
    changed: 'MeshLens: the file has changed since the plan was shown. Apply it again.',
    notWritten: (files: readonly string[]): string =>
      `MeshLens: ${files.join(', ')} could not be written. Nothing was changed.`,
    notSaved: (file: string, why: string): string => `MeshLens: ${file} could not be saved: ${why}`,
    question: (files: readonly string[]): string => `Write this plan into ${files.join(', ')}? It can be undone.`,
    write: 'Write It',
    discard: 'Discard',
  },
  SLOVAK_PROPOSAL,
);

export const PLAN_WORDS = translated(
  {
    nameTitle: 'MeshLens: a name for this plan',
    nothing: 'MeshLens: the config at hand has no complete plan to save.',
  },
  SLOVAK_PLAN,
);

/** What is said of a saved plan under the pointer. */
export function savedPlanTooltip(plan: {
  readonly planString: string;
  readonly stepSeconds: number | null;
  readonly peakBytes: number | null;
}): string {
  const figures = [
    ...(plan.stepSeconds === null ? [] : [EDITOR_WORDS.aStep(formatSeconds(plan.stepSeconds))]),
    ...(plan.peakBytes === null ? [] : [EDITOR_WORDS.aGpu(formatBytes(plan.peakBytes))]),
  ];
  return [figures.join(', '), plan.planString.replaceAll(',', ', ')].filter(part => part !== '').join('\n');
}

export function planKeyOf(path: string): PlanKey | null {
  const key = path.startsWith('plan.') ? path.slice(5) : '';
  return isPlanKey(key) ? key : null;
}

export const PROOF_TEXT = translated(
  {
    title: 'MeshLens: a text for the proof to learn',
    empty: 'MeshLens: this file has no text to learn.',
  },
  SLOVAK_PROOF_TEXT,
);

/** Words of the editor's surfaces: status bar, hover, completion, views, "hide". */
import type { EstimateDocument, FieldDocument } from '../documents/types';
import type { Alternative } from '../engine/search/alternatives';
import { isPlanKey, type PlanKey } from '../engine/plan/keys';
import type { Parameters } from '../engine/model/parameters';
import { formatBytes, formatCount, formatInteger, formatPercent, formatSeconds } from './format';
import { PLAN_KEY_WORDS } from './keys';

const HIDE_CHOICES = ['file', 'kind', 'lens', 'diagnostics', 'hover', 'statusBar'] as const;
export type HideChoice = (typeof HIDE_CHOICES)[number];

export function isHideChoice(value: unknown): value is HideChoice {
  return HIDE_CHOICES.some(choice => choice === value);
}

/** Why nothing is run or measured on the machine beneath. */
export const MACHINE_WORDS = {
  none: 'VS Code runs in a browser here: there is no machine to ask or to measure.',
  untrusted: 'This workspace is not trusted: configs are read and estimated, and nothing is run.',
};

export const hideTitle = (): string => 'MeshLens: what is to be hidden?';

/** What can be hidden; `kind` is null for a file that is none of ours. */
export function hideChoices(file: string, kind: string | null): { label: string; choice: HideChoice }[] {
  return [
    { label: `Everything in ${file}`, choice: 'file' },
    ...(kind === null ? [] : [{ label: `Everything in files of ${kind}`, choice: 'kind' as const }]),
    { label: 'The line above configs', choice: 'lens' },
    { label: 'The marks at problems', choice: 'diagnostics' },
    { label: 'The explanations under the pointer', choice: 'hover' },
    { label: 'The entry in the status bar', choice: 'statusBar' },
  ];
}

export const ignoreTitle = (code: string): string => `Ignore “${code}” on this line`;
export const hideProblemTitle = (code: string): string => `Hide “${code}” in this workspace`;

/** The short verdict of the status bar and of the list of setups, and how grave it is. */
export interface Verdict {
  readonly text: string;
  readonly severity: 'good' | 'close' | 'bad' | 'open';
}

export function verdict({ memory, throughput, problems }: EstimateDocument, locale = 'en'): Verdict {
  const refusal = problems.find(({ severity, code }) => severity === 'error' && code !== 'out-of-memory');
  if (refusal !== undefined) return { text: `cannot run: ${refusal.code}`, severity: 'bad' };
  if (memory.fits === false) return { text: 'out of memory', severity: 'bad' };
  const parts: string[] = [];
  if (memory.fits === true) parts.push(memory.uncertain === true ? 'fits, but close' : 'fits');
  if (throughput.mfu !== null) parts.push(`MFU ${formatPercent(throughput.mfu, locale)}`);
  if (parts.length === 0) return { text: 'cluster or batch not known', severity: 'open' };
  return { text: parts.join(' · '), severity: memory.uncertain === true ? 'close' : 'good' };
}

const ORIGINS: Readonly<Record<FieldDocument['origin'], string>> = {
  file: 'stated here',
  derived: 'follows from other values',
  default: 'default of the framework',
  zoo: 'known by the model’s name',
  user: 'your own value',
};

/** Markdown of a hover on a key of the plan: what it is, and what its other values would give. */
export function planKeyHover(key: PlanKey, field: FieldDocument, rows: readonly Alternative[], locale = 'en'): string {
  const { title, meaning } = PLAN_KEY_WORDS[key];
  const head = `**${title}** = ${String(field.value)} (${ORIGINS[field.origin]})\n\n${meaning}`;
  const known = rows.filter(({ stepSeconds, peakBytes }) => stepSeconds !== null || peakBytes !== null);
  if (known.length < 2) return head;
  const lines = known.map(row => {
    const name = row.isPresent ? `**${String(row.value)}**` : String(row.value);
    const step = row.stepSeconds === null ? '–' : formatSeconds(row.stepSeconds, locale);
    const memory = row.peakBytes === null ? '–' : formatBytes(row.peakBytes, locale);
    const tokens = row.tokensPerSecondPerGpu === null ? '–' : formatInteger(row.tokensPerSecondPerGpu, locale);
    return `| ${name} | ${step} | ${tokens} | ${memory}${row.fits === false ? ' (too much)' : ''} |`;
  });
  const refused = rows.filter(({ refusedBy }) => refusedBy !== null);
  const tail =
    refused.length === 0
      ? ''
      : `\n\nNot legal: ${refused.map(({ value, refusedBy }) => `${String(value)} (${String(refusedBy)})`).join(', ')}.`;
  return `${head}\n\n| ${key} | step | tokens/s/GPU | memory |\n| --- | ---: | ---: | ---: |\n${lines.join('\n')}${tail}`;
}

/** Markdown of a hover on a size of the model: the parameters that its parts hold. */
export function modelKeyHover(path: string, field: FieldDocument, parameters: Parameters, locale = 'en'): string {
  const layers = parameters.perLayer.reduce((sum, count) => sum + count, 0);
  const row = (name: string, count: number): string =>
    `| ${name} | ${formatCount(count, locale)} | ${formatPercent(count / parameters.total, locale)} |`;
  const active = parameters.active === parameters.total ? [] : [row('active for a token', parameters.active)];
  return [
    `**${path}** = ${String(field.value)} (${ORIGINS[field.origin]})\n`,
    '| part | parameters | share |',
    '| --- | ---: | ---: |',
    row(`${formatInteger(parameters.perLayer.length, locale)} layers`, layers),
    row('embedding', parameters.embedding),
    row('head', parameters.head),
    row('all', parameters.total),
    ...active,
  ].join('\n');
}

/** What stands beside a value in the list of completions. */
export function alternativeDetail(row: Alternative, locale = 'en'): string {
  const parts = [
    ...(row.stepSeconds === null ? [] : [formatSeconds(row.stepSeconds, locale)]),
    ...(row.peakBytes === null ? [] : [formatBytes(row.peakBytes, locale)]),
    ...(row.fits === false ? ['does not fit'] : []),
    ...(row.isPresent ? ['as now'] : []),
  ];
  return parts.join(' · ');
}

export const moreFiles = (count: number): string => `${formatInteger(count)} more files that may be configs`;

export const NO_CONFIG = 'MeshLens: open a training config, a launch script or a model’s config.json first.';

export const PROPOSAL_WORDS = {
  noFile: 'MeshLens: no file of this setup can be written. Open the training config beside the model.',
  nothingToWrite: 'the file already holds this plan.',
  title: (file: string): string => `${file}: the proposed plan`,
  changed: 'MeshLens: the file has changed since the plan was shown. Apply it again.',
  question: (files: readonly string[]): string => `Write this plan into ${files.join(', ')}? It can be undone.`,
  write: 'Write It',
  discard: 'Discard',
} as const;

export const PLAN_WORDS = {
  nameTitle: 'MeshLens: a name for this plan',
  nothing: 'MeshLens: the config at hand has no complete plan to save.',
} as const;

/** What is said of a saved plan under the pointer. */
export function savedPlanTooltip(
  plan: { readonly planString: string; readonly stepSeconds: number | null; readonly peakBytes: number | null },
  locale = 'en',
): string {
  const figures = [
    ...(plan.stepSeconds === null ? [] : [`${formatSeconds(plan.stepSeconds, locale)} a step`]),
    ...(plan.peakBytes === null ? [] : [`${formatBytes(plan.peakBytes, locale)} a GPU`]),
  ];
  return [figures.join(', '), plan.planString.replaceAll(',', ', ')].filter(part => part !== '').join('\n');
}

export function planKeyOf(path: string): PlanKey | null {
  const key = path.startsWith('plan.') ? path.slice(5) : '';
  return isPlanKey(key) ? key : null;
}

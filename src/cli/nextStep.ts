/** What to give the command line so that an answer that lacks something gets whole. */
import type { ProblemDocument, SetupDocument } from '../documents/types';
import { isNoLanguageModel } from '../words/lens';

/**
 * One line, or none where nothing is missing. The global batch usually follows from the number of GPUs and the
 * micro-batch, so it is asked for only once those are known.
 */
export function nextStep({ plan, cluster }: SetupDocument, problems: readonly ProblemDocument[]): string[] {
  if (isNoLanguageModel({ problems })) return [];
  const unknown = unknownKeys(problems);
  const sizes = sizesStep(unknown);
  if (sizes.length > 0) return sizes;
  const follows = cluster.gpus === null && plan.microBatch !== null ? ['globalBatch', 'dp'] : ['dp'];
  const keys = unknown
    .filter(key => key.startsWith('plan.'))
    .map(key => key.slice('plan.'.length))
    .filter(key => !follows.includes(key));
  const options = [
    ...(cluster.gpu === null ? ['--gpu ID (--gpu list prints them)'] : []),
    ...(cluster.gpus === null && problems.some(isMissing) ? ['--gpus N'] : []),
    ...(keys.length === 0 ? [] : [`--set ${[...new Set(keys)].map(key => `${key}=…`).join(',')}`]),
  ];
  return options.length === 0 ? [] : [`next        Give what no file states: ${options.join(' ')}`];
}

const isMissing = ({ code, args }: ProblemDocument): boolean =>
  code === 'cluster-unknown' || (code === 'value-unknown' && args.key === 'plan.dp');

/** A proof needs the model and the ranks alone. */
export function proofNextStep(problems: readonly ProblemDocument[]): string[] {
  if (isNoLanguageModel({ problems })) return [];
  const unknown = unknownKeys(problems);
  const sizes = sizesStep(unknown);
  if (sizes.length > 0) return sizes;
  const ranks = 'next        Give the ranks to lay out: --gpus N, or --set dp=…';
  return unknown.includes('plan.dp') ? [ranks] : [];
}

function unknownKeys(problems: readonly ProblemDocument[]): string[] {
  return problems.filter(({ code }) => code === 'value-unknown').map(({ args }) => String(args.key));
}

function sizesStep(unknown: readonly string[]): string[] {
  if (unknown.includes('model')) return ['next        Name the config.json of the model as well'];
  const sizes = unknown.filter(key => key.startsWith('model.')).map(key => key.slice('model.'.length));
  if (sizes.length === 0) return [];
  return [
    `next        Name the config.json of the model as well, or give --set ${sizes.map(key => `${key}=…`).join(',')}`,
  ];
}

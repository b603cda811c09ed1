/** What to give the command line so that an answer that lacks something gets whole. */
import type { ProblemDocument, SetupDocument } from '../documents/types';
import { isNoLanguageModel } from '../words/lens';

/**
 * One line, or none where nothing is missing. The global batch usually follows from the number of GPUs and the
 * micro-batch, so it is asked for only once those are known.
 */
export function nextStep({ plan, cluster }: SetupDocument, problems: readonly ProblemDocument[]): string[] {
  if (isNoLanguageModel({ problems })) return [];
  const unknown = problems.filter(({ code }) => code === 'value-unknown').map(({ args }) => String(args.key));
  const sizes = unknown.filter(key => key.startsWith('model.')).map(key => key.slice('model.'.length));
  if (sizes.length > 0)
    return [
      `next        Name the config.json of the model as well, or give --set ${sizes.map(key => `${key}=…`).join(',')}`,
    ];
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

/** `meshlens bench fit FILE…`: a hardware profile from measurements, and from training logs with the config that made them. */
import { problemDocument } from '../../documents/build';
import type { FitDocument } from '../../documents/bench';
import { SCHEMA } from '../../documents/types';
import { fitProfile, type OwnRun } from '../../engine/bench/fit/profile';
import { completeSetup } from '../../engine/plan/complete';
import { formatNumber, formatPercent, formatSeconds } from '../../words/format';
import type { Options } from '../usage';
import { loadSources } from './sources';

const PROFILE_FORMAT = 'meshlens-profile/1';

export function fitCommand(files: readonly string[], options: Options): FitDocument {
  const { imported, setup, hasConfig, problems } = loadSources(files, options);
  const complete = completeSetup(setup);
  const runs: OwnRun[] = imported.flatMap(({ file, run }) =>
    !hasConfig || run?.stepSeconds == null ? [] : [{ name: file, setup: complete, stepSeconds: run.stepSeconds }],
  );
  const fitted = fitProfile(
    imported.flatMap(({ records }) => records),
    runs,
    complete,
  );
  const all = [...problems, ...imported.flatMap(one => one.problems)];
  return {
    schema: SCHEMA,
    command: 'bench',
    kind: 'fit',
    gpu: setup.cluster.gpu,
    ...fitted,
    problems: all.map(problemDocument),
  };
}

/** What `--out` keeps and `--hardware` takes. */
export function profileFile({ gpu, profile }: FitDocument): object {
  return { format: PROFILE_FORMAT, date: new Date().toISOString(), ...(gpu === null ? {} : { gpu }), profile };
}

export function fitText({
  gpu,
  links,
  products,
  collectives,
  constants,
  runs,
  skipped,
  problems,
}: FitDocument): string {
  const lines = [
    ...links.map(
      ({ op, ranks, points, alphaSeconds, bytesPerSecond, alphaUncertainty, rateUncertainty, medianError }) =>
        `${op} × ${ranks}: α ${formatSeconds(alphaSeconds)} ±${formatPercent(alphaUncertainty)}, ${formatNumber(bytesPerSecond / 1e9)} GB/s ±${formatPercent(rateUncertainty)}; ${points} points, median error ${formatPercent(medianError)}`,
    ),
    ...(products === null
      ? []
      : [
          `products: ${formatNumber(products.bestFlopsPerSecond / 1e12)} TFLOP/s at best of ${products.shapes} shapes${products.shareOfPeak === null ? '' : `, ${formatPercent(products.shareOfPeak)} of the peak`}; steps sustain less, so this moves no constant`,
        ]),
    ...(collectives === null
      ? []
      : [
          `the estimate’s collectives: median error ${formatPercent(collectives.beforeError)} before, ${formatPercent(collectives.afterError)} after`,
        ]),
    ...constants.map(
      ({ name, prior, value, uncertainty }) =>
        `${name}: ${formatNumber(prior)} → ${formatNumber(value)}${uncertainty === null ? '' : ` ±${formatPercent(uncertainty)}`}`,
    ),
    ...runs.map(
      ({ name, measuredSeconds, beforeSeconds, afterSeconds }) =>
        `${name}: measured ${formatSeconds(measuredSeconds)}, predicted ${formatSeconds(beforeSeconds)} before and ${formatSeconds(afterSeconds)} after`,
    ),
    ...skipped.map(name => `${name}: its config leaves the step open, so it is left out`),
    ...(gpu === null ? ['No accelerator is given (--gpu), so no constant of the estimate moves.'] : []),
    ...problems.map(({ file, line, message }) => `${file ?? ''}:${line ?? 1}: ${message}`),
    'Keep it with --out FILE; estimate with --hardware FILE. Without the file all is as before.',
  ];
  return `${lines.join('\n')}\n`;
}

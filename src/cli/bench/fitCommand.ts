/** `meshlens bench fit FILE…`: a hardware profile from measurements, and from training logs with the config that made them. */
import type { FitDocument } from '../../documents/bench';
import { fitDocument, type LoggedRun } from '../../documents/measured';
import { formatNumber, formatPercent, formatSeconds } from '../../words/format';
import type { ProductFit } from '../../engine/bench/fit/products';
import type { Options } from '../usage';
import { loadSources, loggedRuns } from './sources';

/** Logs beside a config are runs of it; those of `--run` have configs of their own. */
export function fitCommand(files: readonly string[], options: Options): FitDocument {
  const runs = loggedRuns(options);
  const { imported, setup, hasConfig, problems } = loadSources(files, options, runs[0]?.setup);
  const isRun = (one: (typeof imported)[number]) => hasConfig && one.run?.stepSeconds != null;
  const beside: LoggedRun[] = imported.filter(isRun).map(one => ({ name: one.file, logs: [one], setup, problems: [] }));
  return fitDocument(
    imported.filter(one => !isRun(one)),
    [...beside, ...runs],
    setup,
    problems,
  );
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
          ...(products.curve === null ? [] : [curveLine(products.curve)]),
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

function curveLine(curve: ProductFit): string {
  const { flopsPerSecond, halfK, launchSeconds, rateUncertainty, halfUncertainty, medianError } = curve;
  return `  curve: ${formatNumber(flopsPerSecond / 1e12)} TFLOP/s ±${formatPercent(rateUncertainty)} for deep products, half of it at depth ${formatNumber(halfK)} ±${formatPercent(halfUncertainty)}, ${formatSeconds(launchSeconds)} to launch; median error ${formatPercent(medianError)}`;
}

// Prints the README's table of accuracy from the report of the last calibration: npx tsx scripts/accuracyTable.ts
import { CALIBRATION_REPORT } from '../src/engine/hardware/calibrationReport.generated';

const { rows, parameters, errors } = CALIBRATION_REPORT;
const { inSample, groupLeftOut, sourceLeftOut } = errors;
const percent = (share: number | undefined) => (share === undefined ? '–' : `${(share * 100).toFixed(1)} %`);
const bySource = (fit: { bySource: object }, source: string) =>
  percent((fit.bySource as Record<string, number>)[source]);

console.log(`${parameters.length} constants fitted to ${rows} runs in ${inSample.groups} groups.\n`);
console.log('| error of the step time | fitted | group unseen | source unseen |');
console.log('|---|---|---|---|');
for (const [name, key] of [
  ['mean over groups', 'mean'],
  ['median group', 'median'],
  ['groups within 20 %', 'within20'],
] as const) {
  console.log(
    `| **${name}** | **${percent(inSample[key])}** | **${percent(groupLeftOut[key])}** | **${percent(sourceLeftOut[key])}** |`,
  );
}
for (const source of Object.keys(inSample.bySource)) {
  console.log(
    `| ${source} | ${bySource(inSample, source)} | ${bySource(groupLeftOut, source)} | ${bySource(sourceLeftOut, source)} |`,
  );
}

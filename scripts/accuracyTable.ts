/** npx tsx scripts/accuracyTable.ts: writes the table of accuracy of the last calibration into README.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CALIBRATION_REPORT } from '../src/engine/hardware/calibrationReport.generated';

const README = join(import.meta.dirname, '../README.md');
const { rows, parameters, errors } = CALIBRATION_REPORT;
const fits = [errors.inSample, errors.groupLeftOut, errors.sourceLeftOut];
const percent = (share: number | undefined) => (share === undefined ? '–' : `${(share * 100).toFixed(1)} %`);

const head = ['error of the step time', 'fitted', 'group unseen', 'source unseen'];
const summary = (
  [
    ['mean over groups', 'mean'],
    ['median group', 'median'],
    ['groups within 20 %', 'within20'],
  ] as const
).map(([name, key]) => [name, ...fits.map(fit => percent(fit[key]))].map(cell => `**${cell}**`));
const sources = Object.keys(errors.inSample.bySource).map(source => [
  source,
  ...fits.map(({ bySource }) => percent((bySource as Record<string, number>)[source])),
]);
const body = [...summary, ...sources];
const widths = head.map((_, i) => Math.max(...[head, ...body].map(row => row[i].length)));
const line = (cells: readonly string[]) => `| ${cells.map((cell, i) => cell.padEnd(widths[i])).join(' | ')} |`;
const table = [line(head), line(widths.map(width => '-'.repeat(width))), ...body.map(line)].join('\n');
const text = `${parameters.length} constants fitted to ${rows} runs in ${errors.inSample.groups} groups.\n\n${table}\n`;
const readme = readFileSync(README, 'utf8');
const place = /^\d+ constants fitted to .*\n\n(?:\|.*\n)+/m;
if (!place.test(readme)) throw new Error('README.md has no table of accuracy to replace');
writeFileSync(README, readme.replace(place, text));
console.log(text);

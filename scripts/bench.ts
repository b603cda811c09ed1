/**
 * Speeds and accuracies as ratios to a reference measured in the same run: `npm run bench [-- PART[/NAME]]`.
 * A part is a folder of bench/, a bench a file NAME.bench.ts in it, or NAME.bench.mjs. One that needs a program which is not installed says
 * so and ends well. What the figures mean is in docs/BENCH.md.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';

const BENCH = /^(?<name>\w+)\.bench\.(?:ts|mjs)$/;
const parts = readdirSync('bench', { withFileTypes: true }).filter(entry => entry.isDirectory());
const benches = parts.flatMap(({ name: part }) =>
  readdirSync(`bench/${part}`).flatMap(file => {
    const name = BENCH.exec(file)?.groups?.['name'];
    return name === undefined ? [] : [{ name: `${part}/${name}`, file: `bench/${part}/${file}` }];
  }),
);

const [wanted = '', ...options] = process.argv.slice(2);
const chosen = benches.filter(({ name }) => name === wanted || name.startsWith(wanted === '' ? '' : `${wanted}/`));
if (chosen.length === 0) {
  console.error(`there is no bench ${wanted}; there are: ${benches.map(({ name }) => name).join(', ')}`);
  process.exitCode = 2;
}
for (const { name, file } of chosen) {
  console.log(`\n${name}`);
  const { status } = spawnSync('npx', ['tsx', file, ...options], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}

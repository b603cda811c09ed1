/**
 * Speeds and accuracies as ratios to a reference measured in the same run: `npm run bench [-- PART[/NAME]]`.
 * A part is a folder of bench/, a bench a file NAME.bench.ts in it. One that needs a program which is not installed says
 * so and ends well. What the figures mean is in docs/BENCH.md.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';

const SUFFIX = '.bench.ts';
const parts = readdirSync('bench', { withFileTypes: true }).filter(entry => entry.isDirectory());
const benches = parts.flatMap(({ name: part }) =>
  readdirSync(`bench/${part}`)
    .filter(file => file.endsWith(SUFFIX))
    .map(file => `${part}/${file.slice(0, -SUFFIX.length)}`),
);

const [wanted = '', ...options] = process.argv.slice(2);
const chosen = benches.filter(name => name === wanted || name.startsWith(wanted === '' ? '' : `${wanted}/`));
if (chosen.length === 0) {
  console.error(`there is no bench ${wanted}; there are: ${benches.join(', ')}`);
  process.exitCode = 2;
}
for (const name of chosen) {
  console.log(`\n${name}`);
  const { status } = spawnSync('npx', ['tsx', `bench/${name}${SUFFIX}`, ...options], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}

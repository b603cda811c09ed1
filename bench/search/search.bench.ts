/**
 * Speed of the search: `npm run bench -- search/search`. Each space has a process of its own, bundled like the product,
 * so that its first search is cold and its memory its own. Seconds are wall clock and, in brackets, of the processor,
 * which counts the threads of the compiler and the collector too.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildSync, type BuildOptions } from 'esbuild';
import { CASES } from './cases';

const CALCULON =
  'Calculon (SC ’23), on a core of an Intel Sapphire Rapids at 2.0 GHz: 112 to 285 evaluations a core-second as shipped, 755 to 1,606 with its logger off';

/** Multiplications, additions and a comparison a turn: what a core does in the best case. */
function plainLoop(): number {
  const turns = 2e8;
  const cpu = process.cpuUsage();
  let [sum, x] = [0, 1];
  for (let i = 0; i < turns; i++) {
    x = x * 1.0000001 + 1e-9;
    if (x > sum) sum = x;
  }
  const { user, system } = process.cpuUsage(cpu);
  if (sum < 0) console.log(sum);
  return turns / ((user + system) / 1e6);
}

const folder = mkdtempSync(path.join(tmpdir(), 'meshlens-bench-'));
const common: BuildOptions = { bundle: true, minify: true, platform: 'node', mainFields: ['module', 'main'] };
const measured = path.join(folder, 'measured.cjs');
buildSync({ ...common, entryPoints: ['bench/search/measured.ts'], format: 'cjs', outfile: measured });
buildSync({
  ...common,
  entryPoints: ['src/node/search/worker.ts'],
  format: 'esm',
  outfile: path.join(folder, 'worker.mjs'),
});
const run = (...what: readonly string[]) => spawnSync(process.execPath, [measured, ...what], { stdio: 'inherit' });

console.log(CALCULON);
console.log(`plain loop: ${(plainLoop() / 1e6).toFixed(0)} M turns a core-second`);
for (const space of Object.keys(CASES)) {
  console.log(space);
  run(space, 'one');
  if (space.startsWith('deepseek')) run(space, 'two');
}
run('estimates');
rmSync(folder, { recursive: true });

/** All property tests under seeds of their own, which `npm test` never tries: a failing seed is printed. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROUNDS = 50;

export function soakProperties(say: (line: string) => void, every: number): number {
  const files = ['src', 'webview', 'test/unit'].flatMap(propertyTests);
  let failed = 0;
  for (let round = 0; round < ROUNDS; round += every) {
    const seed = String(Math.trunc(Math.random() * 2 ** 31));
    const { status, stdout } = spawnSync('npx', ['mocha', '--reporter', 'dot', ...files], {
      env: { ...process.env, PROPERTY_SEED: seed },
      encoding: 'utf8',
    });
    if (status === 0) continue;
    failed++;
    say(`PROPERTY_SEED=${seed}\n${stdout.slice(-4000)}`);
  }
  say(`${Math.ceil(ROUNDS / every)} seeds over ${files.length} files, ${failed} failed`);
  return failed;
}

function propertyTests(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.test.ts'))
    .map(name => path.join(folder, name))
    .filter(file => readFileSync(file, 'utf8').includes("'fast-check'"));
}

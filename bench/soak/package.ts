/** The package installed in both versions of VS Code, and the host of a browser in both: too long for every change. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** Runs a script of the repository; the failures it shows are said. */
function run(say: (line: string) => void, ...args: string[]): number {
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 1e8 });
  for (const line of stdout.split('\n')) if (/ passed, |failed|^\s+\d+\)/.test(line)) say(line.trim());
  return status === 0 ? 0 : 1;
}

export function soakPackage(say: (line: string) => void): number {
  let failed = run(say, 'scripts/package.mjs') + run(say, 'scripts/build-tests.mjs');
  for (const version of ['1.100', '1.139']) {
    failed += run(say, 'test/host/run.mjs', version, '--packaged');
    failed += run(say, 'test/host/run.mjs', version, '--web');
  }
  return failed;
}

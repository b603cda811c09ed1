/**
 * Mutants that survived the runner, each tried alone: what a module remembers from one run of the tests to the next (rules,
 * makespans) hides a mutant that is switched on in the midst.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Named, PARTS } from './sample';

const FOLDER = path.resolve('out/mutation/alone');
const COPIED = ['src', 'test', 'examples', 'package.json', '.mocharc.json', 'tsconfig.base.json', 'docs'];
const LIMIT_MILLISECONDS = 3_600_000;

/** Copies what tests need, to be written into. */
function makeCopy(): void {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  for (const name of COPIED.filter(existsSync)) cpSync(name, path.join(FOLDER, name), { recursive: true });
  symlinkSync(path.resolve('node_modules'), path.join(FOLDER, 'node_modules'));
}

/** Those of some survivors that the tests kill in a process of its own. */
export function killedAlone(survivors: readonly Named[]): readonly Named[] {
  if (survivors.length === 0) return [];
  makeCopy();
  if (!testsPass()) throw new Error('the tests fail without any mutant');
  return survivors.filter(mutant => {
    const file = path.join(FOLDER, path.relative('.', mutant.fileName));
    const original = readFileSync(file, 'utf8');
    writeFileSync(file, mutated(original, mutant));
    const isKilled = !testsPass();
    writeFileSync(file, original);
    return isKilled;
  });
}

function testsPass(): boolean {
  const specs = PARTS.map(part => `${part}/**/*.test.ts`);
  const options = { cwd: FOLDER, stdio: 'ignore', timeout: LIMIT_MILLISECONDS } as const;
  return spawnSync('npx', ['mocha', '--bail', '--timeout', '0', ...specs], options).status === 0;
}

/** Lines and columns count from 0. */
function mutated(text: string, { location: { start, end }, replacement }: Named): string {
  const lines = text.split('\n');
  const offset = ({ line, column }: typeof start) =>
    lines.slice(0, line).reduce((sum, one) => sum + one.length + 1, column);
  return text.slice(0, offset(start)) + (replacement ?? '') + text.slice(offset(end));
}

/** What benches share that run beside programs which a machine may lack. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/** Whether all commands run here; says which one does not, and so that the bench is skipped. */
export function allRun(bench: string, commands: readonly (readonly [string, ...string[]])[]): boolean {
  const missing = commands.find(([name, ...args]) => spawnSync(name, args, { stdio: 'ignore' }).status !== 0);
  if (missing) console.log(`skipped: ${bench}, since \`${missing.join(' ')}\` does not run here`);
  return missing === undefined;
}

export const median = (list: readonly number[]): number =>
  [...list].sort((a, b) => a - b)[list.length >> 1] ?? Number.NaN;

export const geometricMean = (list: readonly number[]): number =>
  Math.exp(list.reduce((sum, x) => sum + Math.log(x), 0) / list.length);

/** A line that says whether a figure keeps its goal. */
export const goal = (kept: boolean, text: string): void => console.log(`${kept ? 'ok  ' : 'MISS'} ${text}`);

/** The number after an option of the command line. */
export function option(name: string, fallback: number): number {
  const at = process.argv.indexOf(name);
  return at < 0 ? fallback : Number(process.argv[at + 1]);
}

/** Runs with a folder that is removed afterwards, and in it the module NAME.mjs for each entry point. */
export async function withBundles(
  entryPoints: Readonly<Record<string, string>>,
  run: (folder: string, url: (name: string) => URL) => Promise<void> | void,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'meshlens-bench-'));
  try {
    await build({
      entryPoints,
      bundle: true,
      format: 'esm',
      platform: 'node',
      outdir: folder,
      outExtension: { '.js': '.mjs' },
    });
    await run(folder, name => pathToFileURL(join(folder, `${name}.mjs`)));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

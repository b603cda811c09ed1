/** Opens and closes the dashboard fifty times in a real VS Code and counts what is left of listeners and workers. */
import { spawnSync } from 'node:child_process';

const PANELS = 50;

/** Returns 1 where anything is left or the tests did not run. */
export function soakPanels(say: (line: string) => void): number {
  const args = ['test/host/run.mjs', '1.139', '--suites', 'panel', '--grep', 'again and again'];
  const env = { ...process.env, MESHLENS_PANELS: String(PANELS) };
  const builds = [['esbuild.mjs'], ['scripts/build-tests.mjs']].map(build => spawnSync(process.execPath, build));
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  say(`${PANELS} panels: ${stdout.trim().split('\n').at(-1) ?? ''}`);
  const passed = status === 0 && builds.every(build => build.status === 0);
  if (!passed) say(stderr.trim());
  return passed ? 0 : 1;
}

/**
 * Processes and extension hosts killed while they write; the worker killed, dashboards opened and closed, configs opened,
 * edited and closed, many times, in the oldest and the newest VS Code.
 */
import { spawnSync } from 'node:child_process';

const VERSIONS = ['1.100', '1.139'] as const;
const KILLS = 100;
const CYCLES = 50;
const EDITS = 1000;
const KILLED_WRITERS = 'src/node/killed.test.ts';
const LIMIT_MILLISECONDS = 3_600_000;

/** Prints the suites' own lines; returns how many of the runs failed. */
export function soakHosts(say: (line: string) => void, every: number): number {
  const node = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
    spawnSync(process.execPath, args, { stdio: 'inherit', env: { ...process.env, ...env } }).status;
  if (node(['esbuild.mjs']) !== 0 || node(['scripts/build-tests.mjs']) !== 0) return 1;
  const counts = {
    MESHLENS_KILLS: String(Math.ceil(KILLS / every)),
    MESHLENS_CYCLES: String(Math.ceil(CYCLES / every)),
    MESHLENS_EDITS: String(Math.ceil(EDITS / every)),
    MESHLENS_TEST_TIMEOUT: String(LIMIT_MILLISECONDS),
  };
  const writes = spawnSync('npx', ['mocha', KILLED_WRITERS], {
    stdio: 'inherit',
    env: { ...process.env, ...counts },
  }).status;
  const failed = VERSIONS.filter(
    version =>
      node(['test/host/run.mjs', version, '--suites', 'faults,panels,cycles'], counts) !== 0 ||
      node(['test/host/kills.mjs', version, counts.MESHLENS_KILLS]) !== 0,
  );
  say(`${VERSIONS.length - failed.length} of ${VERSIONS.length} VS Codes passed`);
  return failed.length + Number(writes !== 0);
}

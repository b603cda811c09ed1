// Everything that decides a change: checks, unit and property tests, the dashboard in Chromium, the extension in real
// VS Codes. Ends with one line of counts. What a machine cannot run is skipped by name, except in CI.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const inCi = process.env.CI !== undefined && process.env.CI !== '';
const scratch = mkdtempSync(path.join(os.tmpdir(), 'meshlens-test-'));
const totals = { passes: 0, failures: 0, pending: 0 };

/** @param {string} name @param {{passes: number, failures: number, pending: number, failed?: {title: string, message: string}[]}} counts */
function add(name, counts) {
  for (const key of ['passes', 'failures', 'pending']) totals[key] += counts[key];
  console.log(`${name}: ${counts.passes} passed, ${counts.failures} failed, ${counts.pending} skipped`);
  for (const { title, message } of counts.failed ?? []) console.log(`  failed: ${title}: ${message.split('\n')[0]}`);
}

/** Runs a command that passes or fails as a whole. */
function step(name, command, args) {
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  add(name, { passes: status === 0 ? 1 : 0, failures: status === 0 ? 0 : 1, pending: 0 });
  return status === 0;
}

function unitTests() {
  const file = path.join(scratch, 'unit.json');
  const specs = ['src/**/*.test.ts', 'webview/**/*.test.ts', 'test/unit/**/*.test.ts'];
  spawnSync('npx', ['mocha', '--reporter', './test/reporter.cjs', ...specs], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, MESHLENS_TEST_COUNTS: file },
  });
  const crashed = {
    passes: 0,
    failures: 1,
    pending: 0,
    failed: [{ title: 'unit tests', message: 'mocha did not finish' }],
  };
  add('unit tests', existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : crashed);
}

/** A part that needs something installed: installed where it can be, else skipped by name, in CI failed. */
async function part(name, install, run) {
  try {
    await install();
  } catch (error) {
    console.log(`${name}: skipped, ${error instanceof Error ? error.message : String(error)}`);
    add(name, { passes: 0, failures: inCi ? 1 : 0, pending: inCi ? 0 : 1 });
    return;
  }
  try {
    add(name, await run());
  } catch (error) {
    console.error(error);
    add(name, { passes: 0, failures: 1, pending: 0 });
  }
}

const { installBrowser, installHost } = await import('./install-hosts.mjs');
const { newestHost } = await import('../test/host/places.mjs');
const { multiRoot, runInHost } = await import('../test/host/run.mjs');
const { runPath } = await import('../test/host/path.mjs');
const { runBrowserTests } = await import('../test/browser/run.mjs');
const { runTimelineTests } = await import('../test/browser/timeline.mjs');

step('checks', 'npm', ['run', '--silent', 'check']);
unitTests();
if (step('build', 'node', ['esbuild.mjs']) && step('build of the in-host tests', 'node', ['scripts/build-tests.mjs'])) {
  await part('dashboard in Chromium', installBrowser, runBrowserTests);
  await part('timeline in Chromium', installBrowser, runTimelineTests);
  for (const version of ['1.100', '1.139']) {
    const install = async () => {
      await installBrowser();
      await installHost(version);
    };
    await part(`VS Code ${version}`, install, () => runInHost(version));
  }
  const newest = async () => {
    await installBrowser();
    await installHost(newestHost);
  };
  await part('from a config to a better plan', newest, runPath);
  const restricted = { untrusted: true, suites: ['anyHost', 'host'] };
  await part('VS Code, untrusted workspace', newest, () => runInHost(newestHost, restricted));
  await part('VS Code, workspace of two folders', newest, () => runInHost(newestHost, multiRoot));
  if (step('package', 'node', ['scripts/package.mjs'])) {
    const installed = { packaged: true, suites: ['host', 'anyHost', 'mainJob'] };
    await part('VS Code, installed package', newest, () => runInHost(newestHost, installed));
  }
  await part('VS Code in a browser, without Node', newest, () => runInHost(newestHost, { web: true }));
}

rmSync(scratch, { recursive: true, force: true });
console.log(
  `${totals.passes} passed, ${totals.failures} failed${totals.pending > 0 ? `, ${totals.pending} skipped` : ''}`,
);
process.exit(totals.failures > 0 ? 1 : 0);

#!/usr/bin/env node
// Stands where VS Code's own program stands: takes its arguments, as @vscode/test-electron gives them, runs the tests
// in an npm-hosted VS Code and exits with 0 only where they are known to have passed.
//
// MESHLENS_VSCODE_ROOT   the folder of the host; default: the newest installed one
// MESHLENS_TEST_RESULT   the file to which run() writes its report; default: one of its own
// MESHLENS_UNTRUSTED=1   leave the workspace untrusted, whatever --disable-workspace-trust says
// MESHLENS_SETTINGS      more user settings, as a JSON object
// MESHLENS_TEST_TIMEOUT  how long to wait for a result, in milliseconds; default 1200000
// MESHLENS_VERBOSE=1     print VS Code's own talk as well
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { format, parseArgs } from 'node:util';
import { launchBrowser } from './browser.mjs';
import { installedHost, newestHost } from './places.mjs';
import { exitOnSignals, makeDataDir, quietSettings, removeDataDir, startServer, workbenchUrl } from './server.mjs';

/** @typedef {import('playwright-core').Browser} Browser */
/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('./server.mjs').Server} Server */

/** How the first line starts that test/inhost/index.ts prints. */
const testsBegin = 'Tests in VS Code';

/** How the line starts by which tests report that reach no file (test/inhost/web/index.ts). */
const reportBegin = 'MESHLENS_REPORT ';

function readArguments() {
  const { values, positionals } = parseArgs({
    args: process.argv.slice(2),
    // VS Code knows many more options than matter here.
    strict: false,
    allowPositionals: true,
    options: {
      extensionDevelopmentPath: { type: 'string', multiple: true },
      extensionTestsPath: { type: 'string' },
      'extensions-dir': { type: 'string' },
      'user-data-dir': { type: 'string' },
    },
  });
  /** @param {unknown} value */
  const text = value => (typeof value === 'string' ? value : undefined);
  const tests = text(values.extensionTestsPath);
  if (!tests) throw new Error('This launcher runs tests: it needs --extensionTestsPath=FILE.');
  return {
    folder: positionals.at(-1),
    extensions: /** @type {string[]} */ (values.extensionDevelopmentPath ?? []),
    tests,
    extensionsDir: text(values['extensions-dir']),
    userDataDir: text(values['user-data-dir']),
  };
}

/**
 * The settings of the given profile, as the desktop program would read them, and those of the environment over them.
 * @param {string | undefined} userDataDir
 */
function readSettings(userDataDir) {
  const file = userDataDir && path.join(userDataDir, 'User/settings.json');
  const profile = file && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  return { ...quietSettings, ...profile, ...JSON.parse(process.env.MESHLENS_SETTINGS ?? '{}') };
}

function readTimeout() {
  const text = process.env.MESHLENS_TEST_TIMEOUT ?? '1200000';
  const milliseconds = Number(text);
  if (!(milliseconds > 0)) throw new Error(`MESHLENS_TEST_TIMEOUT is '${text}', not a number of milliseconds.`);
  return milliseconds;
}

/**
 * The console of the extension host and the workbench. What comes at info once the tests have begun is the tests' own;
 * the rest is VS Code's talk (missing native modules, galleries out of reach), of interest only after a failure.
 */
function makeConsole(/** @type {string} */ result) {
  const verbose = process.env.MESHLENS_VERBOSE === '1';
  let begun = false;
  /** @type {string[]} */
  const withheld = [];
  return {
    withheld,
    /** @param {string} type @param {unknown[]} args */
    print(type, args) {
      const text = format(...args);
      begun ||= text.startsWith(testsBegin);
      if (text.startsWith(reportBegin)) return writeFileSync(result, text.slice(reportBegin.length));
      if (verbose || (begun && type === 'info')) console.log(text);
      else withheld.push(text.split('\n').slice(0, 6).join('\n  '));
    },
  };
}

/**
 * Settles when the workbench reports the end of run(), and rejects on all that keeps it from doing so.
 * @param {Page} page
 * @param {Server} server
 * @param {(type: string, args: unknown[]) => void} print
 * @returns {Promise<{exit: Promise<number>}>} the exit code that the workbench reports, once it does
 */
async function listenForExit(page, server, print) {
  const limit = readTimeout();
  /** @type {(code: number) => void} */
  let finished = () => {};
  /** @type {Promise<number>} */
  const exit = new Promise((resolve, reject) => {
    finished = resolve;
    page.once('crash', () => reject(new Error('The page of the workbench crashed.')));
    page.once('close', () => reject(new Error('The page of the workbench was closed.')));
    server.ended.then(reason => reject(new Error(reason)));
    setTimeout(() => reject(new Error(`The tests gave no result within ${limit} ms.`)), limit).unref();
  });
  // The rejection may come before anyone awaits it, while the page is still loading.
  exit.catch(() => {});
  await page.exposeFunction('codeAutomationExit', finished);
  await page.exposeFunction('codeAutomationLog', print);
  return { exit };
}

/**
 * The workbench reports 0 also where the extension host died, so only the report counts as success.
 * @param {number} code
 * @param {string} file
 */
function judge(code, file) {
  if (!existsSync(file)) {
    console.error('The extension host ended before the tests wrote their report.');
    return 1;
  }
  const report = JSON.parse(readFileSync(file, 'utf8'));
  if (report.failures !== 0) return 1;
  if (!(report.passes > 0)) {
    console.error('No test ran.');
    return 1;
  }
  if (code !== 0) console.error(`All tests passed, but the workbench reports exit code ${code}.`);
  return code === 0 ? 0 : 1;
}

/** @param {string} title @param {string[]} lines */
function printTail(title, lines) {
  if (lines.length > 0) console.error(`${title}\n  ${lines.slice(-30).join('\n  ')}`);
}

async function main() {
  const options = readArguments();
  const dataDir = makeDataDir();
  exitOnSignals();
  const result = process.env.MESHLENS_TEST_RESULT ?? path.join(dataDir, 'result.json');
  const { withheld, print } = makeConsole(result);
  /** @type {Server | undefined} */
  let server;
  /** @type {Browser | undefined} */
  let browser;
  let code = 1;
  try {
    server = await startServer({
      root: process.env.MESHLENS_VSCODE_ROOT ?? installedHost(newestHost),
      dataDir,
      settings: readSettings(options.userDataDir),
      extensionsDir: options.extensionsDir,
      untrusted: process.env.MESHLENS_UNTRUSTED === '1',
      env: { MESHLENS_TEST_RESULT: result },
    });
    browser = await launchBrowser();
    const page = await browser.newPage();
    const { exit } = await listenForExit(page, server, print);
    await page.goto(workbenchUrl(server.port, options));
    code = judge(await exit, result);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
  }
  if (code !== 0 && !existsSync(result)) {
    printTail('The end of what the workbench printed:', withheld);
    printTail("The end of the server's log:", server?.log().trimEnd().split('\n') ?? []);
  }
  await browser?.close();
  await server?.stop();
  removeDataDir(dataDir);
  return code;
}

process.exitCode = await main();

// Runs the in-host tests in real VS Codes: the oldest supported and the newest.
// With MESHLENS_DESKTOP=1 the desktop VS Code is downloaded, which needs the network and a display; otherwise the
// npm-hosted ones are used.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { downloadAndUnzipVSCode, runTests } from '@vscode/test-electron';
import { stageForWeb } from './web.mjs';
import {
  hostNode,
  hostVersions,
  installedHost,
  parseVersion,
  recipes,
  repositoryRoot,
  serverProgram,
} from './places.mjs';

/** @typedef {import('./places.mjs').HostVersion} HostVersion */

/**
 * @typedef {object} HostReport
 * @property {HostVersion} version
 * @property {number} passes
 * @property {number} failures
 * @property {number} pending
 * @property {{title: string, message: string}[]} failed
 */

/**
 * @typedef {object} HostRunOptions
 * @property {string} [workspace] the folder of which the tests get a copy; default: examples
 * @property {string | string[]} [extension] under development; default: the repository
 * @property {string} [tests] the module that exports run(); default: out/test/inhost.js
 * @property {string[]} [suites] names of suites; default: all
 * @property {string} [grep] only tests with this in their title
 * @property {Record<string, unknown>} [settings] user settings
 * @property {boolean} [untrusted] leave the workspace untrusted (npm-hosted VS Code only)
 * @property {Record<string, Record<string, unknown>>} [folderSettings] a workspace of several folders, with these settings
 * @property {boolean} [packaged] the package of `npm run package`, installed from its file
 * @property {boolean} [web] in the extension host of a browser, where suites that need Node are left out
 * @property {string} [extensionsDir] with extensions installed, to test those
 * @property {number} [timeout] milliseconds until the run is given up
 * @property {Record<string, string>} [env] more environment for the extension host
 */

const launcher = path.join(repositoryRoot, 'test/host/code.mjs');
const onDesktop = () => process.env.MESHLENS_DESKTOP === '1';

/**
 * Copies of the first example as the folders of one workspace, each with settings of its own.
 * @param {string} workspace
 * @param {Record<string, Record<string, unknown>>} folderSettings by the folder's name
 */
function makeMultiRoot(workspace, folderSettings) {
  for (const [name, settings] of Object.entries(folderSettings)) {
    const folder = path.join(workspace, name);
    cpSync(path.join(repositoryRoot, 'examples/llama-3.1-8b'), folder, { recursive: true });
    mkdirSync(path.join(folder, '.vscode'));
    writeFileSync(path.join(folder, '.vscode/settings.json'), JSON.stringify(settings));
  }
  const file = path.join(workspace, 'test.code-workspace');
  writeFileSync(file, JSON.stringify({ folders: Object.keys(folderSettings).map(name => ({ path: name })) }));
  return file;
}

/** Two folders that want other accelerators (test/inhost/multiRoot.suite.ts), in Slovak (slovak.suite.ts). */
export const multiRoot = {
  suites: ['multiRoot', 'slovak'],
  settings: { 'meshlens.language': 'sk' },
  folderSettings: { one: { 'meshlens.cluster.gpu': 'h100-sxm' }, two: { 'meshlens.cluster.gpu': 'a100-80' } },
};

/**
 * A fresh profile and a copy of the workspace, so that tests may change both.
 * @param {HostRunOptions} options
 */
function prepareFolders(options) {
  const temporary = mkdtempSync(path.join(os.tmpdir(), 'mlrun-'));
  const workspace = path.join(temporary, 'workspace');
  cpSync(options.workspace ?? path.join(repositoryRoot, 'examples'), workspace, { recursive: true });
  const opened = options.folderSettings ? makeMultiRoot(workspace, options.folderSettings) : workspace;
  const userDataDir = path.join(temporary, 'user');
  mkdirSync(path.join(userDataDir, 'User'), { recursive: true });
  writeFileSync(path.join(userDataDir, 'User/settings.json'), JSON.stringify(options.settings ?? {}));
  return {
    opened,
    userDataDir,
    extensionsDir: options.extensionsDir ?? path.join(temporary, 'extensions'),
    result: path.join(temporary, 'result.json'),
    remove: () => rmSync(temporary, { recursive: true, force: true, maxRetries: 3 }),
  };
}

/**
 * @param {HostVersion} version
 * @param {HostRunOptions} options
 * @param {string} result
 * @returns {Record<string, string>}
 */
function testEnvironment(version, options, result) {
  return {
    MESHLENS_TEST_RESULT: result,
    MESHLENS_EXPECTED_VSCODE: version,
    ...(onDesktop() ? {} : { MESHLENS_VSCODE_ROOT: installedHost(version) }),
    ...(options.untrusted ? { MESHLENS_UNTRUSTED: '1' } : {}),
    ...(options.timeout ? { MESHLENS_TEST_TIMEOUT: String(options.timeout) } : {}),
    ...(options.suites ? { MESHLENS_SUITES: options.suites.join(',') } : {}),
    ...(options.grep ? { MESHLENS_GREP: options.grep } : {}),
    ...options.env,
  };
}

/**
 * @param {HostVersion} version
 * @param {string} file
 * @param {unknown} error what running the tests threw, if it did
 * @returns {HostReport}
 */
function readReport(version, file, error) {
  const empty = { passes: 0, failures: 0, pending: 0, failed: [] };
  /** @type {HostReport} */
  const report = { version, ...(existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : empty) };
  if (report.failures === 0 && error) {
    report.failures = 1;
    report.failed.push({
      title: `VS Code ${version}`,
      message: error instanceof Error ? error.message : String(error),
    });
  }
  return report;
}

/**
 * Runs the in-host tests in one version of VS Code. Failing tests are in the report; only what keeps them from being
 * started at all (nothing installed) throws.
 * @param {HostVersion} version
 * @param {HostRunOptions} [options]
 * @returns {Promise<HostReport>}
 */
export async function runInHost(version, options = {}) {
  if (options.packaged) return runPackaged(version, options);
  if (!options.web) return runStaged(version, options);
  if (onDesktop()) throw new Error('The desktop runner has no extension host of a browser.');
  const { extension, tests, remove } = await stageForWeb(options.grep);
  try {
    return await runStaged(version, { ...options, extension, tests });
  } finally {
    remove();
  }
}

/**
 * Installs the package into a clean VS Code. Tests are started by way of an extension under development, so that an
 * empty one is there beside it.
 * @param {HostVersion} version
 * @param {HostRunOptions} options
 */
async function runPackaged(version, options) {
  const temporary = mkdtempSync(path.join(os.tmpdir(), 'mlpack-'));
  try {
    const probe = path.join(temporary, 'probe');
    mkdirSync(probe);
    const manifest = { name: 'probe', publisher: 'meshlens', version: '0.0.1', engines: { vscode: '*' } };
    writeFileSync(path.join(probe, 'package.json'), JSON.stringify(manifest));
    const extensionsDir = path.join(temporary, 'extensions');
    installPackage(version, path.join(temporary, 'data'), extensionsDir);
    return await runStaged(version, {
      ...options,
      extension: probe,
      extensionsDir,
      env: { ...options.env, MESHLENS_PACKAGED: '1' },
    });
  } finally {
    rmSync(temporary, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** @param {HostVersion} version @param {string} dataDir @param {string} extensionsDir */
function installPackage(version, dataDir, extensionsDir) {
  const host = installedHost(version);
  const file = path.join(repositoryRoot, 'out/meshlens.vsix');
  if (!existsSync(file)) throw new Error('There is no package. Run: npm run package');
  const folders = ['--server-data-dir', dataDir, '--extensions-dir', extensionsDir];
  const args = [serverProgram(host), '--accept-server-license-terms', '--install-extension', file, ...folders];
  const { status, stdout, stderr } = spawnSync(hostNode(host), args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The package was not installed: ${stdout}${stderr}`);
}

/**
 * @param {HostVersion} version
 * @param {HostRunOptions} options
 * @returns {Promise<HostReport>}
 */
async function runStaged(version, options) {
  if (onDesktop() && options.untrusted) throw new Error('The desktop runner always trusts its workspace.');
  const executable = onDesktop() ? await downloadAndUnzipVSCode(recipes[version].vscode) : launcher;
  const folders = prepareFolders(options);
  try {
    /** @type {unknown} */
    let failure;
    try {
      await runTests({
        vscodeExecutablePath: executable,
        extensionDevelopmentPath: options.extension ?? repositoryRoot,
        extensionTestsPath: options.tests ?? path.join(repositoryRoot, 'out/test/inhost.js'),
        launchArgs: [
          folders.opened,
          `--user-data-dir=${folders.userDataDir}`,
          `--extensions-dir=${folders.extensionsDir}`,
        ],
        extensionTestsEnv: testEnvironment(version, options, folders.result),
      });
    } catch (error) {
      failure = error;
    }
    return readReport(version, folders.result, failure);
  } finally {
    folders.remove();
  }
}

/** @param {string[]} args */
async function main(args) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      workspace: { type: 'string' },
      extension: { type: 'string' },
      suites: { type: 'string' },
      grep: { type: 'string' },
      untrusted: { type: 'boolean', default: false },
      web: { type: 'boolean', default: false },
      packaged: { type: 'boolean', default: false },
      'multi-root': { type: 'boolean', default: false },
      json: { type: 'string' },
    },
  });
  /** @type {HostRunOptions} */
  const options = {
    packaged: values.packaged,
    untrusted: values.untrusted,
    web: values.web,
    ...(values['multi-root'] ? multiRoot : {}),
  };
  if (values.workspace) options.workspace = path.resolve(values.workspace);
  if (values.extension) options.extension = path.resolve(values.extension);
  if (values.suites) options.suites = values.suites.split(',');
  if (values.grep) options.grep = values.grep;
  const reports = [];
  for (const version of positionals.length > 0 ? positionals.map(parseVersion) : hostVersions) {
    const report = await runInHost(version, options);
    reports.push(report);
    console.log(`VS Code ${version}: ${report.passes} passed, ${report.failures} failed, ${report.pending} skipped`);
  }
  if (values.json) writeFileSync(values.json, `${JSON.stringify(reports, null, 2)}\n`);
  if (reports.some(report => report.failures > 0)) process.exitCode = 1;
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  try {
    await main(process.argv.slice(2));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}

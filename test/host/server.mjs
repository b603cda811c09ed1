// Starts and ends the server of an npm-hosted VS Code, and makes the addresses that a browser opens on it.
// Node's own modules only: `npm start` loads this file too.
import { spawn } from 'node:child_process';
import { createWriteStream, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { hostNode, serverProgram } from './places.mjs';

const startLimit = 60_000;
const stopLimit = 5_000;

/** A workbench that shows the work and nothing else: no welcome page, no chat, no theme by the system's clock. */
export const quietSettings = {
  'workbench.startupEditor': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.tips.enabled': false,
  'chat.disableAIFeatures': true,
  'window.autoDetectColorScheme': false,
  'extensions.autoCheckUpdates': false,
  'git.openRepositoryInParentFolders': 'never',
  'telemetry.telemetryLevel': 'off',
  // As on the desktop: a served VS Code would save edits by itself.
  'files.autoSave': 'off',
};

/**
 * @typedef {object} ServerOptions
 * @property {string} root the folder of the installed host
 * @property {string} dataDir an own folder for this run: settings, logs, sockets
 * @property {Record<string, unknown>} [settings] the user settings
 * @property {string | undefined} [extensionsDir]
 * @property {boolean} [untrusted] ask for workspace trust, so that the workspace starts restricted
 * @property {number} [port] 0 or absent: any free one
 * @property {NodeJS.ProcessEnv} [env] what the extension host sees besides this process's environment
 */

/**
 * @typedef {object} Server
 * @property {number} port
 * @property {() => string} log all that the server has printed
 * @property {Promise<string>} ended settles with the reason when the server ends
 * @property {() => Promise<void>} stop ends the server and all its children
 */

/** What has to go when this process ends before it could tidy up itself. */
const remains = {
  /** @type {Set<number>} process groups */
  groups: new Set(),
  /** @type {Set<string>} */
  folders: new Set(),
};

process.once('exit', () => {
  for (const group of remains.groups) signalGroup(group, 'SIGKILL');
  for (const folder of remains.folders) removeDataDir(folder);
});

/** Lets Ctrl+C and a polite kill end this process by the way of its exit listeners. */
export function exitOnSignals() {
  process.once('SIGINT', () => process.exit(130));
  process.once('SIGTERM', () => process.exit(143));
}

/** A new folder for one run. The name is short because the path of a Unix socket may hold 107 bytes at most. */
export function makeDataDir() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'mlvs-'));
  remains.folders.add(folder);
  return folder;
}

/** @param {string} folder */
export function removeDataDir(folder) {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  remains.folders.delete(folder);
}

/** @param {ServerOptions} options */
function serverArguments(options) {
  const args = [serverProgram(options.root), '--host', '127.0.0.1', '--port', String(options.port ?? 0)];
  args.push('--without-connection-token', '--accept-server-license-terms', '--telemetry-level', 'off');
  args.push('--server-data-dir', options.dataDir);
  // A built workbench honours an extension under development only with this switch.
  args.push('--enable-smoke-test-driver');
  if (options.extensionsDir) args.push('--extensions-dir', options.extensionsDir);
  if (!options.untrusted) args.push('--disable-workspace-trust');
  return args;
}

/** @param {ServerOptions} options */
function serverEnvironment(options) {
  // A VS Code around this process would leak its own sockets and flags into the one under test.
  const outer = Object.entries(process.env).filter(([name]) => !/^(VSCODE_|ELECTRON_)/.test(name));
  const runtime = path.join(options.dataDir, 'run');
  mkdirSync(runtime, { recursive: true });
  return { ...Object.fromEntries(outer), ...options.env, XDG_RUNTIME_DIR: runtime };
}

/** @param {ServerOptions} options */
function writeSettings(options) {
  const folder = path.join(options.dataDir, 'data/User');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'settings.json'), JSON.stringify(options.settings ?? {}, null, 2));
}

/**
 * Signals a whole process group; one that is gone already is what was wanted.
 * @param {number} group
 * @param {NodeJS.Signals} signal
 */
function signalGroup(group, signal) {
  try {
    process.kill(-group, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/**
 * @param {Promise<unknown>} promise
 * @param {number} milliseconds
 */
function settledWithin(promise, milliseconds) {
  return new Promise(resolve => {
    const timer = setTimeout(() => resolve(false), milliseconds);
    promise.finally(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}

/**
 * VS Code's server says nothing and waits where its port is taken, so this asks before.
 * @param {number} port
 * @returns {Promise<void>}
 */
function assertFree(port) {
  return new Promise((resolve, reject) => {
    const probe = net.createServer();
    probe.once('error', error => reject(new Error(`Port ${port} cannot be used: ${error.message}`)));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve()));
  });
}

/**
 * @param {ServerOptions} options
 * @returns {Promise<Server>}
 */
export async function startServer(options) {
  await assertFree(options.port ?? 0);
  writeSettings(options);
  const stdio = /** @type {['ignore', 'pipe', 'pipe']} */ (['ignore', 'pipe', 'pipe']);
  // A group of its own, so that the extension hosts and terminals below it can be ended together.
  const child = spawn(hostNode(options.root), serverArguments(options), {
    env: serverEnvironment(options),
    stdio,
    detached: true,
  });
  const group = child.pid;
  if (group === undefined) {
    const [error] = await new Promise(resolve => child.once('error', (...args) => resolve(args)));
    throw new Error(`VS Code's server could not be started: ${error}`);
  }
  remains.groups.add(group);

  const file = createWriteStream(path.join(options.dataDir, 'server.log'));
  let text = '';
  /** @type {Promise<string>} */
  const ended = new Promise(resolve => {
    child.once('exit', (code, signal) => resolve(`VS Code's server ended with ${signal ?? code}`));
  });
  const stop = async () => {
    signalGroup(group, 'SIGTERM');
    await settledWithin(ended, stopLimit);
    // What the server left behind: children that ignored the polite request.
    signalGroup(group, 'SIGKILL');
    remains.groups.delete(group);
    file.end();
  };

  /** @type {Promise<number>} */
  const listening = new Promise((resolve, reject) => {
    /** @param {Buffer} data */
    const read = data => {
      file.write(data);
      text += data.toString();
      const match = /Extension host agent listening on (\d+)/.exec(text);
      if (match) resolve(Number(match[1]));
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    ended.then(reason => reject(new Error(`${reason} before it listened.\n${text}`)));
    const late = () => reject(new Error(`VS Code's server did not listen within ${startLimit} ms.\n${text}`));
    setTimeout(late, startLimit).unref();
  });
  try {
    return { port: await listening, log: () => text, ended, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * @typedef {object} WorkbenchAddress
 * @property {string | undefined} [folder] the workspace: a folder, or the file that names several
 * @property {string[]} [extensions] the extensions under development
 * @property {string} [tests] the module whose run() the extension host calls
 * @property {string | undefined} [openFile] a file to open at start
 */

/**
 * The address of a workbench. `localhost`, not 127.0.0.1: webviews need a secure context by name, and the authority in
 * vscode-remote: has to be the one in the address bar.
 * @param {number} port
 * @param {WorkbenchAddress} options
 */
export function workbenchUrl(port, { folder, extensions = [], tests, openFile }) {
  /** @param {string} file */
  const remote = file => `vscode-remote://localhost:${port}${file}`;
  const payload = extensions.map(extension => ['extensionDevelopmentPath', remote(extension)]);
  payload.push(['skipWelcome', 'true'], ['skipReleaseNotes', 'true']);
  if (tests) payload.push(['extensionTestsPath', remote(tests)]);
  if (openFile) payload.push(['openFile', remote(openFile)]);
  const kind = folder?.endsWith('.code-workspace') ? 'workspace' : 'folder';
  const workspace = folder ? `${kind}=${encodeURIComponent(folder)}` : 'ew=true';
  return `http://localhost:${port}/?${workspace}&payload=${encodeURIComponent(JSON.stringify(payload))}`;
}

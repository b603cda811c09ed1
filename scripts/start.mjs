// One command from a fresh clone to the product at work: installs what is missing, builds, and opens VS Code with the
// extension under development: the desktop one where `code` is on PATH, else one from npm in the browser.
// Node's own modules only: this runs before anything is installed.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { newestHost, repositoryRoot } from '../test/host/places.mjs';
import {
  exitOnSignals,
  makeDataDir,
  quietSettings,
  removeDataDir,
  startServer,
  workbenchUrl,
} from '../test/host/server.mjs';
import { installHost } from './install-hosts.mjs';

const usage = `Usage: npm start -- [FOLDER] [--browser] [--port N] [--once]
  FOLDER     the workspace to open (default: examples)
  --browser  serve VS Code for a browser even where \`code\` is on PATH
  --port N   serve it on this port of 127.0.0.1 (default: any free one); implies --browser
  --once     end as soon as the server has answered; implies --browser`;

const isWindows = process.platform === 'win32';

/**
 * Runs a step that the user should see.
 * @param {string} what
 * @param {string} program
 * @param {string[]} args
 */
function step(what, program, args) {
  console.log(`${what}…`);
  const run = spawnSync(program, args, { cwd: repositoryRoot, stdio: 'inherit', shell: isWindows });
  if (run.status !== 0) throw new Error(`${what} failed: \`${[program, ...args].join(' ')}\` (its output is above).`);
}

function installDependencies() {
  // npm writes this file when it has finished, so half an installation is repeated.
  if (existsSync(path.join(repositoryRoot, 'node_modules/.package-lock.json'))) return;
  step('Installing the dependencies', 'npm', ['ci']);
}

/** The remote command line of that name in a VS Code terminal cannot open an extension under development. */
function hasDesktopCode() {
  if (process.env.VSCODE_IPC_HOOK_CLI) return false;
  const names = isWindows ? ['code.cmd', 'code.exe'] : ['code'];
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  return folders.some(folder => names.some(name => existsSync(path.join(folder, name))));
}

/**
 * The file to open at first: the examples' training config, so that its line is there at once.
 * @param {string} folder
 */
function firstFile(folder) {
  const file = path.join(folder, 'llama-3.1-8b', 'train.json');
  return existsSync(file) ? [file] : [];
}

/**
 * @param {string} folder
 * @returns {boolean} whether the window could be opened
 */
function openDesktop(folder) {
  const args = ['--new-window', `--extensionDevelopmentPath=${repositoryRoot}`, folder, ...firstFile(folder)];
  const quoted = isWindows ? args.map(arg => `"${arg}"`) : args;
  const run = spawnSync('code', quoted, { stdio: 'inherit', shell: isWindows });
  if (run.status === 0) console.log(`Opened ${folder} in your desktop VS Code with MeshLens under development.`);
  else console.log('The `code` on PATH could not open a window; VS Code is served for a browser instead.');
  return run.status === 0;
}

/**
 * @param {string} folder
 * @param {number} port
 * @param {boolean} once
 */
async function serve(folder, port, once) {
  const root = installHost(newestHost);
  const dataDir = makeDataDir();
  const server = await startServer({ root, dataDir, port, settings: quietSettings });
  const [openFile] = firstFile(folder);
  const address = workbenchUrl(server.port, { folder, extensions: [repositoryRoot], openFile });
  const response = await fetch(address);
  if (!response.ok) throw new Error(`VS Code's server answered ${response.status} ${response.statusText}.`);
  console.log(
    `Serving VS Code ${newestHost} (from npm, for a browser) with MeshLens under development on ${folder}.\n` +
      'It listens on 127.0.0.1 only; on a remote machine forward the port first: ' +
      `ssh -L ${server.port}:localhost:${server.port} HOST\n\n  ${address}\n`,
  );
  if (!once) {
    console.log('Ctrl+C ends it.');
    throw new Error(await server.ended);
  }
  await server.stop();
  removeDataDir(dataDir);
}

function readOptions() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      browser: { type: 'boolean', default: false },
      port: { type: 'string' },
      once: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    process.exit(0);
  }
  const port = Number(values.port ?? 0);
  if (!Number.isInteger(port) || port < 0 || port > 65535) throw new Error(`'${values.port}' is no port.\n${usage}`);
  const folder = path.resolve(positionals[0] ?? path.join(repositoryRoot, 'examples'));
  if (!existsSync(folder)) throw new Error(`There is no folder ${folder}.`);
  return { folder, port, once: values.once, browser: values.browser || values.once || values.port !== undefined };
}

async function main() {
  const options = readOptions();
  installDependencies();
  step('Building', 'node', ['esbuild.mjs']);
  if (!options.browser && hasDesktopCode() && openDesktop(options.folder)) return;
  await serve(options.folder, options.port, options.once);
}

exitOnSignals();
try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

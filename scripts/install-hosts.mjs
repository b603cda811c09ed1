// Installs what the in-host tests, the screenshots and `npm start` drive: VS Code (oldest supported and newest) out of
// the npm package code-server, and Chromium. What is there already costs nothing; Node's own modules only.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import {
  findBrowser,
  hostFolder,
  hostNode,
  hostsFolder,
  hostVersions,
  isInstalled,
  parseVersion,
  recipes,
  serverProgram,
  stampFile,
  stampText,
} from '../test/host/places.mjs';

/** @typedef {import('../test/host/places.mjs').HostVersion} HostVersion */

const usage = `Usage: npm run hosts -- [--only VERSION]… [--browser]
Without arguments: VS Code ${hostVersions.join(', ')} and Chromium.`;

/** Something that could not be had; the message says what, why and what to do by hand. */
export class InstallError extends Error {}

/**
 * Runs a program to its end, quietly; its output is shown only where it fails.
 * @param {string} program
 * @param {string[]} args
 * @param {{cwd?: string, env?: NodeJS.ProcessEnv}} [options]
 * @returns {string | undefined} why it failed, or undefined
 */
function attempt(program, args, options = {}) {
  const run = spawnSync(program, args, { ...options, encoding: 'utf8', maxBuffer: 1 << 26 });
  if (run.status === 0) return undefined;
  if (run.error) return run.error.message;
  const lines = `${run.stdout}\n${run.stderr}`.split('\n').filter(line => line.trim() !== '');
  // npm and apt mark what matters, and npm prints much after it.
  const marked = lines.filter(line => /^(npm error|E:|W:) /.test(line)).slice(0, 6);
  const shown = marked.length > 0 ? marked : lines.slice(-6);
  return `${program} ended with ${run.signal ?? run.status}:\n  ${shown.join('\n  ')}`;
}

/**
 * @param {string} folder
 * @param {string[]} args
 * @param {string} node
 */
function npmInstall(folder, args, node) {
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  // The prefix is said twice because npm otherwise climbs to the repository's own package.json.
  const env = { ...process.env, PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH ?? ''}` };
  return attempt('npm', ['install', ...args, ...quiet, '--prefix', folder], { cwd: folder, env });
}

/**
 * @param {HostVersion} version
 * @param {string} reason
 */
function hostError(version, reason) {
  const packages = Object.entries(recipes[version].packages).map(([name, wanted]) => `${name}@${wanted}`);
  return new InstallError(
    `VS Code ${version} could not be installed from npm: ${reason}\n` +
      `It needs a registry that serves ${packages.join(' and ')} and about ${recipes[version].size} of disk. ` +
      `Try \`npm view ${packages[0]}\` to see whether the registry is reachable, then run \`npm run hosts\` again; ` +
      'or install the desktop VS Code and set MESHLENS_DESKTOP=1.',
  );
}

/**
 * @param {HostVersion} version
 * @param {string} folder an empty folder
 */
function buildHost(version, folder) {
  const recipe = recipes[version];
  const manifest = { name: `vscode-${version}`, private: true, dependencies: recipe.packages };
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  const failed = npmInstall(folder, [], process.execPath);
  if (failed) throw hostError(version, failed);
  const codeServer = path.join(folder, 'node_modules/code-server');
  for (const inner of recipe.inner) {
    const failedInside = npmInstall(path.join(codeServer, inner), ['--omit=dev'], hostNode(folder));
    if (failedInside) throw hostError(version, failedInside);
  }
  const vscode = path.join(codeServer, 'lib/vscode');
  // The built server looks for its modules in an archive that the npm package does not have.
  rmSync(path.join(vscode, 'node_modules.asar'), { recursive: true, force: true });
  symlinkSync('node_modules', path.join(vscode, 'node_modules.asar'));
  giveRipgrep(folder, vscode);
  if (!existsSync(serverProgram(folder))) throw hostError(version, 'the package holds no server-main.js.');
}

/**
 * VS Code 1.100 finds files with a ripgrep at this one place; later versions bring their own.
 * @param {string} folder
 * @param {string} vscode
 */
function giveRipgrep(folder, vscode) {
  const system = `${process.platform}-${process.arch}`;
  const source = path.join(folder, 'node_modules/@vscode/ripgrep-universal/bin', system, 'rg');
  if (!existsSync(source)) return;
  const place = path.join(vscode, 'node_modules/@vscode/ripgrep/bin');
  mkdirSync(place, { recursive: true });
  cpSync(source, path.join(place, 'rg'));
}

/** A process that is gone, or one of another user, cannot be asked; only the first counts. @param {number} pid */
function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Installations are built under the name of their process; those of dead processes are rubbish. */
function removeAbandoned() {
  for (const name of readdirSync(hostsFolder)) {
    const match = /^vscode-.*\.building-(\d+)$/.exec(name);
    if (match && !isRunning(Number(match[1]))) rmSync(path.join(hostsFolder, name), { recursive: true, force: true });
  }
}

/**
 * Builds beside the final place and renames, so that a host is whole or absent, and two installers cannot mix.
 * @param {HostVersion} version
 * @returns {string} the folder of the host
 */
export function installHost(version) {
  const folder = hostFolder(version);
  if (isInstalled(version)) return folder;
  if (process.platform !== 'linux') {
    throw new InstallError(
      `VS Code ${version} is installed from npm on Linux only. Install the desktop VS Code instead: with \`code\` on ` +
        'PATH `npm start` uses it, and with MESHLENS_DESKTOP=1 the tests download and use it.',
    );
  }
  console.log(`Installing VS Code ${version} from npm (${recipes[version].size}, up to a minute)…`);
  mkdirSync(hostsFolder, { recursive: true });
  removeAbandoned();
  const building = `${folder}.building-${process.pid}`;
  mkdirSync(building);
  try {
    buildHost(version, building);
    writeFileSync(stampFile(building), stampText(version));
    if (!isInstalled(version)) {
      rmSync(folder, { recursive: true, force: true });
      renameSync(building, folder);
    }
  } finally {
    rmSync(building, { recursive: true, force: true });
  }
  return folder;
}

const fontFolders = ['/usr/share/fonts/truetype/dejavu', '/usr/share/fonts/truetype/liberation'];

/** @returns {string | undefined} why apt-get cannot be used here */
function aptObstacle() {
  if (!existsSync('/usr/bin/apt-get')) return 'this system has no apt-get';
  if (process.getuid?.() !== 0) return 'apt-get needs root';
  return undefined;
}

/** @param {string[]} packages */
function aptInstall(packages) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const install = () => attempt('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...packages], { env });
  // The package lists of a fresh or an old machine are missing or stale: fetch them when they turn out to be.
  return install() && (attempt('apt-get', ['update', '-q'], { env }) ?? install());
}

/**
 * @returns {string} the browser's program
 */
export function installBrowser() {
  const present = findBrowser();
  const fontsMissing = fontFolders.some(folder => !existsSync(folder));
  const obstacle = aptObstacle();
  if (present && (!fontsMissing || obstacle)) return present;
  const packages = [...(present ? [] : ['chromium']), ...(fontsMissing ? ['fonts-dejavu', 'fonts-liberation'] : [])];
  if (!obstacle) console.log(`Installing ${packages.join(', ')} with apt-get…`);
  const failed = obstacle ?? aptInstall(packages);
  // Without the fonts only the screenshots look different.
  const browser = findBrowser();
  if (browser) return browser;
  throw new InstallError(
    `Chromium could not be installed: ${failed ?? 'apt-get put it at an unknown place'}.\nInstall Chromium or Google ` +
      'Chrome by hand (Debian: `apt-get install chromium fonts-dejavu fonts-liberation` as root), or set ' +
      'MESHLENS_CHROMIUM to the path of one.',
  );
}

/** @param {string[]} args */
function main(args) {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string', multiple: true, default: [] },
      browser: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return;
  }
  const everything = values.only.length === 0 && !values.browser;
  const versions = everything ? hostVersions : values.only.map(parseVersion);
  for (const version of versions) console.log(`VS Code ${version}: ${installHost(version)}`);
  if (everything || values.browser) console.log(`Chromium: ${installBrowser()}`);
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  try {
    main(process.argv.slice(2));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}

// Where the VS Code hosts and the browser of this repository's tests lie, and whether they are there.
// Node's own modules only: `npm start` loads this file before anything is installed.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** @typedef {'1.100' | '1.139'} HostVersion */

/**
 * @typedef {object} HostRecipe
 * @property {string} vscode the exact version of VS Code inside, for a download of the desktop one
 * @property {string} size what it takes on the disk, for the message to whoever waits for it
 * @property {Record<string, string>} packages what is installed from npm at the top of the host's folder
 * @property {string[]} inner folders of code-server whose own dependencies have to be installed as well
 */

export const repositoryRoot = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
export const hostsFolder = path.join(repositoryRoot, '.vscode-test');

/** The oldest VS Code that package.json's engines name, and the newest that npm offers. @type {HostVersion[]} */
export const hostVersions = ['1.100', '1.139'];

/** @type {HostVersion} */
export const newestHost = '1.139';

const nodePackage = `node-${process.platform}-${process.arch}`;

/** @type {Record<HostVersion, HostRecipe>} */
export const recipes = {
  '1.100': {
    vscode: '1.100.3',
    size: '0.4 GB',
    // This version looks for a ripgrep that it does not ship.
    packages: { 'code-server': '4.100.3', '@vscode/ripgrep-universal': '1.18.0' },
    inner: ['lib/vscode', 'lib/vscode/extensions'],
  },
  1.139: {
    vscode: '1.139.1',
    size: '0.8 GB',
    // This version wants Node 24, whichever Node runs the repository's scripts.
    packages: { 'code-server': '4.139.1', [nodePackage]: '24' },
    inner: ['lib/vscode'],
  },
};

/** @param {HostVersion} version */
export const hostFolder = version => path.join(hostsFolder, `vscode-${version}`);

/** The program that is VS Code's server, inside a host's folder. @param {string} folder */
export const serverProgram = folder => path.join(folder, 'node_modules/code-server/lib/vscode/out/server-main.js');

/** The Node that runs a host: its own where it brings one. @param {string} folder */
export function hostNode(folder) {
  const own = path.join(folder, 'node_modules', nodePackage, 'bin/node');
  return existsSync(own) ? own : process.execPath;
}

/** The stamp is written last, so a host that has one is whole. @param {string} folder */
export const stampFile = folder => path.join(folder, 'installed.json');

/** What the stamp of a host says; another recipe makes the host stale. @param {HostVersion} version */
export const stampText = version => JSON.stringify({ layout: 1, ...recipes[version] });

/** @param {HostVersion} version */
export function isInstalled(version) {
  try {
    return readFileSync(stampFile(hostFolder(version)), 'utf8') === stampText(version);
  } catch {
    return false;
  }
}

/**
 * The folder of a host that a test is about to use.
 * @param {HostVersion} version
 * @returns {string}
 */
export function installedHost(version) {
  if (!isInstalled(version)) {
    throw new Error(`VS Code ${version} is not installed for the tests. Run: npm run hosts -- --only ${version}`);
  }
  return hostFolder(version);
}

/**
 * @param {string} text
 * @returns {HostVersion}
 */
export function parseVersion(text) {
  const version = hostVersions.find(known => known === text);
  if (!version) throw new Error(`No host for VS Code '${text}': there are ${hostVersions.join(' and ')}.`);
  return version;
}

const browsers = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
];

/**
 * A Chromium for Playwright; MESHLENS_CHROMIUM names another one.
 * @returns {string | undefined}
 */
export function findBrowser() {
  const named = process.env.MESHLENS_CHROMIUM;
  if (named) return existsSync(named) ? named : undefined;
  return browsers.find(candidate => existsSync(candidate));
}

/** @returns {string} */
export function installedBrowser() {
  const browser = findBrowser();
  if (!browser) {
    throw new Error(
      'No Chromium for the tests. Run: npm run hosts -- --browser, or set MESHLENS_CHROMIUM to its path.',
    );
  }
  return browser;
}

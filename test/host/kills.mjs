// Kills the extension host of a served VS Code in the midst of MeshLens's writes, and looks at what is left:
// `node test/host/kills.mjs 1.139 [times]`. The writes are those of test/inhost/killed.ts.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { launchBrowser } from './browser.mjs';
import { installedHost, parseVersion, repositoryRoot } from './places.mjs';
import { exitOnSignals, makeDataDir, quietSettings, removeDataDir, startServer, workbenchUrl } from './server.mjs';

const stages = ['report', 'memory', 'config', 'export'];
const model = 'llama-3.1-8b';
const plans = ['dp=4,tp=2,pp=2', 'dp=2,tp=4,pp=2'];
const mostPause = { report: 15, memory: 30, config: 600, export: 300 };
const lastMilliseconds = 240_000;

const pause = (/** @type {number} */ milliseconds) => new Promise(resolve => setTimeout(resolve, milliseconds));

/** @template T @param {string} what @param {() => T | undefined} look @returns {Promise<T>} */
async function waitFor(what, look) {
  const last = Date.now() + lastMilliseconds;
  for (;;) {
    const found = look();
    if (found !== undefined) return found;
    if (Date.now() > last) throw new Error(`still waiting for ${what}`);
    await pause(5);
  }
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** All processes below one. @param {number} pid @returns {number[]} */
function below(pid) {
  const { stdout } = spawnSync('ps', ['-e', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  const pairs = stdout
    .trim()
    .split('\n')
    .map(line => line.trim().split(/\s+/).map(Number));
  const children = pairs.filter(([, parent]) => parent === pid).map(([child]) => child);
  return children.flatMap(child => [child, ...below(child)]);
}

/** The texts that the config may have: as it was, and with each plan, as the command line writes it. @param {string} workspace */
function legalTexts(workspace) {
  const copy = `${workspace}-copy`;
  cpSync(path.join(workspace, model), copy, { recursive: true });
  const file = path.join(copy, 'train.json');
  const texts = [readFileSync(file, 'utf8')];
  for (const plan of [...plans, ...plans]) {
    const args = [path.join(repositoryRoot, 'dist/cli.js'), 'apply', file, path.join(copy, 'config.json')];
    const { status } = spawnSync(process.execPath, [...args, '--plan', plan, '--write'], { stdio: 'ignore' });
    assert.equal(status, 0, `apply --plan ${plan}`);
    texts.push(readFileSync(file, 'utf8'));
  }
  return texts;
}

/** The plans of which the extension host knew that they were kept. @param {string} exchange */
function keptNames(exchange) {
  const file = path.join(exchange, 'kept');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
}

/**
 * Until the workbench, which is told of a plan at once, has put it into the store of its page, which it does in pauses.
 * @param {import('playwright-core').Page} page
 * @param {string | undefined} name
 */
async function stored(page, name) {
  if (name === undefined) return;
  const look = async (/** @type {string} */ wanted) => {
    /** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
    const settled = request =>
      new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    for (const { name: database } of await indexedDB.databases()) {
      if (!database?.startsWith('vscode-web-state-db-')) continue;
      const opened = await settled(indexedDB.open(database));
      const items = await settled(opened.transaction('ItemTable').objectStore('ItemTable').getAll());
      opened.close();
      if (JSON.stringify(items).includes(wanted)) return true;
    }
    return false;
  };
  await page.waitForFunction(look, name, { polling: 100, timeout: lastMilliseconds });
}

/** What a kill has left on the disk. @param {string} workspace @param {string[]} legal */
function checkDisk(workspace, legal) {
  const folder = path.join(workspace, model);
  assert.ok(
    legal.includes(readFileSync(path.join(folder, 'train.json'), 'utf8')),
    'the config is a text of ours, whole',
  );
  const report = path.join(workspace, 'report.html');
  if (existsSync(report))
    assert.match(readFileSync(report, 'utf8'), /^(?:a{3000000}|b{3000000})$/, 'the report is whole');
  for (const name of readdirSync(folder).filter(one => one.startsWith('axolotl'))) {
    for (const file of readdirSync(path.join(folder, name)))
      assert.match(readFileSync(path.join(folder, name, file), 'utf8'), /\n$/, `${name}/${file} is whole`);
    rmSync(path.join(folder, name), { recursive: true });
  }
  return readdirSync(workspace).filter(name => name.startsWith('report.html.')).length;
}

/**
 * Returns how often each stage was met.
 * @param {import('./places.mjs').HostVersion} version
 * @param {number} times
 * @param {(line: string) => void} say
 */
export async function killHosts(version, times, say) {
  const top = mkdtempSync(path.join(os.tmpdir(), 'mlkill-'));
  const [workspace, exchange] = ['workspace', 'exchange'].map(name => path.join(top, name));
  cpSync(path.join(repositoryRoot, 'examples'), workspace, { recursive: true });
  mkdirSync(exchange);
  const legal = legalTexts(workspace);
  const dataDir = makeDataDir();
  const env = { MESHLENS_KILLS_FOLDER: exchange };
  const server = await startServer({ root: installedHost(version), dataDir, settings: quietSettings, env });
  const browser = await launchBrowser();
  const context = await browser.newContext();
  const tests = path.join(repositoryRoot, 'out/test/killed.js');
  const address = workbenchUrl(server.port, { folder: workspace, extensions: [repositoryRoot], tests });
  const read = (/** @type {string} */ name) => {
    const file = path.join(exchange, name);
    return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
  };
  /** @type {Record<string, number>} */
  const met = {};
  let killed = 0;
  try {
    for (let round = 0; round <= times; round++) {
      const page = await context.newPage();
      await page.exposeFunction('codeAutomationExit', () => undefined);
      await page.exposeFunction('codeAutomationLog', () => undefined);
      await page.goto(address, { timeout: lastMilliseconds });
      const {
        pid,
        plans: present,
        lenses,
      } = await waitFor('the extension host', () => {
        const found = read('found');
        return found === undefined || found.pid === killed ? undefined : found;
      });
      assert.ok(lenses.length > 0, 'the config has its line again');
      const kept = keptNames(exchange);
      assert.deepEqual(
        kept.filter(name => !present.includes(name)),
        [],
        'every plan that was kept is there',
      );
      if (round === times) break;
      const wanted = stages[round % stages.length];
      await waitFor(`the stage ${wanted}`, () => (read('stage') === wanted ? true : undefined));
      await pause(Math.random() * mostPause[wanted]);
      const stage = read('stage');
      const children = below(pid);
      process.kill(pid, 'SIGKILL');
      killed = pid;
      met[stage] = (met[stage] ?? 0) + 1;
      await waitFor('its end', () => (isRunning(pid) || children.some(isRunning) ? undefined : true));
      await stored(page, keptNames(exchange).at(-1));
      await page.close();
      const leftovers = checkDisk(workspace, legal);
      assert.ok(leftovers <= 1, `${leftovers} files left beside the report`);
      if ((round + 1) % 5 === 0) say(`${round + 1} extension hosts killed: ${JSON.stringify(met)}`);
    }
  } finally {
    await browser.close();
    await server.stop();
    removeDataDir(dataDir);
    rmSync(top, { recursive: true, force: true, maxRetries: 3 });
  }
  return met;
}

if (process.argv[1] === import.meta.filename) {
  exitOnSignals();
  const [version = '1.139', times = '3'] = process.argv.slice(2);
  console.log(await killHosts(parseVersion(version), Number(times), console.log));
}

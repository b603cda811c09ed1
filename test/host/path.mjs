// The path from the README to a better plan in the file, click by click in a served VS Code: `node test/host/path.mjs`.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync, watch } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { repositoryRoot } from './places.mjs';
import { openWorkbench } from './ui.mjs';

const MOST_CLICKS = 6;
const model = 'llama-3.1-8b';
// A search on a busy machine takes its time, as does the first start of the extension host.
const limit = 90_000;

/** What the command line says of the example as it stands on the disk. @param {string} folder */
function tokensPerSecond(folder) {
  const files = ['train.json', 'config.json'].map(name => path.join(folder, model, name));
  const args = [path.join(repositoryRoot, 'dist/cli.js'), 'estimate', ...files, '--gpu', 'h100-sxm', '--json'];
  const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 1e8 });
  return JSON.parse(stdout).throughput.tokensPerSecondPerGpu;
}

/** Returns the number of clicks. @param {string} folder a copy of the examples */
async function walk(folder) {
  // What is written reaches the disk by itself, as a served VS Code has it by default.
  const settings = { 'files.autoSave': 'afterDelay' };
  const { page, frame, lens, close } = await openWorkbench({ folder, openFile: `${model}/train.json`, settings });
  page.setDefaultTimeout(limit);
  let clicks = 0;
  /** @param {import('playwright-core').Locator} place */
  const click = async place => {
    await place.click();
    clicks++;
  };
  try {
    await click(await lens('tok/s/GPU'));
    await click(frame().locator('[role=tab]', { hasText: 'Search' }));
    await click(frame().locator('#search-button'));
    await click(frame().locator('#best-1-apply'));
    const write = page.locator('.editor-actions .action-label[aria-label^="Write"]');
    const saving = once(watch(path.join(folder, model, 'train.json'), { persistent: false }), 'change');
    await click(write);
    await saving;
    await page.locator('.tab.dirty').waitFor({ state: 'detached' });
  } finally {
    await close();
  }
  return clicks;
}

/** @returns {Promise<{passes: number, failures: number, pending: number}>} */
export async function runPath() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'mlpath-'));
  try {
    cpSync(path.join(repositoryRoot, 'examples'), folder, { recursive: true });
    const before = tokensPerSecond(folder);
    const clicks = await walk(folder);
    const after = tokensPerSecond(folder);
    console.log(`${clicks} clicks: ${before.toFixed(0)} → ${after.toFixed(0)} tokens/s per GPU`);
    assert.ok(after > before, 'the plan that was written is no better');
    assert.ok(clicks <= MOST_CLICKS, `${clicks} clicks`);
    return { passes: 1, failures: 0, pending: 0 };
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

if (process.argv[1] === import.meta.filename) await runPath();

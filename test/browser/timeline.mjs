// Runs the timeline in Chromium: `node test/browser/timeline.mjs [part of a title]`; pictures go to out/screenshots.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '../host/places.mjs';
import { pipelines } from '../fixtures/timeline/make.mjs';
import { themes } from './dashboard.mjs';
import { checks } from './timelineChecks.mjs';
import { settle, startTimelines } from './timelinePage.mjs';

const folder = path.join(repositoryRoot, 'out/screenshots');

/** @param {Awaited<ReturnType<typeof startTimelines>>} timelines */
async function takeScreenshots({ open }) {
  mkdirSync(folder, { recursive: true });
  const save = (page, name) => page.screenshot({ path: path.join(folder, `timeline-${name}.png`), fullPage: true });
  for (const [name, inputs] of Object.entries(pipelines)) await save(await open({ inputs }), name);
  await save(await open({ inputs: pipelines.barrier, width: 400 }), 'narrow');
  for (const theme of themes) {
    const page = await open({ inputs: pipelines.joined, theme });
    await page.locator('.timeline-plot').first().focus();
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', '+', '+', '+']) await page.keyboard.press(key);
    for (let i = 0; i < 10; i++) await page.keyboard.press('ArrowRight');
    await settle(page);
    await save(page, `theme-${theme}`);
  }
}

/**
 * @param {string} [filter] runs only the checks whose title has this in it
 * @returns {Promise<{passes: number, failures: number, pending: number, failed: {title: string, message: string}[]}>}
 */
export async function runTimelineTests(filter = '') {
  const result = { passes: 0, failures: 0, pending: 0, failed: [] };
  const timelines = await startTimelines();
  try {
    for (const { title, run } of checks.filter(({ title }) => title.includes(filter))) {
      try {
        await run(timelines);
        result.passes++;
      } catch (error) {
        result.failures++;
        result.failed.push({ title, message: error instanceof Error ? error.message : String(error) });
      } finally {
        await timelines.closePages();
      }
    }
    if (filter === '') await takeScreenshots(timelines);
  } finally {
    await timelines.stop();
  }
  return result;
}

if (process.argv[1] === import.meta.filename) {
  const { passes, failures, failed } = await runTimelineTests(process.argv[2]);
  for (const { title, message } of failed) console.error(`✗ ${title}\n  ${message.replaceAll('\n', '\n  ')}`);
  console.log(`${passes} passed, ${failures} failed`);
  process.exitCode = failures > 0 ? 1 : 0;
}

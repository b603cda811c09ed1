// The page that replays the lecture, checked in a real browser.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { check, sent, text } from './checking.mjs';
import { readState, themes } from './dashboard.mjs';

/** @typedef {import('playwright-core').Page} Page */

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const scenes = readState('lecture');

/** Sends the scenes of a demonstration as the extension does. @param {Page} page @param {string} demo */
async function deliver(page, demo) {
  const state = { demo, phase: 'done', scenes: scenes[demo] };
  await page.evaluate(sentState => window.postMessage({ type: 'lecture', state: sentState }, '*'), state);
  await page.waitForSelector('#lecture-scene');
}

const place = async page => /** @type {string} */ (await text(page, '#scene-status .note'));
const count = scenes.collectives.length;

check('lecture: asks for its demonstration, waits in words, and shows each rank’s values', async ({ openLecture }) => {
  const page = await openLecture({});
  assert.deepEqual(await sent(page), [{ type: 'wanted', demo: 'collectives' }]);
  assert.match(await text(page, '#lecture-waiting'), /runs…/);
  await deliver(page, 'collectives');
  assert.match(await text(page, '#scene-text'), /^all-reduce begins/);
  const cells = await page.locator('#scene-ranks tbody tr').evaluateAll(rows => rows.map(row => row.textContent));
  assert.deepEqual(cells, ['0[0, 1, 2, 3]', '1[1, 2, 3, 4]', '2[2, 3, 4, 5]', '3[3, 4, 5, 6]']);
  assert.match(await text(page, '#scene-lines'), /Rank 3 \[before all-reduce\]: tensor\(\[3\., 4\., 5\., 6\.\]/);
});

check('lecture: moves by keys, buttons and the slider', async ({ openLecture }) => {
  const page = await openLecture({});
  await deliver(page, 'collectives');
  await page.keyboard.press('ArrowRight');
  assert.equal(await place(page), `Step 2 of ${count}`);
  assert.equal(await page.locator('.changed').count(), 4, 'each rank has one new sum');
  await page.keyboard.press('End');
  assert.equal(await place(page), `Step ${count} of ${count}`);
  assert.equal(await page.getAttribute('#next', 'aria-disabled'), 'true');
  await page.keyboard.press('ArrowRight');
  assert.equal(await place(page), `Step ${count} of ${count}`);
  await page.keyboard.press('Home');
  assert.equal(await place(page), `Step 1 of ${count}`);
  await page.focus('#next');
  await page.keyboard.press('Enter');
  assert.equal(await place(page), `Step 2 of ${count}`);
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'next');
  await page.focus('#place');
  await page.keyboard.press('ArrowRight');
  assert.equal(await place(page), `Step 3 of ${count}`);
  assert.match(await page.getAttribute('#place', 'aria-valuetext'), /Step 3/);
});

check('lecture: plays, pauses and stops at the end', async ({ openLecture }) => {
  const page = await openLecture({ clock: true });
  await deliver(page, 'collectives');
  await page.keyboard.press('p');
  assert.equal(await text(page, '#play'), 'Pause');
  await page.clock.runFor(5100);
  assert.equal(await place(page), `Step 3 of ${count}`);
  await page.click('#play');
  await page.clock.runFor(10_000);
  assert.equal(await place(page), `Step 3 of ${count}`);
  await page.keyboard.press('p');
  await page.clock.runFor(100_000);
  assert.equal(await place(page), `Step ${count} of ${count}`);
  assert.equal(await text(page, '#play'), 'Play');
});

check('lecture: nothing plays by itself where motion is reduced', async ({ openLecture }) => {
  const page = await openLecture({ clock: true, reducedMotion: 'reduce' });
  await deliver(page, 'collectives');
  assert.equal(await page.locator('#play').count(), 0);
  await page.keyboard.press('p');
  await page.clock.runFor(10_000);
  assert.equal(await place(page), `Step 1 of ${count}`);
  assert.match(await text(page, '#lecture-controls'), /use Next/);
});

check('lecture: every scene of every demonstration has its words and values', async ({ openLecture }) => {
  const page = await openLecture({});
  for (const [demo, list] of Object.entries(scenes)) {
    await page.selectOption('#demo', demo);
    assert.deepEqual((await sent(page)).at(-1), { type: 'wanted', demo });
    await deliver(page, demo);
    for (const scene of list) {
      const shown = await text(page, '#lecture-scene');
      assert.doesNotMatch(shown, /\{\w+\}|NaN|undefined/, scene.code);
      for (const line of scene.lines) assert.ok(shown.includes(line), line);
      assert.equal(await page.locator('#scene-ranks tbody tr').count(), scene.ranks.length);
      await page.click('#next', { force: true });
    }
  }
});

check('lecture: a demonstration that breaks off says so; the place survives a new page', async ({ openLecture }) => {
  const page = await openLecture({});
  const state = { demo: 'collectives', phase: 'failed', message: 'no memory' };
  await page.evaluate(failed => window.postMessage({ type: 'lecture', state: failed }, '*'), state);
  await page.waitForFunction(() => document.querySelector('#lecture-waiting')?.textContent?.includes('no memory'));
  await deliver(page, 'collectives');
  await page.keyboard.press('ArrowRight');
  await page.reload();
  await page.waitForFunction(() => window.sent?.some(({ type }) => type === 'wanted'));
  await deliver(page, 'collectives');
  assert.equal(await place(page), `Step 2 of ${count}`);
});

for (const theme of themes)
  check(
    `lecture, ${theme}: axe finds nothing; nothing breaks the policy or is wider than the page`,
    async dashboards => {
      const page = await dashboards.openLecture({ theme, width: 320 });
      await deliver(page, 'collectives');
      await page.keyboard.press('ArrowRight');
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() => window.axe.run(document));
      assert.deepEqual(
        violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`),
        [],
      );
      assert.deepEqual(await page.evaluate(() => window.violations), []);
      assert.deepEqual(page.errors, []);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
    },
  );

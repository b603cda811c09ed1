// What the timeline promises, checked in a real browser. Each check gets the pages and throws where one is broken.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pipeline, pipelines } from '../fixtures/timeline/make.mjs';
import { themes } from './dashboard.mjs';
import { settle } from './timelinePage.mjs';

/** @typedef {Awaited<ReturnType<typeof import('./timelinePage.mjs').startTimelines>>} Timelines */
/** @typedef {import('playwright-core').Page} Page */

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** @type {{title: string, run: (timelines: Timelines) => Promise<void>}[]} */
export const checks = [];
/** @param {string} title @param {(timelines: Timelines) => Promise<void>} run */
const check = (title, run) => checks.push({ title: `timeline: ${title}`, run });

/** @param {Page} page @param {number} lane */
const plot = (page, lane = 0) => page.locator('.timeline-plot').nth(lane);
/** What a lane's canvas shows. @param {Page} page */
const drawn = async (page, lane = 0) => {
  await settle(page);
  return plot(page, lane)
    .locator('canvas')
    .evaluate(canvas => canvas.toDataURL());
};
/** @param {Page} page */
const said = page => page.locator('[aria-live]').innerText();
/** @param {Page} page */
const tip = (page, lane = 0) => plot(page, lane).locator('.timeline-tip');

for (const [name, inputs] of Object.entries(pipelines)) {
  check(`${name}: no violation of the security policy, no error, nothing wider than the page`, async ({ open }) => {
    const page = await open({ inputs, width: 320 });
    await page.locator('[data-timeline=toggleTables]').click();
    await settle(page);
    assert.deepEqual(await page.evaluate(() => window.violations), []);
    assert.deepEqual(page.errors, []);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
  });
}

for (const theme of themes) {
  check(`${theme}: no serious finding of axe, with and without tables`, async ({ open }) => {
    const page = await open({ inputs: pipelines.unequal, theme });
    await page.evaluate(axe);
    for (const withTables of [false, true]) {
      if (withTables) {
        await page.locator('[data-timeline=toggleTables]').click();
        await page.locator('details summary').first().click();
        await settle(page);
      }
      const findings = await page.evaluate(async () => (await window.axe.run(document)).violations);
      const serious = findings.filter(({ impact }) => impact === 'serious' || impact === 'critical');
      assert.deepEqual(
        serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`),
        [],
      );
    }
  });
}

check('keys walk from pass to pass and say where they are', async ({ open }) => {
  const page = await open({ inputs: pipelines.barrier });
  await plot(page).focus();
  const after = async (...keys) => {
    for (const key of keys) await page.keyboard.press(key);
    return said(page);
  };
  assert.match(
    await after('ArrowRight'),
    /^F0 on stage 0\. Start: 0 s\. End: 12\.0 ms\. Duration: 12\.0 ms\. Waits for: nothing/,
  );
  assert.match(await after('ArrowRight'), /^F1 on stage 0\. Start: 12\.0 ms/);
  assert.match(await after('ArrowDown'), /^F0 on stage 1\. .*Waits for: F0 on stage 0, until 12\.0 ms/);
  assert.match(await after('Enter'), /^F0 on stage 0/);
  assert.match(await after('End'), /^W31 on stage 0/);
  assert.match(await after('Home'), /^F0 on stage 0\. .*Held: 2\.1 GB \(1 micro-batch\)/);
  assert.match(await after('ArrowUp', 'ArrowLeft'), /^F0 on stage 0/);
  assert.equal(await tip(page).isVisible(), true);
  assert.equal(await tip(page).locator('strong').innerText(), 'F0 on stage 0');
  await page.keyboard.press('Tab');
  assert.equal(await plot(page, 1).evaluate(element => element === document.activeElement), true);
  assert.equal(await tip(page).isVisible(), false);
});

check('keys zoom, move and fit, and the other lane follows', async ({ open }) => {
  const page = await open({ inputs: pipelines.barrier });
  const whole = [await drawn(page, 0), await drawn(page, 1)];
  await plot(page).focus();
  await page.keyboard.press('+');
  await page.keyboard.press('+');
  const close = [await drawn(page, 0), await drawn(page, 1)];
  assert.ok(close[0] !== whole[0] && close[1] !== whole[1]);
  await page.keyboard.press('Shift+ArrowRight');
  assert.notEqual(await drawn(page), close[0]);
  await page.keyboard.press('0');
  assert.deepEqual([await drawn(page, 0), await drawn(page, 1)], whole);
  await page.keyboard.press('-');
  assert.equal(await drawn(page), whole[0]);
});

check('the selected pass stays in sight on a long walk, far zoomed in', async ({ open }) => {
  const page = await open({ inputs: pipelines.barrier });
  await plot(page).focus();
  await page.keyboard.press('ArrowRight');
  for (let i = 0; i < 8; i++) await page.keyboard.press('+');
  const first = await drawn(page);
  for (let i = 0; i < 12; i++) await page.keyboard.press('ArrowRight');
  assert.notEqual(await drawn(page), first);
  assert.equal(await tip(page).isVisible(), true);
  const box = await tip(page).boundingBox();
  assert.ok(box.x >= 0 && box.x + box.width <= 1100);
});

check('the pointer hovers over passes and pauses, drags, and zooms with Ctrl', async ({ open }) => {
  const page = await open({ inputs: [pipeline({ schedule: '1f1b' })] });
  const box = await plot(page).boundingBox();
  await page.mouse.move(box.x + 50, box.y + 30);
  assert.equal(await tip(page).locator('strong').innerText(), 'F0 on stage 0');
  await page.mouse.move(box.x + 50, box.y + 30 + 7 * 28);
  assert.equal(await tip(page).locator('strong').innerText(), 'Stage 7 idles');
  const whole = await drawn(page);
  await page.mouse.wheel(0, 40);
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -200);
  await page.keyboard.up('Control');
  const close = await drawn(page);
  assert.notEqual(close, whole);
  await page.mouse.move(box.x + 500, box.y + 60);
  await page.mouse.down();
  await page.mouse.move(box.x + 300, box.y + 60, { steps: 4 });
  await page.mouse.up();
  assert.notEqual(await drawn(page), close);
  assert.equal(await said(page), '');
  await page.locator('[data-timeline=fit]').click();
  await page.mouse.click(box.x + 60, box.y + 60);
  assert.match(await said(page), /^F0 on stage 1/);
});

check('two fingers zoom', async ({ open }) => {
  const page = await open({ inputs: pipelines.single });
  const box = await plot(page).boundingBox();
  const whole = await drawn(page);
  const client = await page.context().newCDPSession(page);
  const touch = (type, ...places) =>
    client.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: places.map((x, id) => ({ x: box.x + x, y: box.y + 60, id })),
    });
  await touch('touchStart', 400, 600);
  for (let step = 1; step <= 5; step++) await touch('touchMove', 400 - 20 * step, 600 + 20 * step);
  await touch('touchEnd');
  assert.notEqual(await drawn(page), whole);
  await page.locator('[data-timeline=fit]').click();
  assert.equal(await drawn(page), whole);
});

check('figures and notes say what the simulation says', async ({ open }) => {
  const page = await open({ inputs: pipelines.barrier });
  const values = lane => page.locator('.timeline-lane').nth(lane).locator('.value').allInnerTexts();
  assert.deepEqual(await values(0), ['1.24 s', '6.8 %', '6.8 %', '8', '16.8 GB of 40.0 GB']);
  assert.deepEqual(await values(1), ['1.24 s', '6.8 %', '0.0 %', '15.94', '33.5 GB of 40.0 GB']);
  const note = await page.locator('[data-code=barrier-twin]').innerText();
  assert.match(note, /nothing is gained, at 1\.99× the activations/);
  await page.evaluate(inputs => window.timeline.update(inputs), pipelines.unequal);
  assert.match(
    await page.locator('[data-code=unequal-passes]').innerText(),
    /bubble 29\.7 % .* loses to 1F1B with 19\.8 %/,
  );
});

check('any schedule that the shape admits can be compared with, others say why not', async ({ open }) => {
  const page = await open({ inputs: [pipeline({ schedule: '1f1b', stages: 7 })] });
  const select = page.locator('#timeline-compare');
  const option = value => select.locator(`option[value="${value}"]`);
  assert.equal(await option('dualpipe').innerText(), 'DualPipe – needs an even number of stages');
  assert.equal(await option('dualpipe').isDisabled(), true);
  await select.selectOption('zb-v');
  assert.deepEqual(await page.locator('.timeline-lane h3').allInnerTexts(), [
    '1F1B 7 stages · 32 micro-batches',
    'ZB-V 7 stages · 32 micro-batches · 2 chunks a stage',
  ]);
  // A new snapshot keeps the user's choice.
  await page.evaluate(inputs => window.timeline.update(inputs), [pipeline({ schedule: 'gpipe', stages: 7 })]);
  assert.equal(await select.inputValue(), 'zb-v');
  await select.selectOption('');
  assert.equal(await page.locator('.timeline-lane').count(), 1);
});

check('a schedule that the shape forbids is a sentence', async ({ open }) => {
  const page = await open({ inputs: [pipeline({ schedule: 'dualpipe', stages: 7 }), pipeline({ schedule: '1f1b' })] });
  assert.match(await page.locator('.timeline-problem').innerText(), /needs an even number of stages/);
  assert.equal(await plot(page, 0).isVisible(), false);
  assert.equal(await plot(page, 1).isVisible(), true);
  assert.deepEqual(page.errors, []);
});

check('the tables have what the drawing has', async ({ open }) => {
  const page = await open({ inputs: pipelines.single });
  await page.locator('[data-timeline=toggleTables]').click();
  const rows = page.locator('#timeline-table-0-stages tbody tr');
  assert.equal(await rows.count(), 8);
  const cells = (await rows.first().locator('th, td').allInnerTexts()).map(text => text.trim());
  assert.deepEqual(cells, ['0', '1.15 s', '252 ms', '1.40 s', '8', '16.8 GB']);
  await page.locator('#timeline-table-0-passes summary').click();
  await settle(page);
  assert.equal(await page.locator('#timeline-table-0-list tbody tr').count(), 2 * 8 * 32);
});

check('exports a picture and a trace', async ({ open }) => {
  const page = await open({ inputs: pipelines.barrier });
  await page.locator('[data-timeline=saveTrace]').click();
  await page.locator('[data-timeline=savePicture]').click();
  await page.waitForFunction(() => window.exported.length === 2);
  const [trace, picture] = await page.evaluate(() => window.exported);
  assert.deepEqual([trace.name, trace.mime], ['timeline-zb-1p-zb-2p.trace.json', 'application/json']);
  const { traceEvents } = JSON.parse(Buffer.from(trace.data).toString());
  assert.equal(traceEvents.filter(({ ph }) => ph === 'X').length, 2 * 3 * 8 * 32);
  assert.deepEqual([picture.name, picture.mime], ['timeline-zb-1p-zb-2p.png', 'image/png']);
  assert.deepEqual(picture.data.slice(0, 8), [137, 80, 78, 71, 13, 10, 26, 10]);
  assert.ok(picture.data.length > 10_000);
});

check('follows the theme and the width, and leaves nothing behind', async ({ open }) => {
  const page = await open({ inputs: pipelines.barrier });
  const dark = await drawn(page);
  await page.evaluate(() => {
    document.documentElement.style.setProperty('--vscode-editor-background', '#ffffff');
    document.documentElement.style.setProperty('--vscode-editor-foreground', '#333333');
  });
  assert.notEqual(await drawn(page), dark);
  await page.setViewportSize({ width: 700, height: 900 });
  await settle(page);
  const width = await plot(page).evaluate(element => element.querySelector('canvas').clientWidth - element.clientWidth);
  assert.ok(width <= 0 && width > -2);
  await page.evaluate(() => window.timeline.dispose());
  assert.equal(await page.evaluate(() => document.querySelector('main').childElementCount), 0);
  assert.deepEqual(page.errors, []);
});

check('script of a draw (printed, not asserted)', async ({ open }) => {
  const page = await open({ scale: 2 });
  const ms = value => value.toFixed(1);
  for (const [input, zooms] of [
    [pipelines.large[0], [1, 2, 4, 8, 16, 32, 64, 128, 512, 2048, 16384]],
    [pipeline({ schedule: 'zb-1p', stages: 32, microBatches: 256 }), [1, 2, 4, 8, 16, 32, 64]],
  ]) {
    const result = await page.evaluate(([given, at]) => window.measure(given, at), [input, zooms]);
    console.log(
      `  ${input.stages} × ${input.microBatches} × ${input.virtual}, ${result.passes} passes: all of the engine ${ms(result.engine)} ms, simulation alone ${ms(result.simulation)} ms, model ${ms(result.model)} ms`,
    );
    for (const { zoom, least, median, most } of result.draws)
      console.log(`  zoom ${zoom}: ${ms(median)} ms (${ms(least)} to ${ms(most)})`);
  }
});

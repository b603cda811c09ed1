// The explorer of the layouts that a search found, checked in a real browser.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { check, sent, text } from './checking.mjs';
import { plainSearch, priced, readState, show, themes } from './dashboard.mjs';

/** @typedef {import('playwright-core').Page} Page */

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const explored = readState('explored');
const { document: found } = explored.search;

/** Texts of a column of the table. @param {Page} page @param {string} name of the column */
async function column(page, name) {
  const place = await page.locator(`#explorer-sort-${name}`).evaluate(button => button.closest('th').cellIndex);
  return page
    .locator('#explorer-table tbody tr')
    .evaluateAll((rows, index) => rows.map(row => row.cells[index].textContent), place);
}

const number = value => Number.parseFloat(value.replaceAll(',', ''));
const byNumber = (a, b) => number(a) - number(b);

check('explorer: proposals show what they break, and each change alone its gain', async ({ open }) => {
  const page = await open({ at: 'search', state: explored });
  assert.ok((await text(page, '#best-1')).includes(found.best[0].warnings[0]));
  assert.match(await text(page, '#found'), /One change at a time: gains do not add up/);
  assert.equal(await page.locator('#what-if-table tbody tr').count(), 6);
  await page.click('#what-if-more');
  assert.equal(await page.locator('#what-if-table tbody tr').count(), found.whatIfs.length);
  const first = await text(page, '#what-if-table tbody tr:first-child');
  assert.ok(first.includes(`${found.whatIfs[0].speedup.toFixed(2)}×`), first);
  await page.click('#what-if-1-apply');
  assert.deepEqual((await sent(page)).at(-1), { type: 'apply', planString: found.whatIfs[0].planString });
});

check('explorer: sorts by any column, both ways, and says so', async ({ open }) => {
  const page = await open({ at: 'search', state: explored });
  await page.click('#explorer-more');
  assert.equal(await page.locator('#explorer-table tbody tr').count(), 200);
  for (const name of ['tokens', 'memory', 'tp', 'microbatch']) {
    const button = page.locator(`#explorer-sort-${name}`);
    const state = () => button.evaluate(element => element.closest('th').ariaSort);
    if ((await state()) !== 'descending') await button.click();
    const values = await column(page, name);
    assert.equal(await state(), 'descending');
    assert.deepEqual(values.map(number), [...values].sort(byNumber).reverse().map(number));
    await button.click();
    const upwards = await column(page, name);
    assert.equal(await state(), 'ascending');
    assert.deepEqual(upwards.map(number), [...upwards].sort(byNumber).map(number));
  }
  assert.equal(await page.locator('[aria-sort]').count(), 1);
});

check('explorer: the filter leaves what it says, and explains what is wrong with it', async ({ open }) => {
  const page = await open({ at: 'search', state: explored });
  const filter = page.locator('#explorer-query');
  await filter.pressSequentially('@tp:2|4 @memory:<60 -@pp:1');
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'explorer-query');
  assert.ok((await column(page, 'tp')).every(tp => tp === '2' || tp === '4'));
  assert.ok((await column(page, 'memory')).every(memory => number(memory) < 60));
  assert.ok((await column(page, 'pp')).every(pp => pp !== '1'));
  const drawn = await page.evaluate(() => window.Chart.getChart('explorer-scatter').data.datasets.at(-1).data.length);
  assert.ok((await text(page, '#explorer-count')).startsWith(`${drawn} of `));
  await filter.fill('@cat:1');
  assert.match(await text(page, '#explorer-count'), /There is no column “cat”/);
  assert.equal(await filter.getAttribute('aria-invalid'), 'true');
  await filter.fill('no such layout');
  assert.match(await text(page, '#explorer'), /No layout matches/);
  await page.reload();
  await page.waitForFunction(() => window.sent?.some(({ type }) => type === 'ready'));
  await show(page, explored);
  assert.equal(await filter.inputValue(), 'no such layout');
});

check('explorer: a layout stands beside the present plan, is applied and copied', async ({ open }) => {
  const page = await open({ at: 'search', state: explored });
  await page.evaluate(() => {
    window.copied = [];
    navigator.clipboard.writeText = async copy => void window.copied.push(copy);
  });
  await page.focus('#explorer-row-1');
  await page.keyboard.press('Enter');
  assert.equal(await page.getAttribute('#explorer-row-1', 'aria-pressed'), 'true');
  const shown = await text(page, '#explorer-chosen');
  assert.ok(shown.includes(found.best[0].planString));
  const { beforeSeconds } = found.best[0].parts.find(
    ({ part, afterSeconds }) => part === 'bubble' && afterSeconds === 0,
  );
  const bubble = `${Math.round(beforeSeconds * 1e3)} ms`;
  assert.match(shown, new RegExp(`Pipeline bubble\\s+${bubble}\\s+0 s\\s+−${bubble}`));
  await page.click('#explorer-apply');
  assert.deepEqual((await sent(page)).at(-1), { type: 'apply', planString: found.best[0].planString });
  await page.click('#explorer-copy');
  assert.match(await text(page, '#explorer-copied'), /Copied/);
  assert.match((await page.evaluate(() => window.copied))[0], /\| plan \| dp=64,tp=1/);
  await page.click('#explorer-close');
  assert.equal(await page.locator('#explorer-chosen').count(), 0);
});

check('explorer: the shown rows are saved as CSV and JSON', async ({ open }) => {
  const page = await open({ at: 'search', state: explored });
  await page.fill('#explorer-query', '@tp:8');
  await page.click('#explorer-csv');
  await page.click('#explorer-json');
  const files = await page.evaluate(() =>
    window.sent
      .filter(({ type }) => type === 'save')
      .map(({ name, mime, data }) => ({ name, mime, text: new TextDecoder().decode(data) })),
  );
  assert.deepEqual(
    files.map(({ name, mime }) => `${name} ${mime}`),
    ['layouts.csv text/csv', 'layouts.json application/json'],
  );
  const [count] = (await text(page, '#explorer-count')).split(' ');
  assert.equal(files[0].text.trimEnd().split('\r\n').length, Number(count) + 1);
  assert.ok(JSON.parse(files[1].text).every(({ planString }) => planString.includes('tp=8')));
});

check('explorer: the heat map and the curve say what the layouts do', async ({ open }) => {
  const page = await open({ at: 'search', state: explored });
  const best = Math.round(found.layouts[0].tokensPerSecond).toLocaleString('en');
  assert.ok((await text(page, '#heat-table')).includes(best));
  // The largest number of GPUs in the document that keeps 80 %.
  const kept = found.scale.points.filter(({ efficiency }) => efficiency >= 0.8).at(-1).gpus;
  assert.ok((await text(page, '#scale')).includes(`Up to ${kept} GPUs keep at least 80 %`));
  const curve = await page.evaluate(() =>
    window.Chart.getChart('scale-chart').data.datasets.map(({ data }) => data.map(({ x, y }) => [x, y])),
  );
  assert.deepEqual(
    curve[0],
    found.scale.points.map(({ gpus, tokensPerSecond }) => [gpus, tokensPerSecond]),
  );
  await page.click('#scale-chart-table-toggle');
  assert.equal(await page.locator('#scale-table tbody tr').count(), found.scale.points.length);
});

check('explorer: the batch, the safe choice and the whole training, as far as they are known', async ({ open }) => {
  const page = await open({ at: 'search', state: explored });
  const shown = await text(page, '#further');
  assert.match(shown, /Largest micro-batch that fits/);
  // As differences from the present plan, key by key.
  const [before, after] = [found.current, found.robust].map(({ planString }) => planString.split(','));
  const news = after.filter(pair => !before.includes(pair)).map(pair => pair.replace('=', ' \\S+ → '));
  assert.ok(news.length > 0);
  for (const pair of news) assert.match(shown, new RegExp(pair));
  assert.ok(!shown.includes(found.robust.planString));
  assert.doesNotMatch(shown, /Cost|CO₂/);
  await show(page, { ...priced(explored), version: 2 });
  const known = await text(page, '#further');
  assert.match(known, /misses the deadline\s+10 days/);
  assert.match(known, /12,345[^]*0\.25[^]*1,000 kWh[^]*400 kg/);
  assert.doesNotMatch(known, /Water/);
});

check('a search is asked for what its goal says, and what says no number asks for nothing', async ({ open }) => {
  const page = await open({ at: 'search', state: explored });
  await page.click('#search-goal > summary');
  await page.selectOption('#goal-objective', 'time-to-train');
  await page.fill('#goal-tokens', '15000');
  await page.fill('#goal-days', '60');
  await page.fill('#goal-critical', '-3');
  await page.selectOption('#goal-scale', 'weak');
  await page.click('#search-button');
  const goal = { objective: 'time-to-train', tokens: 15e12, deadline: 60 * 86_400, scale: 'weak' };
  assert.deepEqual((await sent(page)).at(-1), { type: 'search', ask: { ...plainSearch, ...goal } });
  await page.click('#goal-prices');
  assert.deepEqual((await sent(page)).at(-1), { type: 'setPrice' });
});

check('explorer: safe, and nothing wider than the page', async ({ open }) => {
  const page = await open({ at: 'search', state: explored, width: 320 });
  await page.click('#explorer-more');
  await page.click('#explorer-row-2');
  await page.evaluate(() => document.querySelectorAll('details').forEach(details => (details.open = true)));
  await page.waitForTimeout(50);
  assert.deepEqual(await page.evaluate(() => window.violations), []);
  assert.deepEqual(page.errors, []);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
  assert.doesNotMatch(await text(page, '#search'), /NaN|undefined|Infinity/);
});

for (const theme of themes) {
  check(`explorer: ${theme}: axe finds nothing serious`, async ({ open }) => {
    const page = await open({ at: 'search', state: explored, theme });
    await page.fill('#explorer-query', '@tp:<8');
    await page.click('#explorer-row-2');
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => window.axe.run(document.querySelector('#search')));
    const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
    const said = grave.flatMap(({ id, nodes }) => nodes.map(node => `${id}: ${node.html} ${node.failureSummary}`));
    assert.deepEqual(said, []);
  });
}

check('explorer: everything that acts is reached by the keyboard', async ({ open }) => {
  const page = await open({ at: 'search', state: explored });
  await page.click('#explorer-row-1');
  const expected = await page.evaluate(() => {
    const acting = [...document.querySelectorAll('#explorer button, #explorer input, #explorer [tabindex="0"]')];
    return acting.filter(element => element.checkVisibility()).map(element => element.id);
  });
  await page.focus(`[id="${expected[0]}"]`);
  for (const [index, id] of expected.entries()) {
    if (index > 0) await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement?.id), id);
  }
});

check(
  'explorer: the best plan of a layout shows the parts of its step, and whether the file can say it',
  async ({ open }) => {
    const page = await open({ at: 'search', state: explored });
    const lists = ['best', 'elsewhere', 'pareto'].flatMap(name => found[name].map(({ planString }) => planString));
    const cell = found.layouts.find(({ planString }) => !lists.includes(planString));
    await page.fill('#explorer-query', '@list:layout');
    await page.click('#explorer-more');
    await page.click(`#explorer-table button[data-value="${cell.planString}"]`);
    assert.equal(await page.locator('#explorer-apply').count(), cell.applicable ? 1 : 0);
    const forward = `${(cell.time.forward * (cell.time.forward < 1 ? 1e3 : 1)).toPrecision(3)}`;
    assert.match(await text(page, '#explorer-chosen-part-table'), new RegExp(`Forward.*${forward}`, 's'));
    assert.equal(await page.locator('#scatter-table tbody tr').count(), Math.min(50, found.layouts.length));
  },
);

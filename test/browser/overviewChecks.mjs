// The cost of a run and the one thing to change first, checked in a real browser.
import assert from 'node:assert/strict';
import { check, sent, text } from './checking.mjs';
import { plainSearch, readState, show } from './dashboard.mjs';

check('the cost follows the price, and GPU-hours stand where there is none', async ({ open }) => {
  const state = readState('complete');
  const hours = 1e9 / state.estimate.throughput.tokensPerSecondPerGpu / 3600;
  const page = await open({ state });
  assert.equal(await text(page, '#card-cost .figure'), `${hours.toPrecision(3)} GPU-h`);
  await page.click('#set-price');
  assert.deepEqual((await sent(page)).at(-1), { type: 'setPrice' });
  const costs = { perGpuHour: 2.5, currency: 'EUR' };
  await show(page, { ...state, version: 2, costs });
  assert.equal(await text(page, '#card-cost .figure'), `${Math.round(hours * 2.5)} EUR`);
  await page.click('#how-cost-toggle');
  assert.match(await text(page, '#how-cost'), /÷ 3,600 × 2\.5 = \d+ EUR/);
});

check(
  'the first change is named with what it gains, and can be tried, applied or searched beyond',
  async ({ open }) => {
    const state = readState('complete');
    const page = await open({ state });
    await page.waitForSelector('#first-try');
    assert.match(await text(page, '#first'), /[\d.]+ % faster/);
    await page.click('#first-apply');
    assert.equal((await sent(page)).at(-1).type, 'apply');
    await page.click('#first-try');
    await page.waitForSelector('#what-if-banner');
    const gain = /([\d.]+) % more than the file/.exec(await text(page, '#card-tokens .delta'));
    assert.ok(Number(gain?.[1]) > 1);
    assert.equal(await page.locator('#first').count(), 0);
    await page.click('#what-if-reset');
    await page.click('#first-search');
    assert.ok(await page.isVisible('#search-button'));
    assert.deepEqual((await sent(page)).at(-1), { type: 'search', ask: plainSearch });
  },
);

check('a plan that does not fit is first made to fit', async ({ open }) => {
  const page = await open({ state: readState('out-of-memory') });
  await page.waitForSelector('#first-try');
  assert.match(await text(page, '#first'), /It fits/);
  await page.click('#first-try');
  await page.waitForSelector('#what-if-banner');
  assert.match(await text(page, '#card-memory .verdict'), /Fits/);
});

check('a setup without a model says so in one line, and asks for its file', async ({ open }) => {
  const state = readState('unknown');
  const [problem] = state.estimate.problems.filter(({ code }) => code === 'value-unknown');
  const sizes = ['layers', 'hidden', 'ffn', 'heads'].map(size => ({
    ...problem,
    message: `The ${size} is not known.`,
    args: { key: `model.${size}` },
  }));
  const estimate = { ...state.estimate, parameters: null, states: null, problems: [...sizes, problem] };
  const page = await open({ state: { ...state, estimate } });
  assert.match(await text(page, '#card-memory'), /A peak needs the model/);
  const items = await page.locator('.unknown-list li').allInnerTexts();
  assert.equal(items.length, 2);
  assert.match(items[0], /^The model: /);
  assert.equal(items[1], problem.message);
  await page.click('#choose-files');
  assert.deepEqual((await sent(page)).at(-1), { type: 'chooseFiles' });
});

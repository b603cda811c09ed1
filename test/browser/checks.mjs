// What the dashboard shows and does, checked in a real browser.
import assert from 'node:assert/strict';
import { check, sent, text } from './checking.mjs';
import { goTo, plainSearch, readState, show } from './dashboard.mjs';

const gb = bytes => `${(bytes / 1e9).toFixed(bytes < 100e9 ? 1 : 0)} GB`;
const percent = fraction => `${(fraction * 100).toFixed(1)} %`;
const integer = value => Math.round(value).toLocaleString('en');
const seconds = value => (value < 1 ? `${(value * 1000).toPrecision(3)} ms` : `${value.toPrecision(3)} s`);

/** @param {import('playwright-core').Page} page */
const lastReport = async page => (await sent(page)).filter(({ type }) => type === 'report').at(-1)?.figures;

check('headline figures say what the state says', async ({ open }) => {
  const state = readState('complete');
  const { memory, throughput, bounds, parameters } = state.estimate;
  const page = await open({ state });
  const says = async (selector, ...parts) => {
    const shown = await text(page, selector);
    for (const part of parts) assert.ok(shown.includes(part), `${part} is not in: ${shown}`);
  };
  await says('#card-memory', 'Fits', gb(memory.peakBytes), `of ${gb(memory.capacityBytes)} on the fullest stage`);
  const range = `${seconds(bounds.lowerSeconds)} to ${seconds(bounds.upperSeconds)} with 80 % confidence`;
  await says('#card-step', seconds(throughput.stepSeconds), range);
  await says('#card-tokens', integer(throughput.tokensPerSecondPerGpu));
  await says('#card-mfu', percent(throughput.mfu));
  await says('#top', '8.03 B parameters · 64 × h100-sxm');
  assert.equal(parameters.total, 8030261248);
});

check('the recommended layout keeps its number among the fastest', async ({ open }) => {
  const state = readState('searched');
  const { best, recommended } = state.search.document;
  const rank = best.findIndex(({ planString }) => planString === recommended.planString) + 1;
  assert.ok(rank > 1, 'the sample recommends another than the first');
  const page = await open({ state, at: 'search' });
  assert.equal(await text(page, '#recommended-1 .rank'), `No. ${rank}`);
  assert.equal(await text(page, `#best-${rank} .rank`), `No. ${rank}`);
});

check('the report carries the figures unrounded', async ({ open }) => {
  const state = readState('complete');
  const page = await open({ state });
  const { parameters, memory, throughput, pipeline } = state.estimate;
  // The engine of the what-ifs comes in its own time; the words of the page have checks of their own.
  const { engine: _engine, language: _language, memoryCard: _memoryCard, ...figures } = await lastReport(page);
  assert.deepEqual(figures, {
    parameters: String(parameters.total),
    peakBytes: String(memory.peakBytes),
    capacityBytes: String(memory.capacityBytes),
    fits: 'true',
    stepSeconds: String(throughput.stepSeconds),
    tokensPerSecondPerGpu: String(throughput.tokensPerSecondPerGpu),
    mfu: String(throughput.mfu),
    bubbleFraction: String(pipeline.bubbleFraction),
  });
});

check('what is unknown stays unknown and can be asked for', async ({ open }) => {
  const page = await open({ state: readState('unknown') });
  const figures = await lastReport(page);
  assert.equal(figures.parameters, '8030261248');
  for (const key of ['peakBytes', 'fits', 'stepSeconds', 'mfu', 'bubbleFraction']) assert.equal(figures[key], 'null');
  assert.equal(await page.locator('canvas').count(), 0);
  await page.click('#choose-cluster');
  await page.click('#ask-values');
  await goTo(page, 'search');
  await page.locator('#search-button').click({ force: true });
  assert.deepEqual((await sent(page)).slice(-2), [{ type: 'chooseCluster' }, { type: 'askValues' }]);
  assert.doesNotMatch(await text(page, 'main'), /NaN|undefined|null|Infinity/);
});

check('a setup that is too large says so, with the place of the problem', async ({ open }) => {
  const state = readState('out-of-memory');
  const { peakBytes, capacityBytes } = state.estimate.memory;
  const page = await open({ state });
  const shown = await text(page, '#card-memory');
  assert.match(shown, /Does not fit/);
  assert.ok(shown.includes(`of ${gb(capacityBytes)} on the fullest stage. Over by ${gb(peakBytes - capacityBytes)}.`));
  await page.click('#reveal-0');
  assert.deepEqual((await sent(page)).at(-1), { type: 'reveal', file: 'train.json', line: 12, column: 5 });
});

check('a damaged text is marked', async ({ open }) => {
  const page = await open({ state: readState('stale') });
  assert.match(await text(page, '#stale'), /last good text/);
  await show(page, { ...readState('complete'), version: 2 });
  assert.equal(await text(page, '#stale'), '');
});

for (const name of ['complete', 'stages-16', 'stages-64']) {
  check(`${name}: the tables say what the charts draw`, async ({ open }) => {
    const page = await open({ at: 'memory', state: readState(name) });
    await goTo(page, 'time');
    const drawn = await page.evaluate(() => {
      const read = id => {
        const { data } = window.Chart.getChart(id);
        return { labels: data.labels, sets: data.datasets.map(set => set.data) };
      };
      const rows = id =>
        [...document.querySelectorAll(`#${id} tbody tr`)].map(row => [...row.cells].map(cell => cell.textContent));
      return {
        memory: { chart: read('memory-chart'), rows: rows('memory-chart-table') },
        time: { chart: read('time-chart'), rows: rows('time-chart-table') },
      };
    });
    const { memory, time } = drawn;
    assert.ok(memory.rows.length <= 32);
    assert.deepEqual(
      memory.rows.map(([head]) => head),
      memory.chart.labels,
    );
    memory.rows.forEach((row, index) => {
      const parts = memory.chart.sets.map(set => (set[index] / 1e9).toFixed(2));
      assert.deepEqual(
        row.slice(1, -1).map(cell => cell.replaceAll(',', '')),
        parts,
      );
    });
    assert.deepEqual(
      time.rows.map(([head]) => head),
      time.chart.labels,
    );
    const [bars] = time.chart.sets;
    const step = bars.at(-1)[1];
    time.rows.forEach((row, index) => {
      assert.equal(row.at(-1), `${(((bars[index][1] - bars[index][0]) / step) * 100).toFixed(1)} %`);
      if (index > 0 && index < bars.length - 1) assert.ok(Math.abs(bars[index][0] - bars[index - 1][1]) < 1e-9);
    });
    assert.ok(Math.abs(bars.at(-2)[1] - step) < 1e-9 * step);
  });
}

check('each headline figure opens to its formula with the values in it', async ({ open }) => {
  const state = readState('complete');
  const { memory, throughput, time } = state.estimate;
  const page = await open({ state });
  for (const id of ['memory', 'step', 'tokens', 'mfu', 'waste']) await page.click(`#how-${id}-toggle`);
  const says = async (id, formula) => assert.ok((await text(page, `#how-${id}`)).includes(formula), formula);
  const { weights, gradients, optimizer, activations, buffers, overhead } = memory.stages[memory.peakStage];
  const parts = [weights, gradients, optimizer, activations, buffers, overhead].map(bytes => (bytes / 1e9).toFixed(2));
  const gib = (memory.peakBytes / 2 ** 30).toFixed(1);
  await says('memory', `${parts.join(' + ')} = ${gb(memory.peakBytes)} (${gib} GiB)`);
  const [step, tokens] = [seconds(throughput.stepSeconds), integer(throughput.tokensPerSecondPerGpu)];
  await says('tokens', `256 × 8,192 ÷ ${step} ÷ 64 = ${tokens}`);
  await says('mfu', `57.9 GFLOP × ${tokens} ÷ 989 TFLOP/s = ${percent(throughput.mfu)}`);
  const waste = 1 - (time.forward + time.backward) / throughput.stepSeconds;
  await says('waste', `1 − (${seconds(time.forward)} + ${seconds(time.backward)}) ÷ ${step} = ${percent(waste)}`);
});

check('the search starts, shows its progress, is cancelled, fails and proposes', async ({ open }) => {
  const state = readState('complete');
  const page = await open({ at: 'search', state });
  await page.check('#free-batch');
  await page.click('#search-button');
  assert.deepEqual((await sent(page)).at(-1), { type: 'search', ask: { ...plainSearch, freeBatch: true } });
  await show(page, { ...state, version: 2, search: { phase: 'running', evaluated: 1200, candidates: 4800 } });
  assert.match(await text(page, '#search-progress'), /4,800 layouts seen, 1,200 computed/);
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'search-button');
  await page.keyboard.press('Enter');
  assert.deepEqual((await sent(page)).at(-1), { type: 'cancelSearch' });
  await show(page, { ...state, version: 3, search: { phase: 'failed', message: 'out of luck' } });
  assert.match(await text(page, '#search-status'), /failed: out of luck/);
  await show(page, { ...readState('searched'), version: 4 });
  assert.equal(await page.locator('#best-list > li').count(), 5);
  assert.ok(await page.isChecked('#free-batch'));
});

check('a proposal says what it gains, why and what changes, and can be applied', async ({ open }) => {
  const state = readState('searched');
  const [best] = state.search.document.best;
  const page = await open({ at: 'search', state });
  const shown = await text(page, '#best-1');
  assert.ok(shown.includes(`${best.speedup.toFixed(2)}× the speed of the present plan`));
  assert.ok(shown.includes(best.reason));
  assert.match(shown, /distributed\.dp_size: 8 → \s*becomes\s+32/);
  await page.click('#best-1-apply');
  assert.deepEqual((await sent(page)).at(-1), { type: 'apply', planString: best.planString });
});

check('a layout that the framework cannot express is marked and cannot be applied', async ({ open }) => {
  const page = await open({ at: 'search', state: readState('searched') });
  assert.match(await text(page, '#elsewhere-1'), /Not applicable: picotron cannot express vpp, schedule/);
  assert.equal(await page.locator('#elsewhere-1 [data-action="apply"]').count(), 0);
  await page.click('#rejections summary');
  assert.match(await text(page, '#rejections'), /kv-heads-tp\s+4,122\s+8 kv heads do not divide over tp 16/);
});

check('an older snapshot never replaces a newer one', async ({ open }) => {
  const page = await open({ state: { ...readState('complete'), version: 7 } });
  await page.evaluate(state => window.postMessage({ type: 'state', state }, '*'), {
    ...readState('out-of-memory'),
    version: 6,
  });
  await page.waitForTimeout(100);
  assert.match(await text(page, '#card-memory'), /Fits/);
});

check('a new snapshot keeps elements, focus, scrolling and what is open', async ({ open }) => {
  const page = await open({ state: readState('searched'), height: 500 });
  await page.click('#how-mfu-toggle');
  await goTo(page, 'search');
  await page.click('#best-2-parts summary');
  await page.focus('#best-3-apply');
  const place = () =>
    page.evaluate(() => Math.round(document.querySelector('#best-3-apply').getBoundingClientRect().top));
  await page.evaluate(() => {
    window.held = [...document.querySelectorAll('[id]')];
    document.querySelector('#best-3-apply').scrollIntoView({ block: 'center' });
  });
  const before = await place();
  // A longer text further up: what the user looks at stays where it is.
  const next = { ...readState('searched'), version: 2 };
  next.files = ['a-folder-with-a-long-name/train.json', ...Array(40).fill('another/config.json')];
  await show(page, next);
  await page.waitForTimeout(50);
  const after = await page.evaluate(() => ({
    focus: document.activeElement?.id,
    open: document.querySelector('#best-2-parts')?.open,
    explained: !document.querySelector('#how-mfu')?.hidden,
    lost: window.held.filter(element => !element.isConnected).map(element => element.id),
  }));
  assert.deepEqual(after, { focus: 'best-3-apply', open: true, explained: true, lost: [] });
  assert.ok(Math.abs((await place()) - before) <= 1);
});

check('a page that is made anew opens what was open and scrolls back', async ({ open }) => {
  const page = await open({ at: 'time', state: readState('searched'), height: 500 });
  await page.click('#time-chart-table-toggle');
  await goTo(page, 'search');
  await page.click('#best-1-plan summary');
  await page.evaluate(() => scrollTo(0, 900));
  await page.waitForTimeout(400);
  await page.reload();
  await page.waitForFunction(() => window.sent?.some(({ type }) => type === 'ready'));
  await show(page, readState('searched'));
  assert.equal(await page.evaluate(() => scrollY), 900);
  assert.ok(await page.locator('#best-1-plan').evaluate(details => details.open));
  await goTo(page, 'time');
  assert.equal(await page.getAttribute('#time-chart-table-toggle', 'aria-expanded'), 'true');
  const kept = await page.evaluate(() => sessionStorage.getItem('state')?.length ?? 0);
  assert.ok(kept < 1000, `The kept state has ${kept} characters.`);
});

check('each value of the setup has its origin, and opens its place', async ({ open }) => {
  const page = await open({ at: 'evidence', state: readState('complete') });
  await page.click('#origins summary');
  assert.match(await text(page, '#origins'), /plan\.optimizer\s+adamw\s+default/);
  assert.match(await text(page, '#origins'), /cluster\.gpu\s+h100-sxm\s+you/);
  await page.locator('[id="origin-plan.microBatch"]').click();
  assert.deepEqual((await sent(page)).at(-1), { type: 'reveal', file: 'train.json', line: 12, column: 5 });
});

check('words and numbers are those of the page’s language', async ({ open }) => {
  const page = await open({ state: readState('complete'), language: 'sk' });
  assert.match(await text(page, '#card-memory'), /\d,\d GB/);
  assert.match(await text(page, '#card-memory'), /Pamäť/);
  assert.match(await text(page, '#card-tokens'), /\d \d{3}/);
});

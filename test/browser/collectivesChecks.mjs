// The section of collectives, checked in a real browser: what a series is, is said; the table has what the chart draws.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { check, sent, text } from './checking.mjs';
import { readState, show, themes } from './dashboard.mjs';

const result = readState('bench');
const idle = { running: null, failure: null, result };
const measured = { ...readState('complete'), bench: idle };
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Series of the chart, and rows of its table. @param {import('playwright-core').Page} page */
const drawn = page =>
  page.evaluate(() => ({
    series: window.Chart.getChart('collectives-chart').data.datasets.map(({ label, data, pointStyle, borderDash }) => ({
      label,
      points: data.map(({ x, y }) => [x, y]),
      looks: `${pointStyle} ${borderDash}`,
    })),
    heads: [...document.querySelectorAll('#collectives-chart-twin thead th')].map(head => head.textContent),
    rows: [...document.querySelectorAll('#collectives-chart-twin tbody tr')].map(row =>
      [...row.cells].map(cell => cell.textContent),
    ),
  }));

check(
  'collectives: every series says whether it is measured, simulated or published, and looks its own way',
  async ({ open }) => {
    const page = await open({ at: 'collectives', state: measured });
    const { series, heads } = await drawn(page);
    const labels = series.map(({ label }) => label);
    assert.deepEqual(labels, [
      'Measured: this machine’s CPU',
      'Simulated: tp, 2 × h100-sxm',
      'Simulated: dp, 8 × h100-sxm',
      'Published: 8 × H200-SXM',
    ]);
    assert.deepEqual(
      heads.slice(1),
      labels.map(label => `${label}, GB/s`),
    );
    assert.equal(new Set(series.map(({ looks }) => looks)).size, series.length);
    const sources = await text(page, '#collective-sources');
    for (const label of labels) assert.ok(sources.includes(label), label);
    assert.match(sources, /744d01e1:network\/README\.md L1257–L1276/);
    assert.match(await text(page, '#collectives'), /tells nothing of a GPU and never calibrates one/);
  },
);

for (const op of ['all-reduce', 'reduce-scatter', 'broadcast']) {
  check(
    `collectives, ${op}: the table says what the chart draws, and the chart what was measured`,
    async ({ open }) => {
      const page = await open({ at: 'collectives', state: measured });
      await page.selectOption('#collective-op', op);
      const { series, rows } = await drawn(page);
      assert.equal(
        series.some(({ label }) => label.startsWith('Published')),
        op === 'all-reduce',
      );
      assert.deepEqual(
        series[0].points,
        result.measurements.filter(one => one.op === op).map(({ bytes, busbw }) => [bytes, busbw]),
      );
      const sizes = [...new Set(series.flatMap(({ points }) => points.map(([bytes]) => bytes)))].sort((a, b) => a - b);
      assert.equal(rows.length, sizes.length);
      rows.forEach(([head, ...cells], index) => {
        const bytes = sizes[index];
        const step = Math.floor(Math.log2(bytes) / 10);
        assert.equal(head, `${bytes / 1024 ** step} ${['B', 'KiB', 'MiB', 'GiB'][step]}`);
        const expected = series.map(({ points }) => points.find(([size]) => size === bytes)?.[1]);
        const written = expected.map(busbw =>
          busbw === undefined
            ? '–'
            : (busbw / 1e9).toLocaleString('en', { minimumSignificantDigits: 3, maximumSignificantDigits: 3 }),
        );
        assert.deepEqual(cells, written);
      });
    },
  );
}

check('collectives: published points are those of the source', async ({ open }) => {
  const page = await open({ at: 'collectives', state: measured });
  const { series } = await drawn(page);
  const published = new Map(series[3].points);
  // stas00/ml-engineering, network/README.md: bus bandwidth at 1 MiB and 16 GiB, 39.93 and 482.26 GB/s.
  assert.ok(Math.abs(published.get(2 ** 20) / 39.93e9 - 1) < 1e-3);
  assert.ok(Math.abs(published.get(2 ** 34) / 482.26e9 - 1) < 1e-3);
});

check('collectives: the best algorithm by size, in words', async ({ open }) => {
  const page = await open({ at: 'collectives', state: measured });
  const shown = await text(page, '#algorithms');
  assert.match(shown, /tp group, 2 ranks: ring at every size\./);
  assert.match(shown, /dp group, 8 ranks: [\w-]+ below [\d.]+ [KM]iB, ring from [\d.]+ [KM]iB/);
});

check(
  'collectives: a busy machine is said to be one; statistics with both units and the lecture’s figure',
  async ({ open }) => {
    const page = await open({ at: 'collectives', state: measured });
    const { beforeFraction } = result.load;
    assert.ok(
      (await text(page, '#bench-load')).includes(`kept ${(beforeFraction * 100).toFixed(0)} % of this machine`),
    );
    assert.match(await text(page, '#bench-load'), /too long/);
    const quiet = { ...result, load: { ...result.load, beforeFraction: 0.01, afterFraction: 0.02, busy: false } };
    await show(page, { ...measured, version: 2, bench: { ...idle, result: quiet } });
    assert.doesNotMatch(await text(page, '#bench-load'), /too long/);
    await page.selectOption('#collective-op', 'reduce-scatter');
    await page.click('#bench-spread summary');
    assert.match(await text(page, '#bench-spread'), /busbw GB\/s\s+busbw GiB\/s\s+Lecture’s “GB\/s”/);
    assert.match(await text(page, '#bench-spread'), /times 2, the number of ranks, both agree/);
  },
);

check(
  'collectives: the benchmark starts, shows its progress, is cancelled and fails, by the keyboard',
  async ({ open }) => {
    const state = readState('complete');
    const page = await open({ at: 'collectives', state });
    assert.match(await text(page, '#bench-status'), /has not been measured/);
    await page.focus('#collective-op');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    assert.deepEqual((await sent(page)).at(-1), { type: 'benchmark' });
    const running = { done: 2, operations: 7, op: 'all-gather' };
    await show(page, { ...state, version: 2, bench: { ...idle, running, result: null } });
    assert.match(await text(page, '#bench-progress'), /all-gather, 3 of 7/);
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'bench-button');
    await page.keyboard.press('Enter');
    assert.deepEqual((await sent(page)).at(-1), { type: 'cancelBenchmark' });
    await show(page, { ...state, version: 3, bench: { running: null, failure: 'no memory', result: null } });
    assert.match(await text(page, '#bench-status'), /failed: no memory/);
  },
);

check('collectives: the chosen operation survives a new page', async ({ open }) => {
  const page = await open({ at: 'collectives', state: measured });
  await page.selectOption('#collective-op', 'all-to-all');
  await page.reload();
  await page.waitForFunction(() => window.sent?.some(({ type }) => type === 'ready'));
  await show(page, measured);
  assert.equal(await page.inputValue('#collective-op'), 'all-to-all');
});

check('collectives: without an accelerator only what was measured is drawn', async ({ open }) => {
  const page = await open({ at: 'collectives', state: { ...readState('unknown'), bench: idle } });
  const { series } = await drawn(page);
  assert.deepEqual(
    series.map(({ label }) => label),
    ['Measured: this machine’s CPU'],
  );
  assert.match(await text(page, '#collective-sources'), /No accelerator is chosen/);
  assert.doesNotMatch(await text(page, '#collectives'), /NaN|undefined|null|Infinity/);
});

check('collectives: the host can bring the section into view', async ({ open }) => {
  const page = await open({ at: 'collectives', state: measured, height: 500 });
  await page.evaluate(() => window.postMessage({ type: 'scrollTo', section: 'collectives' }, '*'));
  await page.waitForFunction(() => scrollY > 0);
  const top = await page.evaluate(() => document.querySelector('#collectives').getBoundingClientRect().top);
  assert.ok(top > -1 && top < 250, `The section begins at ${top}.`);
});

check(
  'collectives: narrow, no violation of the security policy, no error, nothing wider than the page',
  async ({ open }) => {
    const page = await open({ at: 'collectives', state: measured, width: 320 });
    await page.click('#bench-spread summary');
    await page.click('#collectives-chart-table-toggle');
    await page.waitForTimeout(50);
    assert.deepEqual(await page.evaluate(() => window.violations), []);
    assert.deepEqual(page.errors, []);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
  },
);

for (const theme of themes) {
  check(`collectives, ${theme}: axe finds nothing serious`, async ({ open }) => {
    const running = { done: 2, operations: 7, op: 'all-gather' };
    for (const bench of [idle, { ...idle, running }]) {
      const page = await open({ at: 'collectives', state: { ...measured, bench }, theme });
      await page.click('#bench-spread summary');
      await page.click('#collectives-chart-table-toggle');
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() => window.axe.run('#collectives'));
      const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
      assert.deepEqual(
        grave.flatMap(({ id, nodes }) => nodes.map(node => `${id}: ${node.html} ${node.failureSummary}`)),
        [],
      );
    }
  });
}

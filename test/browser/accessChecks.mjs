// That the dashboard is safe, and readable and usable for everyone, checked in a real browser.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { check, text } from './checking.mjs';
import { goTo, pageIds, readState, show, themes } from './dashboard.mjs';
import { bodyClass } from './server.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const names = ['complete', 'unknown', 'stages-16', 'stages-64', 'searched', 'stale', 'out-of-memory'];

for (const name of names) {
  check(`${name}: no violation of the security policy, no error, nothing wider than the page`, async ({ open }) => {
    const page = await open({ state: readState(name), width: 320 });
    for (const id of await pageIds(page)) {
      await goTo(page, id);
      await page.evaluate(() => document.querySelectorAll('details').forEach(details => (details.open = true)));
      await page.waitForTimeout(50);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320, id);
    }
    assert.deepEqual(await page.evaluate(() => window.violations), []);
    assert.deepEqual(page.errors, []);
  });
}

check('the button shows the table of a chart, which readers always have', async ({ open }) => {
  const page = await open({ at: 'memory', state: readState('complete') });
  const width = () => page.locator('#memory-chart-table').evaluate(element => element.getBoundingClientRect().width);
  assert.equal(await width(), 1);
  await page.click('#memory-chart-table-toggle');
  assert.ok((await width()) > 300);
  assert.equal(await page.getAttribute('#memory-chart-table-toggle', 'aria-expanded'), 'true');
});

check('charts follow a change of theme at once', async ({ open }) => {
  const page = await open({ at: 'memory', state: readState('complete'), theme: 'vscode-dark' });
  const colour = () => page.evaluate(() => window.Chart.getChart('memory-chart').options.scales.y.ticks.color);
  const dark = await colour();
  await page.evaluate(async next => {
    const link = document.querySelector('#theme');
    const loaded = new Promise(resolve => link.addEventListener('load', resolve, { once: true }));
    link.setAttribute('href', `/themes/${next}.css`);
    await loaded;
    document.body.className = next;
  }, bodyClass('vscode-light'));
  await page.waitForTimeout(50);
  assert.notEqual(await colour(), dark);
});

check('text from files stays text', async ({ open }) => {
  const hostile = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>{count}';
  const state = readState('searched');
  const replaceText = value => {
    if (Array.isArray(value)) return value.map(replaceText);
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [
        key,
        ['name', 'message', 'reason', 'example', 'before', 'after', 'key', 'file', 'planString', 'title'].includes(
          key,
        ) && typeof inner === 'string'
          ? hostile
          : replaceText(inner),
      ]),
    );
  };
  const bad = { ...replaceText(state), files: [hostile], framework: hostile };
  bad.estimate.problems = [
    {
      ...readState('out-of-memory').estimate.problems[0],
      message: hostile,
      file: hostile,
      code: hostile,
      fix: { title: hostile, edits: [] },
    },
  ];
  const page = await open({ state: bad, width: 320 });
  for (const id of await pageIds(page)) await goTo(page, id);
  await goTo(page, 'overview');
  assert.equal(await page.locator('img, main script').count(), 0);
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  assert.ok((await text(page, 'h1')).includes('<img src=x'));
  assert.deepEqual(await page.evaluate(() => window.violations), []);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
});

check('everything that acts is reached by the keyboard, in reading order, with a visible focus', async ({ open }) => {
  const page = await open({ state: readState('searched') });
  for (const id of await pageIds(page)) {
    await goTo(page, id);
    const expected = await page.evaluate(() => {
      const acting = [...document.querySelectorAll('button, summary, input, select, [tabindex="0"]')];
      const shown = acting.filter(
        element => element.checkVisibility() && element.tabIndex >= 0 && element.closest('.for-readers') === null,
      );
      shown.forEach((element, index) => (element.dataset.order = String(index)));
      document.activeElement?.blur();
      scrollTo(0, 0);
      return shown.length;
    });
    // From the tab that was clicked on, the first stop is the one after it: begin at the very first.
    await page.evaluate(() => document.querySelector('[data-order="0"]').focus());
    for (let index = 1; index < expected; index++) {
      await page.keyboard.press('Tab');
      const focused = await page.evaluate(() => ({
        order: document.activeElement?.dataset.order,
        outline: getComputedStyle(document.activeElement).outlineStyle,
      }));
      assert.deepEqual(focused, { order: String(index), outline: 'solid' }, id);
    }
  }
});

check('arrows, Home and End move among the pages, and the page outlives the panel', async ({ open }) => {
  const page = await open({ state: readState('complete') });
  const ids = await pageIds(page);
  await page.focus('#tab-overview');
  for (const [key, at] of [
    ['ArrowRight', 1],
    ['ArrowLeft', 0],
    ['ArrowLeft', ids.length - 1],
    ['Home', 0],
    ['End', ids.length - 1],
    ['ArrowRight', 0],
    ['ArrowRight', 1],
  ]) {
    await page.keyboard.press(key);
    assert.equal(await page.evaluate(() => document.activeElement?.id), `tab-${ids[at]}`);
    assert.equal(await page.getAttribute(`#tab-${ids[at]}`, 'aria-selected'), 'true');
    assert.equal(await page.locator('[role="tabpanel"]:visible').count(), 1);
    assert.ok(await page.isVisible(`#page-${ids[at]}`));
  }
  await page.reload();
  await page.waitForFunction(() => window.sent?.some(({ type }) => type === 'ready'));
  await show(page, readState('complete'));
  assert.ok(await page.isVisible(`#page-${ids[1]}`));
});

check('twice as large, the page still fits its width', async ({ open }) => {
  const page = await open({ state: readState('searched'), width: 640 });
  await page.evaluate(() => document.documentElement.style.setProperty('--vscode-font-size', '26px'));
  for (const id of await pageIds(page)) {
    await goTo(page, id);
    await page.waitForTimeout(50);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 640, id);
  }
});

for (const theme of themes) {
  for (const name of ['searched', 'unknown', 'out-of-memory']) {
    check(`${theme}, ${name}: axe finds nothing serious`, async ({ open }) => {
      const page = await open({ state: readState(name), theme });
      await page.evaluate(axe);
      for (const id of await pageIds(page)) {
        await goTo(page, id);
        await page.evaluate(() => document.querySelectorAll('details').forEach(details => (details.open = true)));
        await page.evaluate(() =>
          document.querySelectorAll('.card .link[aria-expanded="false"]').forEach(button => button.click()),
        );
        const { violations } = await page.evaluate(() => window.axe.run(document));
        const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
        const said = grave.flatMap(({ id: rule, nodes }) =>
          nodes.map(node => `${id}: ${rule}: ${node.html} ${node.failureSummary}`),
        );
        assert.deepEqual(said, []);
      }
    });
  }
}

// Every number opens: whatever is marked as a figure shows its formula, the values in it and what kind of number it is.
import assert from 'node:assert/strict';
import { check } from './checking.mjs';
import { goTo, pageIds, priced, readState } from './dashboard.mjs';

/** @typedef {import('playwright-core').Page} Page */

/** Snapshots that together show every figure, and how many figures open on each page at least. */
const SHOWN = [
  {
    name: 'complete',
    state: readState('complete'),
    least: { overview: 6, memory: 11, time: 21, mesh: 5, roofline: 6 },
  },
  { name: 'explored', state: priced(readState('explored')), least: { search: 14 } },
  { name: 'proved', state: readState('proved'), least: { proof: 2 } },
  { name: 'experts', state: readState('experts'), least: { overview: 6, memory: 10, time: 12 } },
  { name: 'out-of-memory', state: readState('out-of-memory'), least: { overview: 6, memory: 10, time: 12 } },
];

const SHOWN_PAGE = '[role="tabpanel"]:not([hidden])';

/** Figures of the page that neither open nor are given by the plan or a datasheet. @param {Page} page */
const closed = page =>
  page.evaluate(shown => {
    const figures = [...document.querySelectorAll(`${shown} .card .figure, ${shown} .facts > div > dd:first-of-type`)];
    return figures
      .filter(figure => /\d/.test(figure.textContent) && !('given' in figure.dataset))
      .filter(figure => (figure.closest('.card') ?? figure).querySelector('[data-target^="how-"]') === null)
      .map(figure => figure.textContent);
  }, SHOWN_PAGE);

/** Opens every figure of the page and reads what it shows. @param {Page} page */
async function opened(page) {
  const targets = await page.evaluate(
    shown => [...document.querySelectorAll(`${shown} [data-target^="how-"]`)].map(({ dataset }) => dataset.target),
    SHOWN_PAGE,
  );
  for (const target of targets) await page.locator(`[id="${target}-toggle"]`).click();
  return page.evaluate(
    ids =>
      ids.map(id => {
        const panel = document.getElementById(id);
        const lines = [...panel.querySelectorAll('dl > div')].map(line => [
          line.querySelector('dt').textContent,
          line.querySelector('dd').textContent,
        ]);
        return { id, shown: panel.checkVisibility(), lines: Object.fromEntries(lines) };
      }),
    targets,
  );
}

for (const { name, state, least } of SHOWN) {
  check(`figures of ${name}: each opens to its formula with the values in it`, async ({ open }) => {
    const page = await open({ state });
    await page.waitForFunction(() =>
      window.sent.some(({ type, figures }) => type === 'report' && figures.engine === 'loaded'),
    );
    for (const id of await pageIds(page)) {
      await goTo(page, id);
      assert.deepEqual(await closed(page), [], `figures of ${id} that do not open`);
      const panels = await opened(page);
      assert.ok(panels.length >= (least[id] ?? 0), `${panels.length} figures open on ${id}`);
      for (const { id: figure, shown, lines } of panels) {
        assert.ok(shown, figure);
        assert.ok(lines['Formula']?.length > 3, `${figure} has its formula`);
        assert.match(lines['With its values'] ?? '', /\d/, figure);
        assert.doesNotMatch(lines['With its values'], /NaN|undefined|null|Infinity|\{/, figure);
        assert.ok(lines['What it is']?.length > 3, `${figure} says what it is`);
      }
      assert.equal(new Set(panels.map(panel => panel.id)).size, panels.length, 'ids of the page');
    }
    assert.deepEqual(page.errors, []);
  });
}

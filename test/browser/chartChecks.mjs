// Whatever is drawn on any page comes with all that a chart has: its sentence, what its numbers are, its table, and its
// picture, CSV and JSON to take along. A new chart that lacks one of them is found here without being named.
import assert from 'node:assert/strict';
import { check } from './checking.mjs';
import { goTo, pageIds, readState } from './dashboard.mjs';

/** @typedef {import('playwright-core').Page} Page */

const idleBench = { running: null, failure: null, result: readState('bench') };

/** Snapshots that together show every chart, and the charts that each of their pages must have. */
const SHOWN = [
  {
    state: { ...readState('complete'), bench: idleBench, measured: readState('measured') },
    charts: {
      memory: ['memory-chart'],
      time: ['time-chart'],
      pipeline: ['timeline-lane-0'],
      mesh: ['mesh-canvas'],
      roofline: ['roofline-chart'],
      collectives: ['collectives-chart'],
      measured: ['compare-chart-0', 'history-chart'],
    },
  },
  { state: readState('explored'), charts: { search: ['explorer-scatter', 'heat-chart', 'scale-chart'] } },
  { state: readState('proved'), charts: { proof: ['proof-loss-chart', 'proof-traffic-chart', 'proof-memory-chart'] } },
];

/** What stands around each drawing of the page that is shown. @param {Page} page */
const drawings = page =>
  page.evaluate(() =>
    [...document.querySelectorAll('[role="tabpanel"]:not([hidden]) canvas:not([aria-hidden="true"])')].map(canvas => {
      const figure = canvas.closest('figure.chart');
      return {
        id:
          canvas.id ||
          canvas
            .closest('section')
            ?.getAttribute('aria-labelledby')
            ?.replace(/-name$/, ''),
        role: canvas.getAttribute('role'),
        label: canvas.getAttribute('aria-label')?.replaceAll('\u00a0', ' ') ?? null,
        caption: figure?.querySelector('figcaption')?.textContent.replaceAll('\u00a0', ' ') ?? null,
        sources: figure?.querySelectorAll('figcaption .source').length ?? 0,
        tableRows: figure?.querySelectorAll('table tbody tr').length ?? 0,
        formats: [...(figure?.querySelectorAll('[data-format]') ?? [])].map(({ dataset }) => dataset.format),
      };
    }),
  );

/** Files that the buttons of all charts of the page hand to the host. @param {Page} page */
async function savedFiles(page) {
  const buttons = page.locator(
    ['png', 'csv', 'json'].map(format => `[role="tabpanel"]:not([hidden]) figure [data-format="${format}"]`).join(),
  );
  const count = await buttons.count();
  for (let index = 0; index < count; index++) {
    await buttons.nth(index).click();
    const saves = index + 1;
    await page.waitForFunction(n => window.sent.filter(({ type }) => type === 'save').length === n, saves);
  }
  return page.evaluate(() => {
    const saves = window.sent.filter(({ type }) => type === 'save');
    window.sent = window.sent.filter(({ type }) => type !== 'save');
    return saves.map(({ name, mime, data }) => ({
      name,
      mime,
      bytes: [...data.slice(0, 4)],
      text: new TextDecoder().decode(data),
    }));
  });
}

/** @param {{name: string, mime: string, bytes: number[], text: string}} file */
function assertHolds({ name, mime, bytes, text }) {
  switch (mime) {
    case 'image/png':
      assert.deepEqual(bytes, [0x89, 0x50, 0x4e, 0x47], name);
      return;
    case 'text/csv': {
      const [head, ...rows] = text.trimEnd().split('\r\n');
      assert.ok(head.split(',').length >= 2 && rows.length > 0, name);
      assert.ok(
        rows.some(row => /\d/.test(row)),
        name,
      );
      return;
    }
    case 'application/json':
      assert.ok(JSON.parse(text).length > 0, name);
      return;
    default:
      assert.fail(`${name} is ${mime}`);
  }
}

for (const { state, charts } of SHOWN) {
  check(`charts of ${Object.keys(charts).join(', ')}: sentence, sources, table and files`, async ({ open }) => {
    const page = await open({ state });
    for (const id of await pageIds(page)) {
      await goTo(page, id);
      const expected = charts[id] ?? [];
      for (const chart of expected) await page.waitForSelector(`[id^="${chart}"]`);
      const found = await drawings(page);
      for (const chart of expected)
        assert.ok(
          found.some(one => one.id === chart),
          `${chart} on ${id}`,
        );
      for (const { id: chart, role, label, caption, sources, tableRows, formats } of found) {
        assert.equal(role, 'img', chart);
        assert.match(label ?? '', /^\S.*\.$/, chart);
        assert.ok(caption?.startsWith(label), `the sentence of ${chart} stands above it`);
        assert.ok(sources > 0, `${chart} says what its numbers are`);
        assert.ok(tableRows > 0, `${chart} has its table`);
        assert.deepEqual(formats.slice(0, 3), ['png', 'csv', 'json'], chart);
      }
      const files = await savedFiles(page);
      assert.equal(files.length, 3 * found.length, `files of ${id}`);
      files.forEach(assertHolds);
    }
  });
}

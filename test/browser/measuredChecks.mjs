// The page of own measurements: what it shows, what its buttons ask for, and what it gives to take along.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { check, sent, text } from './checking.mjs';
import { readState, show, themes } from './dashboard.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const measured = readState('measured');
const state = { ...readState('complete'), measured };

/** What the buttons of measurements ask for, as the page names them. @param {import('playwright-core').Page} page */
const commands = page =>
  page.locator('#measured-commands button').evaluateAll(list => list.map(({ dataset }) => dataset.command));

check('measurements: each command has its button, where it has something to work on', async ({ open }) => {
  const page = await open({ state, at: 'measured' });
  const all = ['writeClusterScript', 'importMeasurements', 'calibrate', 'undoCalibration', 'forgetMeasurements'];
  assert.deepEqual(await commands(page), all);
  for (const command of all) {
    await page.click(`#measured-${command}`);
    assert.deepEqual((await sent(page)).at(-1), { type: 'measurements', command });
  }
  await page.click('#history-bench');
  assert.deepEqual((await sent(page)).at(-1), { type: 'benchmark' });
  const empty = { profile: null, runs: [], history: [], kept: [], canUndo: false };
  await show(page, { ...state, version: 2, measured: empty });
  assert.deepEqual(await commands(page), ['writeClusterScript', 'importMeasurements']);
  assert.equal(await page.locator('#page-measured canvas').count(), 0);
  assert.doesNotMatch(await text(page, '#measured'), /NaN|undefined|null/);
});

check(
  'measurements: the profile, the run beside its prediction and the history say what the state says',
  async ({ open }) => {
    const page = await open({ state, at: 'measured' });
    const rows = selector =>
      page
        .locator(`${selector} tbody tr`)
        .evaluateAll(list => list.map(row => [...row.cells].map(cell => cell.textContent.replaceAll('\u00a0', ' '))));
    assert.deepEqual(await rows('#profile-constants'), [
      ['device.hopper.linkShare', '0.78', '0.61', '±4.0 %'],
      ['stack.picotron.bias', '1', '1.12', '–'],
    ]);
    assert.deepEqual(await rows('#compare-0'), [
      ['step', '2.50 s', '2.00 s'],
      ['forward-backward', '2.30 s', '1.90 s'],
      ['all-grads-sync', '180 ms', '60.0 ms'],
      ['batch-generator', '400 ms', '–'],
      ['allocated memory', '61.0 GB', '60.0 GB'],
    ]);
    // The latest first.
    const history = await rows('#bench-history');
    assert.deepEqual(
      history.map(row => row.slice(3)),
      [
        ['2.20', '1.50 µs', '0 faster, 11 slower, 2 the same'],
        ['4.40', '1.50 µs', '5 faster, 0 slower, 8 the same'],
        ['4.00', '1.50 µs', '–'],
      ],
    );
    assert.match(history[0][1], /Example CPU \(others kept the machine busy\)/);
    const drawn = await page.evaluate(() =>
      ['compare-chart-0', 'history-chart'].map(id => window.Chart.getChart(id).data.datasets.map(({ data }) => data)),
    );
    assert.deepEqual(drawn, [
      [
        [2.5, 2.3, 0.18, 0.4],
        [2, 1.9, 0.06, 0],
      ],
      [[4e9, 4.4e9, 2.2e9]],
    ]);
    assert.match(await text(page, '#measured'), /Gradients take longer than the links should need/);
  },
);

check('measurements: their numbers are saved unrounded, and stand in the report', async ({ open }) => {
  const page = await open({ state, at: 'measured' });
  const saved = async id => {
    await page.click(`#${id}`);
    await page.waitForFunction(() => window.sent.at(-1)?.type === 'save');
    return page.evaluate(() => {
      const { name, data } = window.sent.pop();
      return { name, text: new TextDecoder().decode(data) };
    });
  };
  assert.deepEqual(await saved('calibration-csv'), {
    name: 'calibration.csv',
    text: 'constant,prior,value,uncertainty\r\ndevice.hopper.linkShare,0.78,0.61,0.04\r\nstack.picotron.bias,1,1.12,\r\n',
  });
  const history = JSON.parse((await saved('history-chart-json')).text);
  assert.deepEqual(
    history.map(one => one.allReduceBusbwBytesPerSecond),
    [4e9, 4.4e9, 2.2e9],
  );
  assert.match((await saved('compare-chart-0-csv')).text, /^all-grads-sync,0\.18,0\.06\r$/m);
  assert.match((await saved('history-chart-png')).name, /history-chart\.png/);
  const report = await saved('save-report');
  for (const part of ['Own measurements', 'device.hopper.linkShare', 'all-grads-sync', '2026-11-29', 'Loading data'])
    assert.ok(report.text.includes(part), part);
});

for (const theme of themes) {
  check(`measurements are accessible in ${theme}, also on a narrow page and in Slovak`, async ({ open }) => {
    const page = await open({ state, at: 'measured', theme, width: 320, language: 'sk' });
    await page.click('#compare-chart-0-table-toggle');
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => window.axe.run('#measured'));
    const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
    assert.deepEqual(
      grave.flatMap(({ id, nodes }) => nodes.map(node => `${id}: ${node.html} ${node.failureSummary}`)),
      [],
    );
    assert.match(await text(page, '#measured-calibrate'), /Kalibrovať/);
    assert.deepEqual(page.errors, []);
    assert.deepEqual(await page.evaluate(() => window.violations), []);
  });
}

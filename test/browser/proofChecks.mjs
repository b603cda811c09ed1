// The section that proves a plan, checked in a real browser.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { check, sent, text } from './checking.mjs';
import { readState, show, themes } from './dashboard.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const proved = readState('proved');
const { result } = proved.proof.document;
const sum = values => values.reduce((a, b) => a + b, 0);

/** @param {import('playwright-core').Page} page @param {string} id of a chart */
const datasets = (page, id) =>
  page.evaluate(
    name => window.Chart.getChart(name).data.datasets.map(({ label, data }) => ({ label, data: [...data] })),
    id,
  );
/** @param {import('playwright-core').Page} page @param {string} id of a table */
const rows = (page, id) =>
  page.evaluate(
    name => [...document.querySelectorAll(`#${name} tbody tr`)].map(row => [...row.cells].map(c => c.textContent)),
    id,
  );

check('proof: starts, shows its progress and is cancelled, by the keyboard', async ({ open }) => {
  const page = await open({ at: 'proof', state: readState('complete') });
  assert.match(await text(page, '#proof-status'), /Not run yet/);
  await page.focus('#prove-button');
  await page.keyboard.press('Enter');
  assert.deepEqual((await sent(page)).at(-1), { type: 'prove', planString: null });
  const running = { phase: 'running', planString: null, done: 2, total: 5 };
  await show(page, { ...readState('complete'), version: 2, proof: running });
  assert.match(await text(page, '#proof-progress'), /step 2 of 5/);
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'prove-button');
  await page.keyboard.press('Enter');
  assert.deepEqual((await sent(page)).at(-1), { type: 'cancelProof' });
  await show(page, { ...readState('complete'), version: 3, proof: { phase: 'failed', message: 'no memory' } });
  assert.match(await text(page, '#proof-status'), /broke off: no memory/);
});

check('proof: says what was proved, what was not, and what the twin has smaller', async ({ open }) => {
  const page = await open({ at: 'proof', state: proved });
  const { sentences } = proved.proof.document;
  assert.equal(await text(page, '#proof-status'), sentences.verdict);
  for (const [id, list] of [
    ['#proof-proved', sentences.proved],
    ['#proof-not-proved', sentences.notProved],
    ['#proof-scaled', sentences.scaled],
  ])
    for (const sentence of list) assert.ok((await text(page, id)).includes(sentence), sentence);
  assert.doesNotMatch(await text(page, '#proof'), /NaN|undefined|null|Infinity/);
});

check('proof: charts and tables hold what was counted and what was predicted', async ({ open }) => {
  const page = await open({ at: 'proof', state: proved });
  const losses = await datasets(page, 'proof-loss-chart');
  assert.deepEqual(
    losses.map(({ data }) => data.map(({ y }) => y)),
    [result.losses, result.serialLosses],
  );
  assert.deepEqual(
    (await rows(page, 'proof-loss-chart-twin')).map(row => Number(row[1])),
    result.losses.map(loss => Number(loss.toPrecision(12))),
  );
  const moved = result.traffic.filter(({ bytesPerRank }) => sum(bytesPerRank) > 0);
  const traffic = await datasets(page, 'proof-traffic-chart');
  assert.deepEqual(
    traffic.map(({ label, data }) => [label, data]),
    [
      ['Counted', moved.map(({ bytesPerRank }) => sum(bytesPerRank))],
      ['Predicted', moved.map(({ predictedBytesPerRank }) => sum(predictedBytesPerRank))],
    ],
  );
  assert.deepEqual(
    (await rows(page, 'proof-traffic-chart-twin')).map(row => [row[0], Number(row[2].replaceAll(',', ''))]),
    moved.map(({ axis, op, bytesPerRank }) => [`${axis} ${op}`, sum(bytesPerRank)]),
  );
  const memory = await datasets(page, 'proof-memory-chart');
  const kinds = ['weights', 'gradients', 'optimizer', 'activations'];
  const totals = new Set(result.memory.map(live => sum(kinds.map(kind => live[kind]))));
  assert.deepEqual(new Set(memory[0].data.map((_, at) => sum(memory.slice(0, 4).map(({ data }) => data[at])))), totals);
  assert.deepEqual(new Set(memory[4].data), totals, 'the prediction is what was counted');
  const bubble = await page.locator('#proof-bubble dd').first().textContent();
  assert.equal(Number.parseFloat(bubble), Number((result.bubbleFraction * 100).toFixed(1)));
});

check('proof: a run that parts from the serial one says where; a refused plan says why', async ({ open }) => {
  const page = await open({ at: 'proof', state: readState('proof-broken') });
  assert.match(await text(page, '#proof-status'), /^Not proved.*layers\.0\.gate at element 17 is 0\.125 where 0\.25/s);
  assert.match(await text(page, '#proof-mismatches'), /In step 1 the gradient/);
  assert.doesNotMatch(await text(page, '#proof-proved'), /Gradients/);
  await show(page, { ...readState('proof-refused'), version: 2 });
  assert.match(await text(page, '#proof-status'), /was not run/);
  assert.match(await text(page, '#proof-problems'), /32 attention heads do not divide over tp 3/);
  assert.equal(await page.locator('#proof-loss-chart').count(), 0);
});

check('proof: is at hand in every row of a search', async ({ open }) => {
  const page = await open({ at: 'search', state: readState('explored') });
  const found = readState('explored').search.document;
  const proves = planString => async () => assert.deepEqual((await sent(page)).at(-1), { type: 'prove', planString });
  await page.click('#best-1-prove');
  await proves(found.best[0].planString)();
  await page.click('#what-if-1-prove');
  await proves(found.whatIfs[0].planString)();
  await page.click('#explorer-row-2');
  await page.click('#explorer-prove');
  await proves(await text(page, '#explorer-chosen .plan'))();
});

check('proof: saves as CSV and JSON', async ({ open }) => {
  const page = await open({ at: 'proof', state: proved });
  await page.click('#proof-csv');
  await page.click('#proof-json');
  const files = await page.evaluate(() =>
    window.sent.filter(({ type }) => type === 'save').map(({ name, data }) => [name, new TextDecoder().decode(data)]),
  );
  const [[csvName, csv], [jsonName, json]] = files;
  assert.deepEqual([csvName, jsonName], ['proof.csv', 'proof.json']);
  assert.deepEqual(JSON.parse(json), proved.proof.document);
  const lines = csv.trimEnd().split('\r\n');
  const ranks = result.memory.length;
  assert.equal(lines[0], 'what,where,index,found,expected');
  assert.equal(lines.length, 1 + result.losses.length + (result.traffic.length + 5) * ranks + 1);
  assert.ok(lines.includes(`loss,step,0,${result.losses[0]},${result.serialLosses[0]}`));
});

check('proof: narrow, no violation of the security policy, no error, nothing wider than the page', async ({ open }) => {
  for (const name of ['proved', 'proof-broken', 'proof-refused']) {
    const page = await open({ at: 'proof', state: readState(name), width: 320 });
    await page.evaluate(() => document.querySelectorAll('details').forEach(details => (details.open = true)));
    await page.waitForTimeout(50);
    assert.deepEqual(await page.evaluate(() => window.violations), []);
    assert.deepEqual(page.errors, []);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320, name);
  }
});

for (const theme of themes)
  check(`proof, ${theme}: axe finds nothing`, async ({ open }) => {
    const page = await open({ at: 'proof', state: proved, theme });
    for (const chart of ['loss', 'traffic', 'memory']) await page.click(`#proof-${chart}-chart-table-toggle`);
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => window.axe.run('#page-proof'));
    assert.deepEqual(
      violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`),
      [],
    );
  });

check('proof: a text of the user’s is asked for, named, and given back', async ({ open }) => {
  const state = readState('complete');
  const page = await open({ at: 'proof', state });
  await page.click('#proof-text-button');
  assert.deepEqual((await sent(page)).at(-1), { type: 'chooseProofText' });
  await show(page, { ...state, version: 2, proofText: 'corpus.txt' });
  assert.equal(await text(page, '#proof-text'), 'The twin learns corpus.txt.');
  await page.click('#proof-text-button');
  assert.deepEqual((await sent(page)).at(-1), { type: 'ownProofText' });
});

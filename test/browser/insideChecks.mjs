// What the pages of the mesh and the roofline show of a plan, checked in a real browser.
import assert from 'node:assert/strict';
import { check, text } from './checking.mjs';
import { goTo, readState } from './dashboard.mjs';

check('the mesh names the place and the group of a rank, by field, list and click', async ({ open }) => {
  const page = await open({ at: 'mesh', state: readState('huge'), width: 800 });
  await page.fill('#mesh-rank', '1027');
  // 1027 = 3 + 8 · (0 + 128 · 1), on the third GPU of node 128.
  assert.equal(
    await text(page, '#mesh-rank-text'),
    'Rank 1,027 is GPU 3 of node 128: tp 3, dp 0, pp 1. It shares tp with ranks 1,024, 1,025, 1,026, 1,028, 1,029, 1,030, 1,031.',
  );
  await page.selectOption('#mesh-axis', 'pp');
  assert.match(await text(page, '#mesh-rank-text'), /It shares pp with ranks 3, 2,051, 3,075/);
  await page.locator('#mesh-canvas').click({ position: { x: 1, y: 1 } });
  assert.match(await text(page, '#mesh-rank-text'), /^Rank 0 is GPU 0 of node 0/);
  assert.equal(await page.locator('#mesh-canvas-table tbody tr').count(), 16);
});

check('the links say what they carry, and which one binds', async ({ open }) => {
  const page = await open({ at: 'mesh', state: readState('complete') });
  await page.waitForSelector('#traffic-table');
  assert.match(await text(page, '#traffic'), /The fast link binds: of all axes, tp has the most exposed communication/);
  // 32 micro-batches to the next stage and 32 gradients back, each half of 8,192 × 4,096 numbers of 2 bytes (tp 2).
  const pipeline = ((64 * 8192 * 4096 * 2) / 2 / 1e9).toFixed(1);
  assert.match(
    await text(page, '#traffic-table'),
    new RegExp(`pp\\s+4\\s+over domains, 1 of it in each\\s+–\\s+${pipeline} GB`),
  );
});

check('the roofline draws every operator of its table that has products', async ({ open }) => {
  const page = await open({ at: 'roofline', state: readState('complete') });
  await page.waitForSelector('#roofline-chart');
  const { dots, rows } = await page.evaluate(() => ({
    dots: window.Chart.getChart('roofline-chart')
      .data.datasets.slice(0, 2)
      .flatMap(set => set.data),
    rows: [...document.querySelectorAll('#roofline-chart-table tbody tr')].map(row =>
      [...row.cells].map(cell => cell.textContent.replaceAll('\u00a0', ' ')),
    ),
  }));
  const counted = rows.filter(([name]) => /^\d/.test(name));
  assert.equal(dots.length, counted.length);
  for (const { number, x, name } of dots) {
    const row = counted[number - 1];
    assert.equal(row[0], `${number} ${name}`);
    assert.ok(Math.abs(Number(row[4].replaceAll(',', '')) / x - 1) < 0.01);
  }
  // qkv of Llama 3.1 8B at tp 2: 8,192 × 4,096 by 4,096 × 3,072.
  assert.equal(counted[0][2], `${((2 * 8192 * 4096 * 3072) / 1e9).toFixed(0)} GFLOP`);
});

check('a chart is saved as picture, CSV and JSON, with the unrounded numbers of the state', async ({ open }) => {
  const state = readState('complete');
  const page = await open({ at: 'time', state });
  const saved = async id => {
    await page.click(`#${id}`);
    await page.waitForFunction(() => window.sent.at(-1)?.type === 'save');
    return page.evaluate(() => {
      const { name, mime, data } = window.sent.pop();
      return { name, mime, data: [...data] };
    });
  };
  const json = await saved('time-chart-json');
  const rows = JSON.parse(new TextDecoder().decode(new Uint8Array(json.data)));
  assert.equal(json.name, 'time-chart.json');
  const step = rows.filter(({ inStep }) => inStep === 'true').reduce((sum, { seconds }) => sum + seconds, 0);
  assert.ok(Math.abs(step / state.estimate.throughput.stepSeconds - 1) < 1e-9);
  const csv = new TextDecoder().decode(new Uint8Array((await saved('time-chart-csv')).data));
  assert.ok(csv.includes(`\r\nbubble,true,${state.estimate.time.bubble}\r\n`));
  const png = await saved('time-chart-png');
  assert.deepEqual(png.data.slice(0, 4), [0x89, 0x50, 0x4e, 0x47]);
  assert.ok(png.data.length > 5000);
});

check('the report is one file with the plan that is shown, and without scripts', async ({ open }) => {
  const state = readState('complete');
  const page = await open({ state });
  await page.click('#save-report');
  const { name, html } = await page.evaluate(() => {
    const { name, data } = window.sent.at(-1);
    return { name, html: new TextDecoder().decode(data) };
  });
  assert.equal(name, 'report.html');
  assert.match(html, /<svg[^>]*aria-label="Peak memory/);
  assert.ok(html.includes(`${Number(state.estimate.throughput.stepSeconds.toPrecision(3))} s`));
  assert.doesNotMatch(html, /<script|src=|href=/);
});

check('figures of memory, step, bubble, links and operators open with their arithmetic', async ({ open }) => {
  const state = readState('complete');
  const { memory, pipeline, time } = state.estimate;
  const page = await open({ at: 'memory', state });
  const opened = async id => {
    await page.click(`#how-${id}-toggle`);
    return text(page, `#how-${id}`);
  };
  await page.selectOption('#explained-stage', '0');
  const { weights } = memory.stages[0];
  const billions = ((weights / 2) * 1e-9).toPrecision(3);
  assert.match(await opened('memory-weights'), new RegExp(`${billions} B parameters × 2 bytes = `));
  assert.match(await opened('memory-overhead'), /% of [\d.]+ GB of tensors/);
  await goTo(page, 'time');
  assert.match(await opened('time-forward'), new RegExp(`${pipeline.microBatches} × [\\d.]+ ms = `));
  // The busiest stage alone waits the makespan less its own work: the makespan of the fraction has to be the same.
  const { forward, backwardInput, backwardWeight } = pipeline.stageSeconds;
  const busy = forward.map((seconds, stage) => seconds + backwardInput[stage] + backwardWeight[stage]);
  const makespan = pipeline.microBatches * Math.max(...busy) + time.bubble;
  const shown = await opened('bubble');
  const [, sum, stages, of] = /1 − ([\d.]+) s ÷ \((\d+) × ([\d.]+) s\)/.exec(shown).map(Number);
  assert.equal(stages, pipeline.stages);
  assert.ok(Math.abs(of / makespan - 1) < 0.01, `${of} s, ${makespan} s from the busiest stage`);
  assert.ok(Math.abs(1 - sum / (stages * of) - pipeline.bubbleFraction) < 0.01);
  await goTo(page, 'mesh');
  await page.waitForSelector('#how-traffic-tp-toggle');
  assert.match(await opened('traffic-tp'), /fast link [\d.]+ GB ÷ [\d.]+ GB\/s = [\d.]+ m?s; NIC .*The fast link\./s);
  await goTo(page, 'roofline');
  const [, flops, seconds, rate] = /([\d.]+) GFLOP ÷ ([\d.]+) [µm]s = ([\d.]+) TFLOP\/s/.exec(
    await opened('operator-1'),
  );
  assert.ok(Number(flops) > 0 && Number(seconds) > 0 && Number(rate) > 0);
});

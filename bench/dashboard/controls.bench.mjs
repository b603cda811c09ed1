// How soon the dashboard follows a control: script and layout, painting left out, for Llama 3 405B on 16,384 GPUs.
import { quantile } from './quantile.mjs';
import { goTo, pageIds, readState, startDashboards } from '../../test/browser/dashboard.mjs';

const MOVES = 60;

/**
 * Moves a slider to and fro and times each move: the event's handler, and the frame that draws it with its layout.
 * The callbacks of one frame run in the order in which they were asked for, so two of ours stand around the page's.
 * @param {import('playwright-core').Page} page @param {number} moves @returns {Promise<number[]>}
 */
const moveSliders = (page, moves) =>
  page.evaluate(async count => {
    const times = [];
    for (let move = 0; move < count; move++) {
      const slider = document.querySelector(['#what-if-tp', '#what-if-pp', '#what-if-microBatch'][move % 3]);
      const next = (Number(slider.value) + 1 + (move % 2)) % Math.min(5, Number(slider.max) + 1);
      slider.value = String(next);
      times.push(
        await new Promise(resolve => {
          let [frame, handled] = [0, 0];
          requestAnimationFrame(() => (frame = performance.now()));
          const start = performance.now();
          slider.dispatchEvent(new Event('input', { bubbles: true }));
          handled = performance.now() - start;
          requestAnimationFrame(() => {
            void document.body.offsetHeight;
            resolve(handled + performance.now() - frame);
          });
        }),
      );
    }
    return times;
  }, moves);

/** What the same browser takes to make and lay out a table of a thousand rows. @param {import('playwright-core').Page} page */
const tableMilliseconds = page =>
  page.evaluate(() => {
    const times = [];
    for (let round = 0; round < 9; round++) {
      const start = performance.now();
      const table = document.createElement('table');
      for (let row = 0; row < 1000; row++) {
        const line = table.insertRow();
        for (let cell = 0; cell < 5; cell++) line.insertCell().textContent = String(row * cell);
      }
      document.body.append(table);
      void document.body.offsetHeight;
      times.push(performance.now() - start);
      table.remove();
    }
    return times.sort((a, b) => a - b)[4];
  });

async function measure() {
  const dashboards = await startDashboards();
  try {
    const page = await dashboards.open({ state: readState('huge'), width: 800 });
    await page.click('#what-if-panel summary');
    await page.waitForSelector('#what-if-tp');
    const reference = await tableMilliseconds(page);
    for (const id of await pageIds(page)) {
      await goTo(page, id);
      await moveSliders(page, 12);
      const times = await moveSliders(page, MOVES);
      for (const [name, share] of [
        ['median', 0.5],
        ['95th percentile', 0.95],
      ]) {
        const value = quantile(times, share);
        const title = `control to redraw on the page ${id}, ${name}`.padEnd(60);
        const beside = `a table of 1,000 rows ${reference.toFixed(1)}, ratio ${(value / reference).toFixed(3)}`;
        console.log(`  ${title} ${value.toFixed(2)} ms, ${beside}`);
      }
    }
  } finally {
    await dashboards.stop();
  }
}

await measure();

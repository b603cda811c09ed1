// How soon the dashboard draws a snapshot that is sent to it. Goal: 300 ms.
import { readState, startDashboards } from '../../test/browser/dashboard.mjs';
import { quantile } from './quantile.mjs';

const ROUNDS = 20;

/** Milliseconds from the message to the drawn page. @param {import('playwright-core').Page} page */
const redraw = (page, state) =>
  page.evaluate(async next => {
    const start = performance.now();
    const done = new Promise(resolve => {
      const wait = () => (document.body.dataset.meshlens === 'ready' ? resolve(undefined) : setTimeout(wait, 0));
      window.addEventListener('message', wait, { once: true });
    });
    delete document.body.dataset.meshlens;
    window.postMessage({ type: 'state', state: next }, '*');
    await done;
    return performance.now() - start;
  }, state);

const dashboards = await startDashboards();
try {
  const page = await dashboards.open({ state: readState('complete') });
  const states = ['searched', 'stages-64'].map(readState);
  const times = [];
  for (let round = 0; round < ROUNDS; round++)
    times.push(await redraw(page, { ...states[round % states.length], version: round + 2 }));
  const [median, worst] = [quantile(times, 0.5), Math.max(...times)];
  console.log(
    `  a snapshot drawn, median ${median.toFixed(0)} ms, worst of ${ROUNDS} ${worst.toFixed(0)} ms (goal: 300 ms)`,
  );
} finally {
  await dashboards.stop();
}

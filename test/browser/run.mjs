// Runs the dashboard's page in Chromium: `node test/browser/run.mjs [part of a title]`.
import './accessChecks.mjs';
import { buildPage } from './build.mjs';
import './chartChecks.mjs';
import { checks } from './checking.mjs';
import './checks.mjs';
import './collectivesChecks.mjs';
import { openDashboards } from './dashboard.mjs';
import './explorerChecks.mjs';
import './figureChecks.mjs';
import './overviewChecks.mjs';
import './insideChecks.mjs';
import './lectureChecks.mjs';
import './measuredChecks.mjs';
import './proofChecks.mjs';
import './whatIfChecks.mjs';
import { takeScreenshots } from './screenshots.mjs';

/** As many checks run side by side, each lane in a browser of its own. */
const LANES = 2;

/**
 * @param {string} [filter] runs only the checks whose title has this in it
 * @returns {Promise<{passes: number, failures: number, pending: number, failed: {title: string, message: string}[]}>}
 */
export async function runBrowserTests(filter = '') {
  const waiting = checks.filter(({ title }) => title.includes(filter)).values();
  const result = { passes: 0, failures: 0, pending: 0, failed: [] };
  await buildPage();
  const lane = async () => {
    const dashboards = await openDashboards();
    try {
      // All lanes take from the same iterator.
      for (const chosen of waiting) await runCheck(chosen, dashboards, result);
    } finally {
      await dashboards.stop();
    }
  };
  // Each page in each theme; the other pictures are for the eye alone.
  const pictures = async () => {
    const dashboards = await openDashboards();
    await takeScreenshots(dashboards, 'theme').finally(dashboards.stop);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  if (filter === '') await pictures();
  return result;
}

async function runCheck({ title, run }, dashboards, result) {
  try {
    await run(dashboards);
    result.passes++;
  } catch (error) {
    result.failures++;
    result.failed.push({ title, message: error instanceof Error ? error.message : String(error) });
  } finally {
    await dashboards.closePages();
  }
}

if (process.argv[1] === import.meta.filename) {
  const { passes, failures, failed } = await runBrowserTests(process.argv[2]);
  for (const { title, message } of failed) console.error(`✗ ${title}\n  ${message.replaceAll('\n', '\n  ')}`);
  console.log(`${passes} passed, ${failures} failed`);
  process.exitCode = failures > 0 ? 1 : 0;
}

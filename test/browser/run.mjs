// Runs the dashboard's page in Chromium: `node test/browser/run.mjs [part of a title]`.
import './accessChecks.mjs';
import './chartChecks.mjs';
import { checks } from './checking.mjs';
import './checks.mjs';
import './collectivesChecks.mjs';
import { startDashboards } from './dashboard.mjs';
import './explorerChecks.mjs';
import './figureChecks.mjs';
import './overviewChecks.mjs';
import './insideChecks.mjs';
import './lectureChecks.mjs';
import './proofChecks.mjs';
import './whatIfChecks.mjs';
import { takeScreenshots } from './screenshots.mjs';

/**
 * @param {string} [filter] runs only the checks whose title has this in it
 * @returns {Promise<{passes: number, failures: number, pending: number, failed: {title: string, message: string}[]}>}
 */
export async function runBrowserTests(filter = '') {
  const chosen = checks.filter(({ title }) => title.includes(filter));
  const result = { passes: 0, failures: 0, pending: 0, failed: [] };
  const dashboards = await startDashboards();
  try {
    for (const { title, run } of chosen) {
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
    // Each page in each theme; the other pictures are for the eye alone.
    if (filter === '') await takeScreenshots(dashboards, 'theme');
  } finally {
    await dashboards.stop();
  }
  return result;
}

if (process.argv[1] === import.meta.filename) {
  const { passes, failures, failed } = await runBrowserTests(process.argv[2]);
  for (const { title, message } of failed) console.error(`✗ ${title}\n  ${message.replaceAll('\n', '\n  ')}`);
  console.log(`${passes} passed, ${failures} failed`);
  process.exitCode = failures > 0 ? 1 : 0;
}

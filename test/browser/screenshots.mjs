// Pictures of the dashboard for the eye: `node test/browser/screenshots.mjs` writes out/screenshots/dashboard-*.png.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '../host/places.mjs';
import { goTo, pageIds, readState, startDashboards, themes } from './dashboard.mjs';

const folder = path.join(repositoryRoot, 'out/screenshots');

const names = ['complete', 'unknown', 'stages-16', 'stages-64', 'searched', 'stale', 'out-of-memory'];

const shots = [
  ...names.map(name => ({ name, state: name, theme: 'vscode-dark', width: 1100 })),
  ...themes.map(theme => ({ name: `theme-${theme}`, state: 'searched', theme, width: 1100 })),
  { name: 'narrow', state: 'searched', theme: 'vscode-light', width: 400 },
  { name: 'zoomed', state: 'complete', theme: 'vscode-dark', width: 550 },
  ...themes.map(theme => ({ name: `proof-${theme}`, state: 'proved', theme, width: 1100, only: 'proof' })),
  { name: 'proof-broken', state: 'proof-broken', theme: 'vscode-dark', width: 500, only: 'proof' },
  { name: 'measured', state: 'complete', theme: 'vscode-dark', width: 1100, bench: 'bench' },
  ...themes.map(theme => ({
    name: `own-${theme}`,
    state: 'complete',
    theme,
    width: 1100,
    only: 'measured',
    own: true,
  })),
];

/**
 * Every page of every shot, or those whose name has `filter` in it.
 * @param {Awaited<ReturnType<typeof startDashboards>>} dashboards @param {string} [filter]
 */
export async function takeScreenshots(dashboards, filter = '') {
  mkdirSync(folder, { recursive: true });
  for (const { name, state, theme, width, bench, only, own } of shots) {
    const measured = bench === undefined ? {} : { bench: { running: null, failure: null, result: readState(bench) } };
    const imported = own === true ? { measured: readState('measured') } : {};
    const page = await dashboards.open({ state: { ...readState(state), ...measured, ...imported }, theme, width });
    for (const id of await pageIds(page)) {
      if (!`${name}-${id}`.includes(filter) || (only !== undefined && only !== id)) continue;
      await goTo(page, id);
      await page.waitForTimeout(100);
      await page.screenshot({ path: path.join(folder, `dashboard-${name}-${id}.png`), fullPage: true });
    }
    await page.context().close();
  }
}

if (process.argv[1] === import.meta.filename) {
  const dashboards = await startDashboards();
  await takeScreenshots(dashboards, process.argv[2]).finally(dashboards.stop);
}

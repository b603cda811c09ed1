// Pictures of the dashboard for the eye: `node test/browser/screenshots.mjs` writes out/screenshots/dashboard-*.png.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '../host/places.mjs';
import { readState, startDashboards, themes } from './dashboard.mjs';

const folder = path.join(repositoryRoot, 'out/screenshots');

const names = ['complete', 'unknown', 'stages-16', 'stages-64', 'searched', 'stale', 'out-of-memory'];

const shots = [
  ...names.map(name => ({ name, state: name, theme: 'vscode-dark', width: 1100 })),
  ...themes.map(theme => ({ name: `theme-${theme}`, state: 'searched', theme, width: 1100 })),
  { name: 'narrow', state: 'searched', theme: 'vscode-light', width: 320 },
  { name: 'zoomed', state: 'complete', theme: 'vscode-dark', width: 550 },
  { name: 'measured', state: 'complete', theme: 'vscode-dark', width: 1100, bench: 'bench' },
];

/** @param {Awaited<ReturnType<typeof startDashboards>>} dashboards */
export async function takeScreenshots(dashboards) {
  mkdirSync(folder, { recursive: true });
  for (const { name, state, theme, width, bench } of shots) {
    const measured = bench === undefined ? {} : { bench: { running: null, failure: null, result: readState(bench) } };
    const page = await dashboards.open({ state: { ...readState(state), ...measured }, theme, width });
    await page.screenshot({ path: path.join(folder, `dashboard-${name}.png`), fullPage: true });
    await page.context().close();
  }
}

if (process.argv[1] === import.meta.filename) {
  const dashboards = await startDashboards();
  await takeScreenshots(dashboards).finally(dashboards.stop);
}

// Pictures of the explorer for the eye: `node test/browser/explorerScreenshots.mjs` writes out/screenshots/{explorer,scale,further}-*.png.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '../host/places.mjs';
import { readState, startDashboards } from './dashboard.mjs';

const folder = path.join(repositoryRoot, 'out/screenshots');
const shots = [
  { name: 'dark', theme: 'vscode-dark', width: 1100 },
  { name: 'light', theme: 'vscode-light', width: 1100 },
  { name: 'high-contrast', theme: 'vscode-high-contrast', width: 1100 },
  { name: 'narrow', theme: 'vscode-light', width: 320 },
];

mkdirSync(folder, { recursive: true });
const dashboards = await startDashboards();
try {
  for (const { name, theme, width } of shots) {
    const page = await dashboards.open({ at: 'search', state: readState('explored'), theme, width });
    await page.click('#explorer-row-3');
    for (const part of ['explorer', 'scale', 'further'])
      await page.locator(`#${part}`).screenshot({ path: path.join(folder, `${part}-${name}.png`) });
    await page.context().close();
  }
} finally {
  await dashboards.stop();
}

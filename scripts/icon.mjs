// Draws the marketplace's icon, media/icon.png, from the motif of the activity bar's: `npm run icon`.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { launchBrowser } from '../test/host/browser.mjs';
import { repositoryRoot } from '../test/host/places.mjs';

const SIZE = 256;
const motif = readFileSync(path.join(repositoryRoot, 'media/activity.svg'), 'utf8').replace(
  /width="\d+" height="\d+"/,
  'width="200" height="200"',
);
const browser = await launchBrowser();
try {
  const page = await browser.newPage({ viewport: { width: SIZE, height: SIZE } });
  await page.setContent(`<style>
    html, body { margin: 0; background: transparent }
    div { width: ${SIZE}px; height: ${SIZE}px; border-radius: 48px; background: #12324a; color: #9fdcff;
          display: grid; place-items: center }
  </style><div>${motif}</div>`);
  await page.screenshot({ path: path.join(repositoryRoot, 'media/icon.png'), omitBackground: true });
} finally {
  await browser.close();
}

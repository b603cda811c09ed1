// Screenshots of the extension at work in a real VS Code: its lens in a file, and the view behind the lens in a theme
// of each kind.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { newestHost, parseVersion, repositoryRoot } from '../test/host/places.mjs';
import { exitOnSignals } from '../test/host/server.mjs';
import { openWorkbench, themes } from '../test/host/ui.mjs';

const usage = `Usage: node scripts/screenshots.mjs FOLDER [--file FILE] [options]
  --file FILE        the file of the folder to open
  --lens TEXT        click the first lens with this text (default: the first lens)
  --ready SELECTOR   what must be visible in the webview before a picture is taken (default: body > *)
  --version VERSION  ${newestHost} or an older one
  --extension DIR    the extension (default: this repository)
  --size WxH         of the window (default: 1400x850)
  --out DIR          default: out/screenshots`;

function readOptions() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      file: { type: 'string' },
      lens: { type: 'string', default: '' },
      ready: { type: 'string', default: 'body > *' },
      version: { type: 'string', default: newestHost },
      extension: { type: 'string', default: repositoryRoot },
      size: { type: 'string', default: '1400x850' },
      out: { type: 'string', default: path.join(repositoryRoot, 'out/screenshots') },
    },
  });
  const [folder] = positionals;
  const [width, height] = values.size.split('x').map(Number);
  if (!folder || !(width > 0 && height > 0)) throw new Error(usage);
  return { ...values, folder, viewport: { width, height } };
}

async function main() {
  const options = readOptions();
  mkdirSync(options.out, { recursive: true });
  const workbench = await openWorkbench({
    folder: options.folder,
    version: parseVersion(options.version),
    extension: options.extension,
    viewport: options.viewport,
    openFile: options.file,
  });
  const { page } = workbench;
  /** @param {string} name */
  const shoot = async name => {
    const file = path.join(options.out, `${name}.png`);
    await page.screenshot({ path: file });
    console.log(file);
  };
  try {
    const lens = await workbench.lens(options.lens);
    await shoot('lens');
    await lens.click();
    const frame = workbench.frame();
    await frame.locator(options.ready).first().waitFor();
    for (const theme of themes) {
      await workbench.setTheme(theme.label);
      await frame.locator(`body.${theme.webview}`).waitFor();
      await shoot(theme.label.toLowerCase().replaceAll(' ', '-'));
    }
  } catch (error) {
    await shoot('error');
    throw error;
  } finally {
    await workbench.close();
  }
}

exitOnSignals();
try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

// A VS Code workbench in a headless browser, for checks of the user interface and for screenshots.
import path from 'node:path';
import { launchBrowser } from './browser.mjs';
import { installedHost, newestHost, repositoryRoot } from './places.mjs';
import { makeDataDir, quietSettings, removeDataDir, startServer, workbenchUrl } from './server.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('playwright-core').Locator} Locator */
/** @typedef {import('playwright-core').FrameLocator} FrameLocator */
/** @typedef {import('./places.mjs').HostVersion} HostVersion */

/**
 * One theme of each kind that VS Code knows, by its label in the theme picker.
 * `workbench` is the class that it gives the workbench, `webview` the one that it gives the body of a webview.
 */
export const themes = [
  { label: 'Dark Modern', workbench: 'vs-dark', webview: 'vscode-dark' },
  { label: 'Light Modern', workbench: 'vs', webview: 'vscode-light' },
  { label: 'Dark High Contrast', workbench: 'hc-black', webview: 'vscode-high-contrast' },
  { label: 'Light High Contrast', workbench: 'hc-light', webview: 'vscode-high-contrast-light' },
];

/**
 * @typedef {object} WorkbenchOptions
 * @property {string} folder the workspace
 * @property {HostVersion} [version] default: the newest
 * @property {string | undefined} [openFile] relative to the folder
 * @property {Record<string, unknown>} [settings] user settings over the quiet ones
 * @property {{width: number, height: number}} [viewport]
 * @property {string | null} [extension] under development; default: the repository; null: none
 * @property {string} [extensionsDir] with extensions installed
 * @property {boolean} [untrusted]
 */

/**
 * @typedef {object} Workbench
 * @property {Page} page
 * @property {() => FrameLocator} frame what is inside the first webview
 * @property {(label: string) => Promise<void>} setTheme switches to a theme by its label, as a user does
 * @property {(text: string) => Promise<Locator>} lens waits for a CodeLens with this text
 * @property {(title: string) => Promise<void>} command runs a command by its title in the palette
 * @property {() => string} log what VS Code's server printed
 * @property {() => Promise<void>} close
 */

// The extension host of a fresh profile takes 5 to 15 s to come up, on a busy machine more.
const hostLimit = 90_000;
const viewportDefault = { width: 1400, height: 850 };

/**
 * @param {WorkbenchOptions} options
 * @returns {Promise<Workbench>}
 */
export async function openWorkbench(options) {
  const dataDir = makeDataDir();
  /** @type {(() => Promise<unknown>)[]} */
  const undo = [async () => removeDataDir(dataDir)];
  const close = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const server = await startServer({
      root: installedHost(options.version ?? newestHost),
      dataDir,
      settings: { ...quietSettings, 'workbench.colorTheme': 'Default Dark Modern', ...options.settings },
      extensionsDir: options.extensionsDir,
      untrusted: options.untrusted ?? false,
    });
    undo.push(server.stop);
    const browser = await launchBrowser();
    undo.push(() => browser.close());
    const page = await browser.newPage({ viewport: options.viewport ?? viewportDefault });
    const folder = path.resolve(options.folder);
    const extension = options.extension === undefined ? repositoryRoot : options.extension;
    await page.goto(
      workbenchUrl(server.port, {
        folder,
        extensions: extension === null ? [] : [path.resolve(extension)],
        openFile: options.openFile && path.resolve(folder, options.openFile),
      }),
    );
    await page.locator('.monaco-workbench').waitFor({ timeout: hostLimit });
    return {
      page,
      frame: () => webviewFrame(page),
      setTheme: label => setTheme(page, label),
      lens: text => lens(page, text),
      command: title => command(page, title),
      log: server.log,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** VS Code puts a webview's page into a frame of its own inside a frame that guards it. @param {Page} page */
function webviewFrame(page) {
  return page.frameLocator('iframe.webview').first().frameLocator('iframe#active-frame');
}

/**
 * @param {Page} page
 * @param {string} text
 */
async function lens(page, text) {
  const found = page.locator('.codelens-decoration a', { hasText: text }).first();
  await found.waitFor({ timeout: hostLimit });
  return found;
}

/**
 * Opens a quick pick, types, and takes the row that the typing has brought into focus.
 * @param {Page} page
 * @param {() => Promise<void>} open
 * @param {string} text what to type
 * @param {string} label what the row says
 */
async function quickPick(page, open, text, label) {
  await open();
  const input = page.locator('.quick-input-widget input').first();
  await input.waitFor({ state: 'visible' });
  await input.fill(text);
  const row = page.locator('.quick-input-list .monaco-list-row.focused', { hasText: label });
  await row.first().waitFor();
  await page.keyboard.press('Enter');
  await input.waitFor({ state: 'hidden' });
}

/**
 * @param {Page} page
 * @param {string} label
 */
async function setTheme(page, label) {
  const open = async () => {
    await page.keyboard.press('Control+K');
    await page.keyboard.press('Control+T');
  };
  await quickPick(page, open, label, label);
  const theme = themes.find(known => known.label === label);
  if (theme) await page.locator(`.monaco-workbench.${theme.workbench}`).waitFor();
}

/**
 * @param {Page} page
 * @param {string} title
 */
async function command(page, title) {
  await quickPick(page, () => page.keyboard.press('F1'), `>${title}`, title);
}

// The timeline alone in a browser, under the security policy that the extension gives its page.
import { readFile } from 'node:fs/promises';
import http from 'node:http';
import path from 'node:path';
import { build } from 'esbuild';
import { launchBrowser } from '../host/browser.mjs';
import { repositoryRoot } from '../host/places.mjs';
import { bodyClass } from './server.mjs';

const bundleFolder = path.join(repositoryRoot, 'out/browser-timeline');
const themesFolder = path.join(repositoryRoot, 'test/fixtures/dashboard/themes');
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:";
const types = { '.js': 'text/javascript', '.css': 'text/css' };

/** @param {string} theme */
const html = theme => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>MeshLens</title>
<link rel="stylesheet" href="/themes/default.css">
<link rel="stylesheet" href="/themes/${theme}.css">
<link rel="stylesheet" href="/style.css">
</head>
<body class="${bodyClass(theme)}">
<script src="/host.js"></script>
<script type="module" src="/main.js"></script>
</body>
</html>
`;

/** @param {string} pathname */
function fileOf(pathname) {
  if (pathname === '/host.js') return path.join(import.meta.dirname, 'host.js');
  return path.join(pathname.startsWith('/themes/') ? themesFolder : bundleFolder, path.basename(pathname));
}

async function serve() {
  const server = http.createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    response.setHeader('Content-Security-Policy', policy);
    const isPage = pathname === '/';
    const content = isPage
      ? html(searchParams.get('theme') ?? 'vscode-dark')
      : await readFile(fileOf(pathname)).catch(() => null);
    response.statusCode = content === null ? 404 : 200;
    response.setHeader('Content-Type', isPage ? 'text/html' : (types[path.extname(pathname)] ?? 'text/plain'));
    response.end(content);
  });
  await new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  return { url: `http://127.0.0.1:${server.address().port}/`, stop: () => server.close() };
}

/** Waits until what was changed is drawn. @param {import('playwright-core').Page} page */
export const settle = page =>
  page.evaluate(() => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))));

export async function startTimelines() {
  await build({
    absWorkingDir: repositoryRoot,
    entryPoints: { main: 'test/browser/timelineEntry.ts', style: 'test/browser/timeline.css' },
    outdir: bundleFolder,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    logLevel: 'warning',
  });
  const server = await serve();
  const browser = await launchBrowser();
  /** A page with these pipelines. */
  const open = async ({ inputs, theme = 'vscode-dark', width = 1100, height = 900, scale = 1 }) => {
    const context = await browser.newContext({ viewport: { width, height }, deviceScaleFactor: scale });
    const page = await context.newPage();
    page.errors = [];
    page.on('pageerror', error => page.errors.push(error.message));
    await page.goto(`${server.url}?theme=${theme}`);
    await page.waitForFunction(() => window.timeline !== undefined);
    if (inputs !== undefined) await page.evaluate(given => window.timeline.update(given), inputs);
    await settle(page);
    return page;
  };
  const closePages = () => Promise.all(browser.contexts().map(context => context.close()));
  const stop = async () => {
    await browser.close();
    server.stop();
  };
  return { open, closePages, stop };
}

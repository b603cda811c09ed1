// Serves the dashboard's page under the security policy that the extension gives it.
import { readFile } from 'node:fs/promises';
import http from 'node:http';
import path from 'node:path';
import { repositoryRoot } from '../host/places.mjs';
import { bundleFolder } from './build.mjs';

const policy = "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:";
const types = { '.js': 'text/javascript', '.css': 'text/css' };
const themesFolder = path.join(repositoryRoot, 'test/fixtures/dashboard/themes');

/** VS Code marks the light high contrast theme as a high contrast one as well. @param {string} theme */
export const bodyClass = theme =>
  theme === 'vscode-high-contrast-light' ? 'vscode-high-contrast-light vscode-high-contrast' : theme;

/** @param {string} theme @param {string} language @param {string} entry */
const page = (theme, language, entry) => `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<title>MeshLens</title>
<link rel="stylesheet" href="/themes/default.css">
<link rel="stylesheet" href="/themes/${theme}.css" id="theme">
<link rel="stylesheet" href="/style.css">
</head>
<body class="${bodyClass(theme)}">
<script src="/host.js"></script>
<script type="module" src="/${entry}.js"></script>
</body>
</html>
`;

/** @param {string} pathname */
function fileOf(pathname) {
  const name = path.basename(pathname);
  if (pathname === '/host.js') return path.join(import.meta.dirname, name);
  return path.join(pathname.startsWith('/themes/') ? themesFolder : bundleFolder, name);
}

/** @returns {Promise<{url: string, stop: () => Promise<void>}>} */
export async function servePage() {
  const server = http.createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    response.setHeader('Content-Security-Policy', policy);
    if (pathname === '/' || pathname === '/lecture') {
      response.setHeader('Content-Type', 'text/html');
      const theme = searchParams.get('theme') ?? 'vscode-dark';
      response.end(page(theme, searchParams.get('language') ?? 'en', pathname === '/' ? 'main' : 'lecture'));
      return;
    }
    try {
      const content = await readFile(fileOf(pathname));
      response.setHeader('Content-Type', types[path.extname(pathname)] ?? 'text/plain');
      response.end(content);
    } catch {
      response.statusCode = 404;
      response.end();
    }
  });
  await new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = server.address();
  return { url: `http://127.0.0.1:${port}/`, stop: () => new Promise(resolve => server.close(() => resolve())) };
}

// Bundles the dashboard's page as the product does, with one more line that lets the tests look into its charts.
import path from 'node:path';
import { build } from 'esbuild';
import { repositoryRoot } from '../host/places.mjs';

export const bundleFolder = path.join(repositoryRoot, 'out/browser');

export async function buildPage() {
  await build({
    absWorkingDir: repositoryRoot,
    entryPoints: { main: 'test/browser/entry.ts', lecture: 'webview/lecture/main.ts', style: 'webview/main.css' },
    outdir: bundleFolder,
    splitting: true,
    chunkNames: 'chunk-[hash]',
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    logLevel: 'warning',
  });
}

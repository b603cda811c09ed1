// Builds everything that is shipped: a thin entry that activation loads, split chunks for engine and product, the
// command line, the worker and the dashboard.
import { rmSync, writeFileSync, chmodSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';

const watch = process.argv.includes('--sourcemap');
const common = {
  bundle: true,
  minify: true,
  sourcemap: watch ? 'linked' : false,
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
};

rmSync('dist', { recursive: true, force: true });
mkdirSync('dist', { recursive: true });

// Platform neutral takes the browser build of libraries: their Node builds are CommonJS and would call require.
const chunks = build({
  ...common,
  platform: 'neutral',
  format: 'esm',
  target: 'es2022',
  mainFields: ['module', 'main'],
  conditions: ['import'],
  splitting: true,
  external: ['vscode', 'node:*'],
  outdir: 'dist',
  outExtension: { '.js': '.mjs' },
  chunkNames: 'chunks/[name]-[hash]',
  entryPoints: {
    product: 'src/extension/product.ts',
    worker: 'src/node/engineWorker.ts',
    searchWorker: 'src/node/search/worker.ts',
    collectivesWorker: 'src/node/collectives/worker.ts',
    hostWorker: 'src/node/bench/hostWorker.ts',
    trainingRanks: 'src/node/trainer/rankProgram.ts',
    cli: 'src/cli/cli.ts',
  },
});

// The entry stays CommonJS and small; its import of the product stays a real import().
const entry = build({
  ...common,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  external: ['vscode'],
  outfile: 'dist/extension.js',
  entryPoints: ['src/extension/extension.ts'],
  plugins: [
    {
      name: 'lazy-product',
      setup(esbuild) {
        esbuild.onResolve({ filter: /^\.\/product$/ }, () => ({ path: './product.mjs', external: true }));
      },
    },
  ],
});

// The browser's host loads one file and no more of the extension's own; what the entry imports lazily lies in it too, and
// is evaluated when it is first asked for. Its engine runs in a web worker, whose text is one file as well.
const webHost = build({
  ...common,
  platform: 'browser',
  format: 'cjs',
  target: 'es2022',
  external: ['vscode'],
  outfile: 'dist/web/extension.js',
  entryPoints: ['src/extension/extension.ts'],
  plugins: [
    {
      name: 'platform-of-browsers',
      setup(esbuild) {
        const web = path.resolve('src/extension/platform.web.ts');
        esbuild.onResolve({ filter: /^\.\/platform$/ }, () => ({ path: web }));
      },
    },
  ],
});

const webWorker = build({
  ...common,
  platform: 'browser',
  format: 'iife',
  target: 'es2022',
  outfile: 'dist/web/worker.js',
  entryPoints: ['src/web/engineWorker.ts'],
});

const webview = build({
  ...common,
  platform: 'browser',
  format: 'esm',
  target: 'es2022',
  outdir: 'dist/webview',
  splitting: true,
  chunkNames: 'chunk-[hash]',
  entryPoints: [
    { in: 'webview/main.ts', out: 'main' },
    { in: 'webview/lecture/main.ts', out: 'lecture' },
    { in: 'webview/main.css', out: 'main' },
  ],
});

const results = await Promise.all([chunks, entry, webHost, webWorker, webview]);

writeFileSync('dist/cli.js', "#!/usr/bin/env node\nimport('./cli.mjs');\n");
chmodSync('dist/cli.js', 0o755);

// What others' code is in the bundles, for scripts/notice.mjs.
const packages = results.flatMap(({ metafile }) =>
  Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([file, { bytesInOutput }]) =>
      bytesInOutput === 0 ? [] : (/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.slice(1) ?? []),
    ),
  ),
);
mkdirSync('out', { recursive: true });
writeFileSync('out/bundled.json', JSON.stringify([...new Set(packages)].sort()));

if (process.argv.includes('--sizes')) {
  for (const { metafile } of results) {
    for (const [file, { bytes }] of Object.entries(metafile.outputs))
      console.log(`${String(bytes).padStart(9)} ${file}`);
  }
}

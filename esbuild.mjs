// Builds everything that is shipped: a thin entry that activation loads, split chunks for engine and product, the
// command line, the worker and the dashboard.
import { rmSync, writeFileSync, chmodSync, mkdirSync } from 'node:fs';
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

const results = await Promise.all([chunks, entry, webview]);

writeFileSync('dist/cli.js', "#!/usr/bin/env node\nimport('./cli.mjs');\n");
chmodSync('dist/cli.js', 0o755);

if (process.argv.includes('--sizes')) {
  for (const { metafile } of results) {
    for (const [file, { bytes }] of Object.entries(metafile.outputs))
      console.log(`${String(bytes).padStart(9)} ${file}`);
  }
}

// Bundles the in-host tests: out/test/inhost.js, which VS Code loads, and each suite into out/test/inhost/.
import { readdirSync, realpathSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = path.join(root, 'test/inhost');
const target = path.join(root, 'out/test');

export async function buildTests() {
  // Suites that were renamed or removed must not run on.
  rmSync(path.join(target, 'inhost'), { recursive: true, force: true });
  const suites = readdirSync(source).filter(name => name.endsWith('.suite.ts'));
  const entries = suites.map(name => [`inhost/${name.slice(0, -'.ts'.length)}`, path.join(source, name)]);
  await build({
    entryPoints: {
      inhost: path.join(source, 'index.ts'),
      killed: path.join(source, 'killed.ts'),
      ...Object.fromEntries(entries),
    },
    outdir: target,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    mainFields: ['module', 'main'],
    conditions: ['import'],
    external: ['vscode', 'mocha'],
    sourcemap: 'linked',
    logLevel: 'warning',
  });
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) await buildTests();

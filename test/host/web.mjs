// The extension as a browser's host loads it, with the suites that need no Node. VS Code takes an extension into that
// host where its manifest has neither `main` nor `extensionKind`; so a copy is staged without them. Tests run there
// only where they lie inside the extension.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { repositoryRoot } from './places.mjs';

/** Suites that need no Node: all but those of threads, of files on a disk, and of the host itself. */
const suites = ['anyHost', 'editor', 'exercises', 'kinds', 'lecture', 'mainJob', 'proof'];

const files = 'llama-3.1-8b/train.json llama-3.1-8b/config.json';
const estimate = `estimate ${files}`;

/** What the suites ask the command line, which the browser's host cannot start; and what meshlens.json says meanwhile. */
const recordedCalls = [
  { call: `${estimate} --gpu h100-sxm` },
  { call: `${estimate} --gpu h200-sxm` },
  { call: `search ${files} --gpu h100-sxm --fix tp=2 --fix pp=1 --top 1` },
  { call: `${estimate} --gpu h100-sxm --set tp=2,dp=4` },
  { call: `prove ${files} --data llama-3.1-8b/config.json` },
  { call: estimate, workspaceFile: { cluster: { gpu: 'a100-80' } } },
];

/** @returns {Record<string, unknown>} */
function recordAnswers() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'mlweb-'));
  cpSync(path.join(repositoryRoot, 'examples'), folder, { recursive: true });
  const cli = path.join(repositoryRoot, 'dist/cli.js');
  try {
    return Object.fromEntries(
      recordedCalls.map(({ call, workspaceFile }) => {
        if (workspaceFile) writeFileSync(path.join(folder, 'meshlens.json'), JSON.stringify(workspaceFile));
        const args = [cli, ...call.split(' '), '--json'];
        const { stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', maxBuffer: 1e8 });
        return [call, JSON.parse(stdout)];
      }),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {string} name */
const inTests = name => path.join(repositoryRoot, 'test/inhost', name);

/** The suites, as functions of one module that are called once mocha is set up. @type {import('esbuild').Plugin} */
const suitesPlugin = {
  name: 'suites-of-the-web',
  setup(esbuild) {
    const imports = suites.map(name => `require(${JSON.stringify(inTests(`${name}.suite.ts`))});`);
    const contents = `export function describeSuites() { ${imports.join(' ')} }`;
    esbuild.onResolve({ filter: /^suites-of-the-web$/ }, ({ path: name }) => ({ path: name, namespace: 'suites' }));
    esbuild.onLoad({ filter: /./, namespace: 'suites' }, () => ({ contents, resolveDir: repositoryRoot }));
    esbuild.onResolve({ filter: /^node:assert\/strict$/ }, () => ({ path: inTests('web/assert.ts') }));
    esbuild.onResolve({ filter: /^\.\/commandLine$/ }, () => ({ path: inTests('web/commandLine.ts') }));
  },
};

/**
 * @param {string | undefined} grep only tests with this in their title
 * @returns {Promise<{extension: string, tests: string, remove: () => void}>}
 */
export async function stageForWeb(grep) {
  const extension = mkdtempSync(path.join(os.tmpdir(), 'mlweb-'));
  const {
    main: _main,
    extensionKind: _kind,
    ...manifest
  } = JSON.parse(readFileSync(path.join(repositoryRoot, 'package.json'), 'utf8'));
  writeFileSync(path.join(extension, 'package.json'), JSON.stringify(manifest));
  for (const name of ['dist', 'examples', 'media', 'schemas']) {
    cpSync(path.join(repositoryRoot, name), path.join(extension, name), { recursive: true });
  }
  mkdirSync(path.join(extension, 'tests'));
  const tests = path.join(extension, 'tests/index.js');
  await build({
    entryPoints: [inTests('web/index.ts')],
    outfile: tests,
    bundle: true,
    format: 'cjs',
    platform: 'browser',
    target: 'es2022',
    external: ['vscode'],
    plugins: [suitesPlugin],
    define: {
      // Mocha's build for browsers would take the bundle's own `module` for its exports.
      module: 'undefined',
      RECORDED_ANSWERS: JSON.stringify(recordAnswers()),
      TESTS_GREP: JSON.stringify(grep ?? null),
    },
    logLevel: 'error',
  });
  return { extension, tests, remove: () => rmSync(extension, { recursive: true, force: true }) };
}

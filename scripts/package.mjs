// Makes out/meshlens.vsix: `npm run package`. One package serves both of the extension's hosts. It is made twice and
// must be the same both times, must hold what is allowed and no more, and must stay small.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkNotice } from './notice.mjs';
import { entriesOf } from './zipEntries.mjs';

const root = path.resolve(import.meta.dirname, '..');
export const packageFile = path.join(root, 'out/meshlens.vsix');

const MOST_BYTES = 1_500_000;

/** Parts of the package, and what belongs to each; a file of no part may not be in it. */
const PARTS = {
  'entry that activation loads': /^extension\/dist\/extension\.js$/,
  'product, engine and their threads': /^extension\/dist\/(chunks\/[\w-]+|product|\w*[wW]orker|trainingRanks)\.mjs$/,
  'command line and MCP server': /^extension\/dist\/cli\.(js|mjs)$/,
  "browser's host and its engine": /^extension\/dist\/web\/(extension|worker)\.js$/,
  'dashboard and lecture': /^extension\/dist\/webview\/[\w-]+\.(js|css)$/,
  'icons and walkthrough': /^extension\/media\/(icon\.png|activity\.svg|walkthrough\/\w+\.svg)$/,
  'readme, changelog, licences':
    /^extension\/(readme\.md|changelog\.md|LICENSE\.txt|NOTICE|docs\/images\/[\w-]+\.png)$/i,
  'manifest, schema, sample':
    /^(extension\.vsixmanifest|\[Content_Types\]\.xml|extension\/(package(\.nls(\.sk)?)?\.json|schemas\/meshlens-file(\.sk)?\.schema\.json|examples\/llama-3\.1-8b\/\w+\.json))$/,
};

/** @param {string} command @param {string[]} args */
function run(command, args, env = {}) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  if (status !== 0) throw new Error(`${command} ${args[0]}: ${stdout}${stderr}`);
}

function makeOnce() {
  run(process.execPath, ['esbuild.mjs']);
  checkNotice();
  rmSync(packageFile, { force: true });
  // With the time fixed, vsce also puts the files in order.
  const fixed = { SOURCE_DATE_EPOCH: '1767225600', TZ: 'UTC' };
  const readme = ['--readme-path', 'docs/marketplace.md', '--no-rewrite-relative-links'];
  const options = ['--no-dependencies', '--allow-missing-repository', ...readme, '--out', packageFile];
  run(path.join(root, 'node_modules/.bin/vsce'), ['package', ...options], fixed);
  return readFileSync(packageFile);
}

/**
 * The table of a package's parts. Throws where a file belongs to none, or a part is missing.
 * @param {import('./zipEntries.mjs').ZipEntry[]} entries
 */
export function partsOf(entries) {
  const parts = new Map(Object.keys(PARTS).map(name => [name, { files: 0, bytes: 0, packed: 0 }]));
  for (const { name, bytes, packed } of entries) {
    const [part] = Object.entries(PARTS).find(([, pattern]) => pattern.test(name)) ?? [];
    if (part === undefined) throw new Error(`Nothing says that ${name} belongs into the package.`);
    const sum = parts.get(part);
    parts.set(part, { files: sum.files + 1, bytes: sum.bytes + bytes, packed: sum.packed + packed });
  }
  for (const [name, { files }] of parts) if (files === 0) throw new Error(`The package lacks: ${name}`);
  return parts;
}

/** Makes the package and checks it; `say` prints the table. */
export function makePackage(say = console.log) {
  mkdirSync(path.dirname(packageFile), { recursive: true });
  const first = makeOnce();
  if (!makeOnce().equals(first)) throw new Error('Two builds of the same sources differ.');
  const columns = [9, 10, 10];
  const line = (name, ...numbers) =>
    say(`${name.padEnd(36)}${numbers.map((text, at) => String(text).padStart(columns[at])).join('')}`);
  line('', 'files', 'bytes', 'packed');
  for (const [name, { files, bytes, packed }] of partsOf(entriesOf(first))) line(name, files, bytes, packed);
  line('meshlens.vsix', '', '', first.length);
  if (first.length > MOST_BYTES) throw new Error(`${first.length} bytes are more than ${MOST_BYTES}.`);
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) makePackage();

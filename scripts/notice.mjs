// The licences of what the bundles hold of others' code: `npm run notice` writes NOTICE. The build says what that is
// (out/bundled.json, from esbuild's own account of its inputs); packaging fails where NOTICE says otherwise.
import { existsSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(import.meta.dirname, '..');

/** Compiled in, where esbuild does not see it: parts of its standard library are in the kernels' WebAssembly. */
const COMPILED_IN = ['assemblyscript'];

/** @param {string} name */
function entry(name) {
  const folder = path.join(root, 'node_modules', name);
  const { version, license, scripts = {} } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const script = ['preinstall', 'install', 'postinstall'].find(each => each in scripts);
  if (script) throw new Error(`${name} is bundled and needs its script ${script}.`);
  const file = readdirSync(folder).find(each => /^licen[cs]e(\.(md|txt))?$/i.test(each));
  if (!file) throw new Error(`${name} has no file of its licence.`);
  const text = readFileSync(path.join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim();
  return `${name} ${version} (${license})\n\n${text}\n`;
}

/** What NOTICE must say after the last build. */
export function noticeText() {
  const file = path.join(root, 'out/bundled.json');
  if (!existsSync(file)) throw new Error('Build first: npm run build');
  const names = [...JSON.parse(readFileSync(file, 'utf8')), ...COMPILED_IN].sort();
  const head = 'MeshLens contains code of these packages, under their licences.\n';
  return [head, ...names.map(entry)].join(`\n${'-'.repeat(80)}\n\n`);
}

/** Throws where NOTICE is not what the last build asks for. */
export function checkNotice() {
  if (readFileSync(path.join(root, 'NOTICE'), 'utf8') !== noticeText()) {
    throw new Error('NOTICE is out of date. Run: npm run build && npm run notice');
  }
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  writeFileSync(path.join(root, 'NOTICE'), noticeText());
}

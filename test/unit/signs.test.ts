/** The editor's cheap look at a text must let every file through that a reader takes. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { readConfig } from '../../src/engine/configs/registry';
import { mayBeConfig } from '../../src/extension/signs';

function filesUnder(folder: string): string[] {
  return readdirSync(folder).flatMap(name => {
    const file = path.join(folder, name);
    return statSync(file).isDirectory() ? filesUnder(file) : [file];
  });
}

describe('signs of a config', () => {
  const files = ['test/fixtures/configs', 'test/fixtures/configs-code', 'examples'].flatMap(filesUnder);

  it('stand in every fixture that a reader takes', () => {
    const ours = files.filter(file => readConfig(file, readFileSync(file, 'utf8')).kind !== null);
    assert.ok(ours.length >= 40);
    assert.deepEqual(
      ours.filter(file => !mayBeConfig(file, readFileSync(file, 'utf8'))),
      [],
    );
  });

  it('do not stand in what has nothing to do with training', () => {
    for (const [file, text] of [
      ['package.json', '{ "name": "x", "scripts": { "build": "tsc" } }'],
      ['tsconfig.json', '{ "compilerOptions": { "strict": true } }'],
      ['.github/workflows/ci.yaml', 'on: push\njobs:\n  test:\n    runs-on: ubuntu-latest\n'],
      ['setup.py', 'from setuptools import setup\nsetup(name="x")\n'],
    ] as const) {
      assert.equal(mayBeConfig(file, text), false, file);
    }
  });
});

/** Every fixture under test/fixtures/configs: a small file of our own, and what its source says that it means. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { countParameters } from '../model/parameters';
import { completeSetup } from '../plan/complete';
import { emptySetup, type FieldPath, fieldValue, setupModel } from '../setup/setup';
import { readConfig } from './registry';

const FOLDER = 'test/fixtures/configs';

interface Expected {
  readonly source: string;
  readonly kind: string | null;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly unknown?: readonly string[];
  readonly parameters?: number;
  readonly active?: number;
  readonly problems: readonly { readonly code: string; readonly line: number }[];
}

/** Problems that a fixture lists only where it is about them. */
const ASIDE = ['not-modelled', 'environment-default'];

for (const kind of readdirSync(FOLDER, { withFileTypes: true })) {
  if (!kind.isDirectory()) continue;
  describe(`fixtures of ${kind.name}`, () => {
    const folder = join(FOLDER, kind.name);
    for (const file of readdirSync(folder)) {
      const expectedFile = join(folder, file.replace(/\.[^.]+$/, '.expected.json'));
      if (file.endsWith('.expected.json') || !existsSync(expectedFile)) continue;
      it(file, () => {
        const expected = JSON.parse(readFileSync(expectedFile, 'utf8')) as Expected;
        const reading = readConfig(file, readFileSync(join(folder, file), 'utf8'));
        assert.equal(reading.kind, expected.kind);
        const setup = completeSetup(reading.setup ?? emptySetup());
        for (const [path, value] of Object.entries(expected.fields))
          assert.deepEqual([path, fieldValue(setup, path as FieldPath)], [path, value]);
        for (const path of expected.unknown ?? []) assert.equal(fieldValue(setup, path as FieldPath), null, path);
        const model = setupModel(setup);
        const counts = model === null ? null : countParameters(model);
        if (expected.parameters !== undefined) assert.equal(counts?.total, expected.parameters);
        if (expected.active !== undefined) assert.equal(counts?.active, expected.active);
        const found = reading.problems.filter(({ code }) => !ASIDE.includes(code));
        assert.deepEqual(
          found.map(({ code, source }) => ({ code, line: source?.line })).sort((a, b) => (a.line ?? 0) - (b.line ?? 0)),
          expected.problems,
        );
      });
    }
  });
}

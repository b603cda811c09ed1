/** The manifest says what the code does. */
import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { configurationSection, manifestWords, toolsSection, workspaceFileSchema } from '../../src/extension/manifest';
import { KIND_NAMES, SETTINGS } from '../../src/extension/settingsTable';
import { inLanguage } from '../../src/words/language';

interface Manifest {
  readonly contributes: {
    readonly configuration: unknown;
    readonly languageModelTools: unknown;
    readonly commands: readonly { readonly command: string }[];
  };
}

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as Manifest;

describe('manifest', () => {
  it('declares the settings of the table (npm run manifest writes them)', () => {
    assert.deepEqual(manifest.contributes.configuration, JSON.parse(JSON.stringify(configurationSection())));
  });

  it('declares the tools for agents', () => {
    assert.deepEqual(manifest.contributes.languageModelTools, JSON.parse(JSON.stringify(toolsSection())));
  });

  for (const [language, infix] of [
    ['en', ''],
    ['sk', '.sk'],
  ] as const) {
    const read = (path: string) =>
      JSON.parse(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')) as unknown;

    it(`declares meshlens.json by the same keys (${language})`, () => {
      const schema = inLanguage(language, () => JSON.stringify(workspaceFileSchema()));
      assert.deepEqual(read(`schemas/meshlens-file${infix}.schema.json`), JSON.parse(schema));
    });

    it(`has each of its words, and no other (${language})`, () => {
      const words = read(`package.nls${infix}.json`);
      assert.deepEqual(words, inLanguage(language, manifestWords));
      const used = [...JSON.stringify(manifest).matchAll(/"%([\w.]+)%"/g)].map(([, key]) => key);
      assert.deepEqual([...new Set(used)].sort(), Object.keys(words as object).sort());
    });
  }

  it('says nothing in one language alone', () => {
    const shown = JSON.stringify(manifest.contributes).matchAll(
      /"(title|contents|altText|markdownDescription|displayName)":"([^"]*)"/g,
    );
    for (const [, property, text] of shown) assert.match(text ?? '', /^(%[\w.]+%|MeshLens)$/, property);
  });

  it('has 25 settings or fewer', () => {
    assert.ok(Object.keys(SETTINGS).length <= 25);
  });

  it('can switch off each kind that is read', () => {
    const registry = readFileSync(new URL('../../src/engine/configs/registry.ts', import.meta.url), 'utf8');
    const kinds = [...registry.matchAll(/\bkind: '([^']+)'/g)].map(match => match[1]);
    assert.ok(kinds.length > 5);
    for (const kind of kinds) assert.ok(kind !== undefined && kind in KIND_NAMES, `${kind} cannot be switched off`);
  });
});

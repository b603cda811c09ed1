/** The manifest says what the code does. */
import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { configurationSection, toolsSection, workspaceFileSchema } from '../../src/extension/manifest';
import { KIND_NAMES, SETTINGS } from '../../src/extension/settingsTable';

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

  it('declares meshlens.json by the same keys', () => {
    const file = new URL('../../schemas/meshlens-file.schema.json', import.meta.url);
    assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), JSON.parse(JSON.stringify(workspaceFileSchema())));
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

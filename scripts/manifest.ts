// Writes the settings of src/extension/settingsTable.ts into the manifest. A test says when it was forgotten.
import { readFileSync, writeFileSync } from 'node:fs';
import { configurationSection } from '../src/extension/settingsTable';

const file = new URL('../package.json', import.meta.url);
const manifest = JSON.parse(readFileSync(file, 'utf8')) as { contributes: { configuration: unknown } };
manifest.contributes.configuration = configurationSection();
writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);

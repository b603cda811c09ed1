// Writes the settings of src/extension/settingsTable.ts and the tools for agents into the manifest, and the schema of meshlens.json from the same
// keys. A test says when it was forgotten.
import { readFileSync, writeFileSync } from 'node:fs';
import { configurationSection, toolsSection, workspaceFileSchema } from '../src/extension/manifest';

const file = new URL('../package.json', import.meta.url);
const manifest = JSON.parse(readFileSync(file, 'utf8')) as {
  contributes: { configuration: unknown; languageModelTools: unknown };
};
manifest.contributes.configuration = configurationSection();
manifest.contributes.languageModelTools = toolsSection();
writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
const schema = new URL('../schemas/meshlens-file.schema.json', import.meta.url);
writeFileSync(schema, `${JSON.stringify(workspaceFileSchema(), null, 2)}\n`);

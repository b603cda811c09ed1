// Writes the settings of src/extension/settingsTable.ts and the tools for agents into the manifest, the manifest's words in both languages
// and the schemas of meshlens.json from the same keys. A test says when it was forgotten.
import { readFileSync, writeFileSync } from 'node:fs';
import { configurationSection, manifestWords, toolsSection, workspaceFileSchema } from '../src/extension/manifest';
import { inLanguage } from '../src/words/language';

const file = new URL('../package.json', import.meta.url);
const manifest = JSON.parse(readFileSync(file, 'utf8')) as {
  contributes: { configuration: unknown; languageModelTools: unknown };
};
manifest.contributes.configuration = configurationSection();
manifest.contributes.languageModelTools = toolsSection();
writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
for (const [language, infix] of [
  ['en', ''],
  ['sk', '.sk'],
] as const) {
  const write = (path: string, value: unknown) =>
    writeFileSync(new URL(`../${path}`, import.meta.url), `${JSON.stringify(value, null, 2)}\n`);
  write(`package.nls${infix}.json`, inLanguage(language, manifestWords));
  write(`schemas/meshlens-file${infix}.schema.json`, inLanguage(language, workspaceFileSchema));
}

import assert from 'node:assert/strict';
import { inLanguage } from '../src/words/language';
import { LECTURE_WORDS } from './lecture/words';
import { TIMELINE_WORDS } from './timeline/words';
import { WORDS } from './words';

const TABLES: Readonly<Record<string, Readonly<Record<string, string>>>> = { WORDS, TIMELINE_WORDS, LECTURE_WORDS };

const placesOf = (template: string): string[] =>
  [...new Set(Array.from(template.matchAll(/\{(\w+)\}/g), ([, name]) => name ?? ''))].sort();
const formsOf = (template: string): [name: string, forms: number][] =>
  Array.from(template.matchAll(/\{(\w+):([^}]*)\}/g), ([, name, forms]) => [
    name ?? '',
    (forms ?? '').split('|').length,
  ]);

describe('templates of the dashboard', () => {
  for (const [table, words] of Object.entries(TABLES))
    it(`${table} has the same places in both languages, and forms as each counts`, () => {
      for (const key of Object.keys(words)) {
        const en = inLanguage('en', () => words[key] ?? '');
        const sk = inLanguage('sk', () => words[key] ?? '');
        assert.deepEqual(placesOf(sk), placesOf(en), key);
        for (const [name, forms] of formsOf(en)) assert.equal(forms, 2, `${key}: English forms of ${name}`);
        for (const [name, forms] of formsOf(sk)) assert.equal(forms, 4, `${key}: Slovak forms of ${name}`);
        for (const [name] of [...formsOf(en), ...formsOf(sk)])
          assert.ok(placesOf(en).includes(name), `${key}: ${name} is counted but never shown`);
      }
    });
});

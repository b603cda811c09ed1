import assert from 'node:assert/strict';
import type { Args } from '../engine/problem';
import { COMMAND_WORDS } from './commands';
import { CLUSTER_WORDS } from './cluster';
import { EDITOR_WORDS, PLAN_WORDS, PROPOSAL_WORDS } from './editor';
import { EXPORT_WORDS } from './export';
import { SENTENCES as EXERCISE_SENTENCES } from './exercises';
import { inLanguage } from './language';
import { LENS_WORDS } from './lens';
import { PITFALLS } from './pitfalls';
import { NOT_MODELLED, SENTENCES, UNKNOWN } from './problems';
import { REPORT_WORDS } from './reportWords';

/** What a sentence asks for comes back as its name in marks; numbers would lose theirs. */
const MARKED = new Proxy({}, { get: (_, name) => `⟨${String(name)}⟩` }) as Args;

const marksOf = (sentence: string): string[] => [...new Set(sentence.match(/⟨\w+⟩/g))].sort();

const bySentence: Readonly<Record<string, Readonly<Record<string, (args: Args) => string>>>> = {
  SENTENCES,
  UNKNOWN,
  NOT_MODELLED,
  PITFALLS,
  EXERCISE_SENTENCES,
};

/** Functions of few arguments: as many marks are given as they take. */
const byFunction: Readonly<Record<string, object>> = {
  COMMAND_WORDS,
  CLUSTER_WORDS,
  EDITOR_WORDS,
  PLAN_WORDS,
  PROPOSAL_WORDS,
  EXPORT_WORDS,
  LENS_WORDS,
  REPORT_WORDS,
};

describe('sentences in two languages', () => {
  for (const [table, sentences] of Object.entries(bySentence))
    it(`${table} name the same values`, () => {
      for (const code of Object.keys(sentences)) {
        const said = (tag: 'en' | 'sk') => inLanguage(tag, () => sentences[code]?.(MARKED) ?? '');
        assert.deepEqual(marksOf(said('sk')), marksOf(said('en')), code);
        assert.notEqual(said('sk'), said('en'), `${code} is not translated`);
      }
    });

  for (const [table, words] of Object.entries(byFunction))
    it(`${table} name the same values, and are translated`, () => {
      const english = inLanguage('en', () => ({ ...words })) as Readonly<Record<string, unknown>>;
      for (const key of Object.keys(english)) {
        const said = (tag: 'en' | 'sk') => inLanguage(tag, () => spoken(Reflect.get(words, key)));
        assert.deepEqual(numbersOf(said('sk')), numbersOf(said('en')), key);
        assert.ok(said('sk') !== said('en') || SAME.has(key), `${key} is not translated`);
      }
    });
});

/** Keys of words that both languages share. */
const SAME = new Set(['embedding', 'tokens']);

/** A function's sentence of 7001, 7002, …, which no sentence has of its own. */
function spoken(entry: unknown): string {
  if (typeof entry !== 'function') return String(entry);
  const say = entry as (...given: unknown[]) => string;
  const values = Array.from({ length: entry.length }, (_, at) => 7001 + at);
  try {
    return say(...values);
  } catch {
    // It wants a list.
    return say(values.map(String));
  }
}

const numbersOf = (sentence: string): string[] =>
  [...new Set(sentence.replace(/(7)[\s,](00\d)/g, '$1$2').match(/700\d/g))].sort();

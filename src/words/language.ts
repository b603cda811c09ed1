/**
 * The language of what people read: one value a process, English until a host says another. It rules words and numbers
 * alike. A module of words has its Slovak table beside it (`lens.ts`, `lens.sk.ts`) and joins the two by `translated`.
 */
const LANGUAGES = ['en', 'sk'] as const;
export type Language = (typeof LANGUAGES)[number];

let present: Language = 'en';

export function language(): Language {
  return present;
}

/** `tag` as VS Code has it (`sk`, `pt-br`); whoever's language has no words here reads English. */
export function useLanguage(tag: string): void {
  const [primary] = tag.toLowerCase().split('-');
  present = LANGUAGES.find(known => known === primary) ?? 'en';
}

/** What `make` says in that language. Synchronous: between two turns of the process the language is its own. */
export function inLanguage<T>(wanted: Language, make: () => T): T {
  const before = present;
  present = wanted;
  try {
    return make();
  } finally {
    present = before;
  }
}

/**
 * One table out of two: each entry is looked up in the present language. The types demand that the Slovak table has
 * every entry of the English one, of the same type, and none besides.
 */
export function translated<English extends object, Slovak extends English>(
  en: English,
  sk: Slovak & Record<Exclude<keyof Slovak, keyof English>, never>,
): English {
  const tables: Readonly<Record<Language, English>> = { en, sk };
  return new Proxy(en, { get: (_, key) => Reflect.get(tables[present], key) as unknown });
}

/**
 * The form of a word that stands with a count: of two forms as in English (1, others), of four as in Slovak (1; 2 to 4;
 * fractions; 0, 5 and more). A count given as text is taken as it is printed, `8,03 mld.` with its unit as many.
 */
export function plural(count: number | string, ...forms: readonly string[]): string {
  const order = forms.length === 2 ? (['one', 'other'] as const) : (['one', 'few', 'many', 'other'] as const);
  const category = new Intl.PluralRules(forms.length === 2 ? 'en' : 'sk').select(numberOf(count));
  return forms[order.findIndex(form => form === category)] ?? forms.at(-1) ?? '';
}

/** NaN, which the rules take as many, for what is no plain number. */
function numberOf(count: number | string): number {
  if (typeof count === 'number') return count;
  const plain = present === 'sk' ? count.replace(/\s/g, '').replace(',', '.') : count.replaceAll(',', '');
  return Number(plain === '' ? NaN : plain);
}

/** Digits with the decimal mark of the language. */
export const withMark = (digits: string): string => (present === 'sk' ? digits.replace('.', ',') : digits);

/**
 * A template with its values: `{name}` stands for a value, `{count:node|nodes}` for the form that goes with the count of
 * that name (`plural`).
 */
export function fill(template: string, values: Readonly<Record<string, string | number>>): string {
  return template.replace(/\{(\w+)(?::([^{}]*))?\}/g, (whole, name: string, forms?: string) => {
    const value = values[name];
    if (value === undefined) return whole;
    if (forms !== undefined) return plural(value, ...forms.split('|'));
    return typeof value === 'number' ? withMark(String(value)) : value;
  });
}

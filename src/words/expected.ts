/** What a value must be, as the engine says it in English, in the present language. */
import { language } from './language';

const SLOVAK: readonly (readonly [RegExp, string])[] = [
  [/^a number from (\S+)$/, 'číslo od $1'],
  [/^an integer from (\S+) to (\S+)$/, 'celé číslo od $1 do $2'],
  [/^an integer from (\S+)$/, 'celé číslo od $1'],
  [/^true or false$/, 'true alebo false'],
  [/^a text$/, 'text'],
  [/^a file with text$/, 'súbor s textom'],
  [/^a word$/, 'slovo'],
  [/^full or selective$/, 'full alebo selective'],
  [/^followed by a value$/, 'pred hodnotou'],
  [/^at least the sequence length (\S+)$/, 'aspoň dĺžka sekvencie $1'],
  [/^at most (\S+)$/, 'najviac $1'],
  [/^used together with (\S+)$/, 'použité spolu s $1'],
  [/^joined by (\S+)$/, 'spolu s $1'],
  [/^absent with selective recomputation$/, 'vynechané pri selektívnom prepočítavaní'],
  [/^absent with (\S+)$/, 'vynechané pri $1'],
  [/^a divisor of (\S+) experts$/, 'deliteľ počtu expertov $1'],
  [/^divisor of (\S+)$/, 'deliteľ čísla $1'],
  [/^a value of (\S+)$/, 'hodnota kľúča $1'],
  [/^a key of (\S+)$/, 'kľúč časti $1'],
];

/** Lists of words (`full, selective`) are the same in every language. */
export function expectedText(expected: string): string {
  const known = language() === 'sk' ? SLOVAK.find(([pattern]) => pattern.test(expected)) : undefined;
  return known === undefined ? expected : expected.replace(...known);
}

/** Every regular expression of the sources, looked at anew; those that are linear are written down for `npm test`. */
import { writeFileSync } from 'node:fs';
import { expressionsOfSources, slowness } from '../../test/fixtures/regexes';

/** Prints what is slow; returns how many. */
export async function soakRegex(say: (line: string) => void): Promise<number> {
  const linear: string[] = [];
  let slow = 0;
  for (const [text, one] of expressionsOfSources().literals) {
    const found = await slowness(one);
    if (found === null) linear.push(text);
    else {
      slow++;
      say(found);
    }
  }
  writeFileSync('test/fixtures/regexes.json', `${JSON.stringify(linear.sort(), null, 2)}\n`);
  say(`${linear.length} regular expressions take linear time, ${slow} do not`);
  return slow;
}

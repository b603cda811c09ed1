/** 200 random small spaces, each against every plan through `estimate`: `npx tsx bench/search/bruteForce.bench.ts [seed]`. */
import fc from 'fast-check';
import { checkAgainstBruteForce, type SmallSpace, smallSpace } from './smallSpaces';

const SPACES = 200;
const [seed = '1'] = process.argv.slice(2);
let others = 0;
const check = (space: SmallSpace) => void (others += Number(checkAgainstBruteForce(space)));
fc.assert(fc.property(smallSpace, check), { numRuns: SPACES, seed: Number(seed) });
console.log(
  `${SPACES} spaces agree with trying every plan (seed ${seed}), ${others} recommend another than the fastest`,
);

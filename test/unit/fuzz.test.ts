/** Damaged texts and messages: whatever is done to them, what takes them gives problems and no exception. */
import { readdirSync, readFileSync } from 'node:fs';
import { damaged, randomOf } from '../fixtures/fuzz/damage';
import { type Sample, TARGETS } from '../fixtures/fuzz/targets';

/** Of a thousand shares; `npm run soak fuzz` tries a million. */
const INPUTS = 6000;
const FAILED = 'test/fixtures/fuzz/failed';

describe('damaged texts and messages', () => {
  for (const [name, { share, samples, take }] of Object.entries(TARGETS)) {
    it(`${name}: give problems and no exception`, () => {
      const random = randomOf(20261201);
      for (let n = 0; n < (INPUTS * share) / 1000; n++) {
        const { file, text } = samples[random(samples.length)];
        const input = damaged(text, random);
        try {
          take({ file, text: input });
        } catch (error) {
          throw new Error(`${file}: ${String(error)}\n${JSON.stringify(input)}`, { cause: error });
        }
      }
    });
  }

  for (const file of readdirSync(FAILED))
    it(`that have failed once: ${file}`, () => {
      const { target, ...sample } = JSON.parse(readFileSync(`${FAILED}/${file}`, 'utf8')) as Sample & {
        target: string;
      };
      TARGETS[target].take(sample);
    });
});

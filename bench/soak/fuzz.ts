/** A million damaged texts and messages over all that takes them: no exception, no long time. Failures are kept as tests. */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { damaged, randomOf } from '../../test/fixtures/fuzz/damage';
import { type Sample, TARGETS } from '../../test/fixtures/fuzz/targets';

const INPUTS = 1_000_000;
const SECONDS = 0.1;
const PER_CHARACTERS = 100_000;
/** More of the same says nothing new. */
const MOST_KEPT = 20;

/** Prints each target's share and slowest input; returns how many inputs failed. */
export function soakFuzz(say: (line: string) => void, every: number): number {
  const seed = Math.trunc(Math.random() * 2 ** 31);
  say(`seed ${seed}`);
  let failed = 0;
  let tried = 0;
  for (const [target, { share, samples, take }] of Object.entries(TARGETS)) {
    const random = randomOf(seed);
    let most = 0;
    let inputs = 0;
    for (; inputs < (INPUTS * share) / 1000 / every; inputs++) {
      const { file, text } = samples[random(samples.length)];
      const sample = { file, text: damaged(text, random) };
      try {
        most = Math.max(
          most,
          secondsOf(() => take(sample), sample.text.length),
        );
      } catch (error) {
        if (failed++ < MOST_KEPT) keep(target, sample, error, say);
      }
    }
    tried += inputs;
    say(`${target}: ${inputs.toLocaleString('en')} inputs, the slowest took ${(1000 * most).toFixed(0)} ms`);
  }
  say(`${tried.toLocaleString('en')} inputs, ${failed} failed`);
  return failed;
}

/** Of the processor; a long one is taken again, for a busy machine's collector may have run in it. */
function secondsOf(run: () => void, characters: number): number {
  const limit = SECONDS * Math.max(1, characters / PER_CHARACTERS);
  let least = Number.POSITIVE_INFINITY;
  for (let again = 0; again < 4; again++) {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1e6);
    if (least <= limit) return least;
  }
  throw new Error(`takes ${least.toFixed(2)} s for ${characters} characters`);
}

function keep(target: string, sample: Sample, error: unknown, say: (line: string) => void): void {
  const name = createHash('sha256').update(sample.text).digest('hex').slice(0, 8);
  writeFileSync(
    `test/fixtures/fuzz/failed/${target}-${name}.json`,
    `${JSON.stringify({ target, ...sample }, null, 2)}\n`,
  );
  say(`${target} ${sample.file} (${name}): ${String(error).slice(0, 300)}`);
}

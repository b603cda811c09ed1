/** Proves each tenth layout of the soak once more, with its ranks in two worker threads. */
import { textBatch } from '../../src/engine/trainer/data';
import { ADAMW } from '../../src/engine/trainer/optimizer';
import { type Proof, prove } from '../../src/engine/trainer/prove';
import { trainInThreads } from '../../src/node/trainer/trainInThreads';
import { SEED, smallPlan, text } from '../../test/fixtures/trainer/small';
import { withBundles } from '../peers';
import { type Case, cases, nameOf } from './soak';

const EVERY = 10;
const STEPS = 2;

interface Bundles {
  readonly workerUrl: URL;
  readonly programUrl: URL;
}

async function proofOf({ network, plan, clipNorm }: Case, bundles: Bundles): Promise<Proof> {
  const full = smallPlan(network, plan);
  const run = { network, plan: full, type: 'f64', seed: SEED, steps: STEPS, optimizer: ADAMW, clipNorm } as const;
  const found = await trainInThreads({ ...run, text, kept: [0, 1] }, { workers: 2, ...bundles });
  let step = 0;
  const steps = prove({ ...run, batch: textBatch(text, full.seqLen) }, () => found[step++]);
  for (;;) {
    const next = steps.next();
    if (next.done === true) return next.value;
  }
}

/** Says what fails; returns how many failed. */
export async function soakTrainerThreads(say: (line: string) => void, every = 1): Promise<number> {
  let [tried, failed, index] = [0, 0, 0];
  const entries = { worker: 'src/node/collectives/worker.ts', ranks: 'src/node/trainer/rankProgram.ts' };
  await withBundles(entries, async (_, url) => {
    const bundles = { workerUrl: url('worker'), programUrl: url('ranks') };
    for (const layout of cases()) {
      if (index++ % (every * EVERY) !== 0) continue;
      tried++;
      const wrong = await proofOf(layout, bundles).then(
        ({ mismatches }) => (mismatches.length > 0 ? JSON.stringify(mismatches) : null),
        String,
      );
      if (wrong === null) continue;
      failed++;
      say(`${nameOf(layout)}: ${wrong}`);
    }
  });
  say(`${tried} of ${index} layouts in threads, ${failed} failed`);
  return failed;
}

/** CPU time of a world whose ranks wait two seconds for one that sleeps. */
import { runThreads } from '../../src/node/collectives/runThreads';
import { goal, withBundles } from '../peers';

const SECONDS = 2;
const MOST = 0.1;

const entryPoints = {
  worker: 'src/node/collectives/worker.ts',
  programs: 'test/fixtures/collectives/threadPrograms.ts',
};
void withBundles(entryPoints, async (_, url) => {
  const program = { url: url('programs').href, name: 'idle', args: SECONDS };
  const { results } = await runThreads<number>({ ranks: 2, workers: 2, program, workerUrl: url('worker') });
  const used = Math.max(...results.map(r => r ?? 0));
  goal(used < MOST, `${used.toFixed(3)} CPU seconds in ${SECONDS} s of waiting (at most ${MOST})`);
});

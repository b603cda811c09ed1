/** CPU time of a world whose ranks wait two seconds for one that sleeps: npx tsx bench/collectives/idle.ts */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';
import { runThreads } from '../../src/node/collectives/runThreads';

const SECONDS = 2;

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'meshlens-idle-'));
  try {
    buildSync({
      entryPoints: {
        worker: 'src/node/collectives/worker.ts',
        programs: 'test/fixtures/collectives/threadPrograms.ts',
      },
      bundle: true,
      format: 'esm',
      platform: 'node',
      outdir: folder,
      outExtension: { '.js': '.mjs' },
    });
    const url = (name: string) => pathToFileURL(join(folder, name));
    const program = { url: url('programs.mjs').href, name: 'idle', args: SECONDS };
    const { results } = await runThreads<number>({ ranks: 2, workers: 2, program, workerUrl: url('worker.mjs') });
    const used = Math.max(...results.map(r => r ?? 0));
    console.log(
      `${used < 0.1 ? 'ok  ' : 'MISS'} ${used.toFixed(3)} CPU seconds in ${SECONDS} s of waiting (at most 0.1)`,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});

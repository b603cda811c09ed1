import { runAnyCli } from './main';

const { stdout, stderr, exitCode } = await runAnyCli(process.argv.slice(2), {
  workerUrl: new URL('collectivesWorker.mjs', import.meta.url),
  onProgress: ({ done, operations, op }) => {
    if (process.stderr.isTTY) process.stderr.write(`measuring ${op} (${done + 1} of ${operations})\n`);
  },
});
process.stdout.write(stdout);
process.stderr.write(stderr);
process.exitCode = exitCode;

import { readFileSync } from 'node:fs';
import { runAnyCli } from './main';

async function mcp(): Promise<void> {
  const [{ serveMcp }, { mcpHost }] = await Promise.all([import('./mcp'), import('./mcpHost')]);
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };
  await serveMcp(process.stdin, process.stdout, manifest.version, signal => mcpHost(process.cwd(), signal));
}

async function main(): Promise<void> {
  const { stdout, stderr, exitCode } = await runAnyCli(process.argv.slice(2), {
    workerUrl: new URL('collectivesWorker.mjs', import.meta.url),
    onProgress: ({ done, operations, op }) => {
      if (process.stderr.isTTY) process.stderr.write(`measuring ${op} (${done + 1} of ${operations})\n`);
    },
  });
  process.stdout.write(stdout);
  process.stderr.write(stderr);
  process.exitCode = exitCode;
}

await (process.argv[2] === 'mcp' ? mcp() : main());

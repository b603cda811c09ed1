// Type-checks each side with its own libraries: the engine sees neither Node nor the DOM.
import { spawnSync } from 'node:child_process';

const sides = ['src/engine', 'src/node', 'src/extension', 'webview', 'test'];
let failed = false;
for (const side of sides) {
  const run = spawnSync('npx', ['tsc', '-p', side], { stdio: 'inherit' });
  if (run.status !== 0) {
    console.error(`typecheck: ${side} failed`);
    failed = true;
  }
}
process.exitCode = failed ? 1 : 0;

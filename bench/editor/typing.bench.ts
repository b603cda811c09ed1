/**
 * What MeshLens takes of the extension host while a config of 5,000 lines is typed in, in the newest VS Code: by V8's
 * profile, all time in our scripts and in what they call, beside the host's whole work (test/inhost/typing.suite.ts).
 */
import { spawnSync } from 'node:child_process';

const steps = [['esbuild.mjs'], ['scripts/build-tests.mjs'], ['test/host/run.mjs', '1.139', '--suites', 'typing']];
for (const args of steps) {
  if (spawnSync(process.execPath, args, { stdio: 'inherit' }).status === 0) continue;
  process.exitCode = 1;
  break;
}

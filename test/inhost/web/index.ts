// Runs inside the extension host of a browser. It reaches no file, so that the report goes through the console, where
// the launcher (test/host/code.mjs) looks for it.
import 'mocha/mocha.js';
import { version } from 'vscode';
import { describeSuites } from 'suites-of-the-web';

declare const TESTS_GREP: string | null;

interface Report {
  passes: number;
  failures: number;
  pending: number;
  failed: { title: string; message: string }[];
}

/** Called by VS Code; a rejection makes it exit with 1. */
export async function run(): Promise<void> {
  const report: Report = { passes: 0, failures: 0, pending: 0, failed: [] };
  console.log(`Tests in VS Code ${version}, in a browser`);
  // Its reporter of choice in browsers wants a page; `undefined` takes the one for terminals.
  mocha.setup({
    ui: 'bdd',
    reporter: undefined,
    timeout: 120_000,
    ...(TESTS_GREP === null ? {} : { grep: TESTS_GREP }),
  });
  describeSuites();
  await new Promise<void>(resolve => {
    const runner = mocha.run(() => resolve());
    runner.on('pass', () => report.passes++);
    runner.on('pending', () => report.pending++);
    runner.on('fail', (test, error: unknown) => {
      report.failures++;
      report.failed.push({
        title: test.fullTitle(),
        message: error instanceof Error ? error.message : String(error),
      });
    });
  });
  console.log(`MESHLENS_REPORT ${JSON.stringify(report)}`);
  if (report.failures > 0) throw new Error(`${report.failures} failed`);
}

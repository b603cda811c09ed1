// Runs inside the extension host: VS Code calls run() of the module at --extensionTestsPath.
// The suites lie beside this bundle as files of their own, so that one of them can be run alone.
import { readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import Mocha from 'mocha';
import { version } from 'vscode';

/** What whoever started VS Code reads: the extension host's exit code alone cannot be trusted. */
interface Report {
  passes: number;
  failures: number;
  pending: number;
  failed: { title: string; message: string }[];
}

const suitesFolder = path.join(__dirname, 'inhost');
const suiteEnding = '.suite.js';

/** What wants another workspace or language than the others, or a machine at rest. */
const ONLY_BY_NAME = ['multiRoot', 'slovak', 'typing'];

/** MESHLENS_SUITES names some of the suites, as in "host,lens"; all but those above where it is unset. */
function suiteFiles(): string[] {
  const present = readdirSync(suitesFolder).filter(name => name.endsWith(suiteEnding));
  const wanted = process.env.MESHLENS_SUITES?.split(',').map(name => name.trim() + suiteEnding);
  const missing = wanted?.find(name => !present.includes(name));
  if (missing !== undefined) throw new Error(`There is no ${missing} in ${suitesFolder}.`);
  const usual = present.filter(name => !ONLY_BY_NAME.includes(name.slice(0, -suiteEnding.length))).sort();
  return (wanted ?? usual).map(name => path.join(suitesFolder, name));
}

function load(mocha: Mocha): void {
  // Not mocha.addFile: its loader imports, and `vscode` is there for what is required only.
  const require = createRequire(__filename);
  for (const file of suiteFiles()) {
    mocha.suite.emit(Mocha.Suite.constants.EVENT_FILE_PRE_REQUIRE, globalThis, file, mocha);
    require(file);
  }
}

function runMocha(mocha: Mocha, report: Report): Promise<void> {
  return new Promise(resolve => {
    const runner = mocha.run(() => resolve());
    runner.on(Mocha.Runner.constants.EVENT_TEST_PASS, () => report.passes++);
    runner.on(Mocha.Runner.constants.EVENT_TEST_PENDING, () => report.pending++);
    runner.on(Mocha.Runner.constants.EVENT_TEST_FAIL, (test, error: unknown) => {
      report.failures++;
      report.failed.push({ title: test.fullTitle(), message: messageOf(error) });
    });
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function write(report: Report): void {
  const file = process.env.MESHLENS_TEST_RESULT;
  if (file) writeFileSync(file, JSON.stringify(report, null, 2));
}

/** Called by VS Code; a rejection makes it exit with 1. */
export async function run(): Promise<void> {
  const report: Report = { passes: 0, failures: 0, pending: 0, failed: [] };
  // The launcher (test/host/code.mjs) knows by this line that what follows is of interest.
  console.log(`Tests in VS Code ${version}`);
  const grep = process.env.MESHLENS_GREP;
  const mocha = new Mocha({ ui: 'bdd', color: false, timeout: 120_000, ...(grep ? { grep } : {}) });
  try {
    load(mocha);
    await runMocha(mocha, report);
  } catch (error) {
    report.failures++;
    report.failed.push({ title: 'loading the suites', message: messageOf(error) });
  }
  write(report);
  if (report.failures > 0) {
    throw new Error(report.failed.map(({ title, message }) => `${title}: ${message}`).join('\n'));
  }
}

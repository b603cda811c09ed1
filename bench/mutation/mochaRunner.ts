/**
 * A StrykerJS test runner over mocha 12, which `@stryker-mutator/mocha-runner` 9 cannot load: all test files in one
 * process, the mutant switched on from run to run, only the tests that reach it, up to the first that fails.
 */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { type CoverageAnalysis, INSTRUMENTER_CONSTANTS, type InstrumenterContext } from '@stryker-mutator/api/core';
import {
  type DryRunOptions,
  type DryRunResult,
  DryRunStatus,
  type MutantRunOptions,
  type MutantRunResult,
  MutantRunStatus,
  type TestResult,
  type TestRunner,
  TestStatus,
} from '@stryker-mutator/api/test-runner';
import fc from 'fast-check';
import Mocha from 'mocha';
import { PARTS } from './sample';

const { EVENT_HOOK_BEGIN, EVENT_TEST_BEGIN, EVENT_TEST_END, EVENT_TEST_FAIL } = Mocha.Runner.constants;

/** What the instrumented code reads and writes. */
type Context = { [K in keyof InstrumenterContext]?: InstrumenterContext[K] | undefined };

class MochaRunner implements TestRunner {
  private readonly mocha = new Mocha({ timeout: 0, reporter: Mocha.reporters.Base });
  private readonly context: Context;
  private loaded = false;

  constructor() {
    const shared = globalThis as unknown as Record<string, Context>;
    this.context = shared[INSTRUMENTER_CONSTANTS.NAMESPACE] ??= {};
    this.mocha.cleanReferencesAfterRun(false);
    for (const part of PARTS)
      for (const name of readdirSync(part, { recursive: true, encoding: 'utf8' }))
        if (name.endsWith('.test.ts')) this.mocha.addFile(path.resolve(part, name));
    // The same inputs for every mutant.
    fc.configureGlobal({ seed: 1 });
  }

  capabilities() {
    return { reloadEnvironment: false };
  }

  async dryRun({ coverageAnalysis }: DryRunOptions): Promise<DryRunResult> {
    const tests = await this.run(undefined, false, coverageAnalysis);
    const { mutantCoverage } = this.context;
    return { status: DryRunStatus.Complete, tests, ...(mutantCoverage === undefined ? {} : { mutantCoverage }) };
  }

  async mutantRun(options: MutantRunOptions): Promise<MutantRunResult> {
    const { activeMutant, testFilter, hitLimit, mutantActivation } = options;
    this.context.hitLimit = hitLimit;
    this.context.hitCount = hitLimit === undefined ? undefined : 0;
    const names = testFilter?.map(name => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    this.mocha.grep(names === undefined ? /(?:)/ : new RegExp(`^(?:${names.join('|')})$`));
    const tests = await this.run(activeMutant.id, mutantActivation === 'static');
    const failed = tests.filter(({ status }) => status === TestStatus.Failed);
    if (hitLimit !== undefined && this.context.hitCount! > hitLimit)
      return { status: MutantRunStatus.Timeout, reason: `more than ${hitLimit} hits` };
    if (failed.length === 0) return { status: MutantRunStatus.Survived, nrOfTests: tests.length };
    return {
      status: MutantRunStatus.Killed,
      killedBy: failed.map(({ id }) => id),
      failureMessage: 'failureMessage' in failed[0] ? failed[0].failureMessage : '',
      nrOfTests: tests.length,
    };
  }

  /** What runs while files are loaded or before a whole suite belongs to no test, and counts for all of them. */
  private async run(mutant: string | undefined, whileLoading: boolean, coverage?: CoverageAnalysis) {
    if (!this.loaded) {
      this.context.activeMutant = whileLoading ? mutant : undefined;
      await this.mocha.loadFilesAsync();
      this.loaded = true;
    }
    this.context.activeMutant = mutant;
    this.mocha.suite.bail(mutant !== undefined);
    setBail(this.mocha.suite, mutant !== undefined);
    const tests: TestResult[] = [];
    await new Promise<void>(resolve => {
      const failures = new Map<string, string>();
      const runner = this.mocha.run(() => resolve());
      const at = (id: string | undefined) => {
        if (coverage === 'perTest') this.context.currentTestId = id;
      };
      runner.on(EVENT_TEST_BEGIN, test => at(test.fullTitle()));
      runner.on(EVENT_HOOK_BEGIN, hook => {
        if (hook.title.startsWith('"before all"')) at(undefined);
      });
      runner.on(EVENT_TEST_FAIL, (test, error: unknown) => {
        failures.set(test.fullTitle(), String(error));
        if ((test.type as string) === 'hook') tests.push(result(test.fullTitle(), 0, String(error)));
      });
      runner.on(EVENT_TEST_END, test =>
        tests.push(result(test.fullTitle(), test.duration ?? 0, failures.get(test.fullTitle()))),
      );
    });
    return tests;
  }
}

function setBail(suite: Mocha.Suite, bail: boolean): void {
  suite.bail(bail);
  for (const each of suite.suites) setBail(each, bail);
}

function result(id: string, timeSpentMs: number, failureMessage: string | undefined): TestResult {
  const test = { id, name: id, timeSpentMs };
  return failureMessage === undefined
    ? { ...test, status: TestStatus.Success }
    : { ...test, status: TestStatus.Failed, failureMessage };
}

export const strykerPlugins = [{ kind: 'TestRunner', name: 'mocha-12', factory: () => new MochaRunner() }];

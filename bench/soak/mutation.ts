/** Mutation testing (StrykerJS) of the cost model, the pipeline schedules and the collectives on a fixed sample. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { MutantResult, PartialStrykerOptions } from '@stryker-mutator/api/core';
import { chooseSample, namesOf, type Place } from '../mutation/sample';

const MUTANTS = 1000;
const LEAST_KILLED = 0.8;
/** Survivors that no test can kill, with the reason of each. */
const EXPLAINED = 'bench/mutation/survivors.json';

/** Prints the score and every survivor that nobody has explained; returns how many of the two goals are missed. */
export async function soakMutation(say: (line: string) => void, every: number): Promise<number> {
  const files = await chooseSample(Math.ceil(MUTANTS / every));
  const results = (await mutate(files)).filter(({ status }) => status !== 'CompileError' && status !== 'Ignored');
  const survivors = results.filter(({ status }) => status === 'Survived' || status === 'NoCoverage');
  const killed = 1 - survivors.length / results.length;
  const explained = JSON.parse(readFileSync(EXPLAINED, 'utf8')) as Record<string, string>;
  const open = namesOf(survivors.map(fromZero)).filter(name => explained[name] === undefined);
  for (const name of open) say(`survived: ${name}`);
  say(
    `${results.length} mutants, ${(100 * killed).toFixed(1)} % killed, ${survivors.length} survived, ` +
      `${open.length} of them unexplained`,
  );
  return Number(killed < LEAST_KILLED) + Number(open.length > 0);
}

/** StrykerJS counts lines and columns of its results from 1, those of its mutants from 0. */
function fromZero(result: MutantResult): Place {
  const { start, end } = result.location;
  const before = ({ line, column }: typeof start) => ({ line: line - 1, column: column - 1 });
  return { ...result, location: { start: before(start), end: before(end) } };
}

async function mutate(files: readonly string[]): Promise<MutantResult[]> {
  const { Stryker } = await import('@stryker-mutator/core');
  const options: PartialStrykerOptions = {
    mutate: [...files],
    testRunner: 'mocha-12',
    testRunnerNodeArgs: ['--import', 'tsx'],
    coverageAnalysis: 'perTest',
    plugins: ['mochaRunner', 'sample'].map(name => path.resolve(`bench/mutation/${name}.ts`)),
    ignorers: ['sample'],
    checkers: ['sample'],
    checkerNodeArgs: ['--import', 'tsx'],
    concurrency: 1,
    dryRunTimeoutMinutes: 60,
    disableTypeChecks: false,
    ignorePatterns: ['/dist', '/out', '/media', '/.vscode-test', '/examples', '/docs', '/webview'],
    reporters: ['survivors'],
    tempDirName: 'out/mutation/sandbox',
    allowConsoleColors: false,
  };
  return new Stryker(options).runMutationTest();
}

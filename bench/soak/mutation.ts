/** Mutation testing (StrykerJS) of the cost model, the pipeline schedules and the collectives on a fixed sample. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { MutantStatus, PartialStrykerOptions } from '@stryker-mutator/api/core';
import { killedAlone } from '../mutation/confirm';
import { chooseSample, keepTested, layDown, testedBefore } from '../mutation/sample';

const MUTANTS = 1000;
const LEAST_KILLED = 0.8;
const LIVES: readonly MutantStatus[] = ['Survived', 'NoCoverage'];
/** Survivors that no test can kill, with the reason of each. */
const EXPLAINED = 'bench/mutation/survivors.json';

/**
 * Prints the score and every survivor that nobody has explained; returns how many of the two goals are missed. What an
 * earlier run has seen killed is not tried again: `out/mutation/tested.jsonl` is to be removed after a change of the code.
 */
export async function soakMutation(say: (line: string) => void, every: number): Promise<number> {
  const sample = await chooseSample(Math.ceil(MUTANTS / every));
  const before = testedBefore();
  const open = sample.filter(({ name }) => !isKilled(before.get(name)));
  if (open.length > 0) await mutate(layDown(open));
  const survived = open.filter(({ name }) => testedBefore().get(name) === 'Survived');
  for (const { name } of killedAlone(survived)) keepTested(name, 'Killed');
  const tested = testedBefore();
  const names = sample.map(({ name }) => name).filter(name => tested.has(name));
  const survivors = names.filter(name => !isKilled(tested.get(name)));
  const explained = JSON.parse(readFileSync(EXPLAINED, 'utf8')) as Record<string, string>;
  const unexplained = survivors.filter(name => explained[name] === undefined);
  for (const name of unexplained) say(`survived: ${name}`);
  const killed = 1 - survivors.length / names.length;
  say(
    `${names.length} mutants, ${(100 * killed).toFixed(1)} % killed, ${survivors.length} survived, ` +
      `${unexplained.length} of them unexplained`,
  );
  return Number(killed < LEAST_KILLED) + Number(unexplained.length > 0);
}

const isKilled = (status: MutantStatus | undefined) => status !== undefined && !LIVES.includes(status);

async function mutate(files: readonly string[]): Promise<void> {
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
    // Endless loops are found by their counts; a time would take a busy machine for one.
    timeoutMS: 600_000,
    disableTypeChecks: false,
    ignorePatterns: ['/dist', '/out', '/media', '/.vscode-test', '/examples', '/docs', '/webview'],
    reporters: ['survivors'],
    tempDirName: 'out/mutation/sandbox',
    allowConsoleColors: false,
  };
  await new Stryker(options).runMutationTest();
}

/**
 * A fixed sample of mutants for StrykerJS, which takes all: those whose names have the smallest digests, so that a change
 * elsewhere leaves the sample as it is. An ignorer leaves code without a sampled mutant uninstrumented, and a checker
 * turns away the others that stand around a sampled one.
 */
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type CheckResult, CheckStatus } from '@stryker-mutator/api/check';
import type { Location, Mutant, MutantResult } from '@stryker-mutator/api/core';
import type { Logger } from '@stryker-mutator/api/logging';

export type Place = Pick<Mutant, 'fileName' | 'mutatorName' | 'replacement' | 'location'>;

/** What is mutated, and whose tests run. */
export const PARTS = ['src/engine/estimate', 'src/engine/pipeline', 'src/engine/collectives'] as const;

export type Named = Place & { readonly name: string };

const FOLDER = path.resolve(__dirname, '../../out/mutation');
/** Between the processes of StrykerJS. */
const CHOSEN = path.join(FOLDER, 'sample.json');
/** What each mutant has come to, a line each as it comes, so that a run that was stopped goes on where it was. */
const TESTED = path.join(FOLDER, 'tested.jsonl');

/** The first of all mutants, in the order of their digests. */
export async function chooseSample(size: number): Promise<readonly Named[]> {
  const mutants = await allMutants();
  const names = namesOf(mutants);
  const digests = names.map(name => createHash('sha256').update(name).digest('hex'));
  return mutants
    .map((mutant, k) => ({ digest: digests[k], mutant: { ...mutant, name: names[k] } }))
    .sort((a, b) => (a.digest < b.digest ? -1 : 1))
    .slice(0, size)
    .map(({ mutant }) => mutant);
}

/** Lays mutants down for the plugins below, and returns what is to be mutated. */
export function layDown(mutants: readonly Named[]): readonly string[] {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(CHOSEN, JSON.stringify(mutants));
  return [...new Set(mutants.map(({ fileName }) => path.relative('.', fileName)))];
}

/** Keeps what a mutant has come to. */
export function keepTested(name: string, status: MutantResult['status']): void {
  appendFileSync(TESTED, `${JSON.stringify([name, status])}\n`);
}

/** The last status of each mutant that has been tested in this or an earlier run, by its name. */
export function testedBefore(): ReadonlyMap<string, MutantResult['status']> {
  if (!existsSync(TESTED)) return new Map();
  const lines = readFileSync(TESTED, 'utf8').trim().split('\n');
  return new Map(lines.map(line => JSON.parse(line) as [string, MutantResult['status']]));
}

async function allMutants(): Promise<readonly Place[]> {
  const files = PARTS.flatMap(part =>
    readdirSync(part, { recursive: true, encoding: 'utf8' }).map(name => path.resolve(part, name)),
  ).filter(file => file.endsWith('.ts') && !/\.(test|bench|generated)\.ts$/.test(file));
  // An ES module alone: it cannot be required.
  const { Instrumenter } = await import('@stryker-mutator/instrumenter');
  const silent = new Proxy({}, { get: () => () => false }) as Logger;
  const { mutants } = await new Instrumenter(silent).instrument(
    files.sort().map(name => ({ name, mutate: true, content: readFileSync(name, 'utf8') })),
    { plugins: null, ignorers: [], excludedMutations: [], noHeader: true },
  );
  return mutants;
}

/** Names mutants by where they stand in the text, without line numbers. */
export function namesOf(mutants: readonly Place[]): string[] {
  const seen = new Map<string, number>();
  return mutants.map(mutant => {
    const name = nameOf(mutant);
    const before = seen.get(name) ?? 0;
    seen.set(name, before + 1);
    return before === 0 ? name : `${name} (${before + 1})`;
  });
}

/** Lines and columns of a place count from 0. */
function nameOf({ fileName, mutatorName, replacement, location: { start, end } }: Place): string {
  const first = linesOf(fileName)[start.line];
  const original = start.line === end.line ? first.slice(start.column, end.column) : `${first.slice(start.column)} …`;
  const file = path.relative(path.resolve('src/engine'), fileName).replaceAll('\\', '/');
  return `${file}: ${first.trim()} | ${mutatorName}: ${original} → ${(replacement ?? '').replace(/\s+/g, ' ')}`;
}

const texts = new Map<string, string[]>();

function linesOf(file: string): string[] {
  const known = texts.get(file);
  if (known !== undefined) return known;
  const lines = readFileSync(file, 'utf8').split('\n');
  texts.set(file, lines);
  return lines;
}

let laidDown: readonly Named[] | undefined;
const chosen = () => (laidDown ??= JSON.parse(readFileSync(CHOSEN, 'utf8')) as readonly Named[]);

const isBefore = (a: Location['start'], b: Location['start']) =>
  a.line < b.line || (a.line === b.line && a.column < b.column);

/** A place of the syntax tree; its lines count from 1. */
interface TreePath {
  readonly node: { readonly loc?: Location | null };
  readonly hub: { readonly file: { readonly opts: { readonly filename: string } } };
}

const ignorer = {
  shouldIgnore: ({ node: { loc }, hub }: TreePath): string | undefined => {
    if (loc === undefined || loc === null) return undefined;
    const start = { ...loc.start, line: loc.start.line - 1 };
    const end = { ...loc.end, line: loc.end.line - 1 };
    const holdsOne = chosen().some(
      ({ fileName, location }) =>
        fileName === hub.file.opts.filename && !isBefore(location.start, start) && !isBefore(end, location.end),
    );
    return holdsOne ? undefined : 'not in the sample';
  },
};

const keyOf = ({ fileName, mutatorName, replacement, location: { start, end } }: Place) =>
  JSON.stringify([path.resolve(fileName), mutatorName, replacement, start.line, start.column, end.line, end.column]);

const checker = {
  init: () => Promise.resolve(),
  group: (mutants: Mutant[]) => Promise.resolve([mutants.map(({ id }) => id)]),
  check: (mutants: Mutant[]): Promise<Record<string, CheckResult>> => {
    const keys = new Set(chosen().map(keyOf));
    const results = mutants.map((mutant): [string, CheckResult] => [
      mutant.id,
      keys.has(keyOf(mutant))
        ? { status: CheckStatus.Passed }
        : { status: CheckStatus.CompileError, reason: 'not in the sample' },
    ]);
    return Promise.resolve(Object.fromEntries(results));
  },
};

/** StrykerJS counts lines and columns of its results from 1, those of its mutants from 0. */
function fromZero(result: MutantResult): Place {
  const { start, end } = result.location;
  const before = ({ line, column }: typeof start) => ({ line: line - 1, column: column - 1 });
  return { ...result, location: { start: before(start), end: before(end) } };
}

/** A run takes long: what survives is said as it comes, and every hundredth result counted. */
const told = new Map<string, number>();
const reporter = {
  onMutantTested: (result: MutantResult) => {
    const { status, fileName, location, mutatorName, replacement } = result;
    if (status === 'CompileError' || status === 'Ignored') return;
    told.set(status, (told.get(status) ?? 0) + 1);
    const key = keyOf(fromZero(result));
    const mutant = chosen().find(one => keyOf(one) === key);
    if (mutant !== undefined) keepTested(mutant.name, status);
    const at = `${path.relative('.', fileName)}:${location.start.line}:${location.start.column}`;
    if (status !== 'Killed') console.log(`${status}: ${at} ${mutatorName} → ${replacement}`);
    const tested = [...told.values()].reduce((sum, count) => sum + count, 0);
    if (tested % 100 === 0) console.log(JSON.stringify(Object.fromEntries(told)));
  },
};

export const strykerPlugins = [
  { kind: 'Reporter', name: 'survivors', value: reporter },
  { kind: 'Ignore', name: 'sample', value: ignorer },
  { kind: 'Checker', name: 'sample', value: checker },
];

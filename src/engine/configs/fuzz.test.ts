/** Damaged texts: whatever is done to a config, reading it gives problems, never an exception, and soon. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { problemMessage } from '../../words/problems';
import { completeSetup } from '../plan/complete';
import { checkPlan } from '../plan/rules';
import { PROBLEM_CODES } from '../problem';
import { setupModel } from '../setup/setup';
import { parseJson } from './json';
import { parseRelaxedJson } from './relaxedJson';
import { readConfig } from './registry';
import { parseToml } from './toml';
import { parseYaml } from './yaml';

const FOLDER = 'test/fixtures/configs';
const INPUTS = 20_000;

/** A small generator of even numbers, so that a failure can be repeated. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return below => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const PIECES = [
  '{',
  '}',
  '[',
  ']',
  ':',
  ',',
  '"',
  "'",
  '#',
  '\n',
  '  ',
  '\t',
  '-',
  '&a',
  '*a',
  '<<: ',
  '${',
  '}',
  '???',
  'null',
  '-1',
  '1e309',
  '99999999999999999999',
  'true',
  'auto',
  '\uFEFF',
  '\u0000',
  '\r\n',
  '!!python/object:os ',
  '---\n',
  '= ',
  '[[x]]',
];

function mutate(text: string, random: (below: number) => number): string {
  let result = text;
  for (let n = 1 + random(4); n > 0; n--) {
    const at = random(result.length + 1);
    const length = random(12);
    const piece = PIECES[random(PIECES.length)] ?? '';
    switch (random(5)) {
      case 0:
        result = result.slice(0, at) + result.slice(at + length);
        break;
      case 1:
        result = result.slice(0, at) + piece + result.slice(at);
        break;
      case 2:
        result = result.slice(0, at) + piece + result.slice(at + length);
        break;
      case 3:
        result = result.slice(0, at) + result.slice(random(result.length + 1));
        break;
      default:
        result = result.slice(0, at);
    }
  }
  return result;
}

const samples = readdirSync(FOLDER, { withFileTypes: true })
  .filter(entry => entry.isDirectory())
  .flatMap(({ name }) => readdirSync(join(FOLDER, name)).map(file => join(FOLDER, name, file)))
  .filter(file => !file.endsWith('.expected.json'))
  .map(file => ({ file, text: readFileSync(file, 'utf8') }))
  .filter(({ text }) => text.length < 900);

function readDamaged(file: string, text: string, inDepth: boolean): void {
  const reading = readConfig(file, text);
  for (const found of reading.problems) {
    assert.ok(Object.hasOwn(PROBLEM_CODES, found.code));
    if (inDepth) assert.doesNotMatch(problemMessage(found), /undefined|NaN|\[object/);
  }
  if (reading.setup === null) return;
  const setup = completeSetup(reading.setup);
  checkPlan(setup);
  if (inDepth) setupModel(setup);
}

/** Parts, so that each has the time limit of a test to itself on a machine that is busy. */
const PARTS = 4;

describe('damaged texts', () => {
  for (let part = 1; part <= PARTS; part++) {
    it(`${INPUTS.toLocaleString('en')} of them give problems and no exception, part ${part} of ${PARTS}`, () => {
      const random = randomOf(20260800 + part);
      for (let n = 0; n < INPUTS / PARTS; n++) {
        const { file, text } = samples[random(samples.length)] ?? { file: '', text: '' };
        const damaged = mutate(text, random);
        try {
          readDamaged(file, damaged, n % 10 === 0);
        } catch (error) {
          assert.fail(`${file}: ${String(error)}\n${damaged}`);
        }
      }
    });
  }

  it('nest without end', () => {
    const deep = 20_000;
    for (const parse of [parseYaml, parseJson, parseRelaxedJson]) {
      const { problems } = parse('deep', '['.repeat(deep));
      assert.deepEqual(
        problems.map(({ code }) => code),
        ['too-deep'],
      );
    }
    assert.equal(parseToml('deep.toml', `a = ${'['.repeat(deep)}`).problems.length, 1);
    assert.equal(parseToml('deep.toml', `${'a.'.repeat(deep)}b = 1`).problems[0]?.code, 'too-deep');
    assert.equal(parseYaml('deep.yaml', '- '.repeat(deep)).problems[0]?.code, 'too-deep');
  });

  it('multiply by aliases', () => {
    const lines = ['a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]'];
    for (let i = 1; i < 26; i++) {
      const [name, before] = [String.fromCharCode(97 + i), String.fromCharCode(96 + i)];
      lines.push(`${name}: &${name} [${new Array(10).fill(`*${before}`).join(', ')}]`);
    }
    const { problems } = parseYaml('bomb.yaml', lines.join('\n'));
    assert.equal(problems[0]?.code, 'syntax');
  });

  it('multiply by interpolation', () => {
    const lines = ['  seq_length: 1', '  k0: xxxxxxxxxx'];
    for (let i = 1; i < 60; i++) lines.push(`  k${i}: \${.k${i - 1}}\${.k${i - 1}}`);
    lines.push('  micro_batch_size: ${.k59}', '  tensor_model_parallel_size: ${.tensor_model_parallel_size}');
    const text = `trainer:\n  devices: 8\nmodel:\n  global_batch_size: 8\n${lines.join('\n')}\n`;
    const { kind, problems } = readConfig('run.yaml', text);
    assert.equal(kind, 'nemo');
    assert.deepEqual(problems.map(({ code }) => code).sort(), ['value-unknown', 'value-unknown']);
  });
});

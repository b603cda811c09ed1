/** Mutated scripts and recipes: no exception, bounded time. Every mutation follows from its seed. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { readMegatronScript } from '../megatron/read';
import { readNemoPython } from '../nemoPython/read';
import { readTorchtitanPython } from '../torchtitanPython/read';

const ROOT = 'test/fixtures/configs-code';
const MUTATIONS = 5000;

const PIECES = [
  '"',
  "'",
  '`',
  '$(',
  '${',
  '))',
  '((',
  ')',
  '(',
  '\\',
  '\n',
  '#',
  '<<EOF\n',
  ';',
  '|',
  '&',
  'if ',
  'fi',
  'done',
  'for x in ',
  '[[ ',
  ' ]]',
  '{',
  '}',
  '=',
  '$',
  '\u0000',
  '\r\n',
  '999999999999999999999',
  '-',
  '    ',
  ':',
  'def f():',
  '[',
  ']',
  '*',
  '**',
  '\ud800',
  'eval ',
  '--',
];

/** A small generator of its own, so that a failure can be repeated (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

function mutate(text: string, next: () => number): string {
  let result = text;
  const rounds = 1 + Math.floor(next() * 6);
  for (let i = 0; i < rounds; i++) {
    const at = Math.floor(next() * result.length);
    const length = Math.floor(next() * 40);
    const piece = PIECES[Math.floor(next() * PIECES.length)] ?? '';
    const kind = Math.floor(next() * 4);
    if (kind === 0) result = result.slice(0, at) + piece + result.slice(at);
    else if (kind === 1) result = result.slice(0, at) + result.slice(at + length);
    else if (kind === 2)
      result = result.slice(0, at) + result.slice(at, at + length).repeat(3) + result.slice(at + length);
    else result = result.slice(0, at) + piece + result.slice(at + piece.length);
  }
  return result;
}

function files(): { name: string; text: string }[] {
  return readdirSync(ROOT, { recursive: true })
    .map(String)
    .filter(name => /\.(sh|slurm|py)$/.test(name))
    .map(name => ({ name, text: readFileSync(`${ROOT}/${name}`, 'utf8') }));
}

function read(name: string, text: string): void {
  if (!name.endsWith('.py')) readMegatronScript(name, text);
  else {
    readTorchtitanPython(name, text);
    readNemoPython(name, text);
  }
}

describe('mutated code configs', () => {
  it(`${MUTATIONS} mutations raise nothing and end soon`, () => {
    const sources = files();
    for (let seed = 0; seed < MUTATIONS; seed++) {
      const next = random(seed);
      const source = sources[seed % sources.length];
      assert.ok(source !== undefined);
      const text = mutate(source.text, next);
      const start = performance.now();
      try {
        read(source.name, text);
      } catch (error) {
        assert.fail(`seed ${seed} of ${source.name}: ${String(error)}\n${text}`);
      }
      assert.ok(
        performance.now() - start < 5000,
        `seed ${seed} of ${source.name} takes ${performance.now() - start} ms`,
      );
    }
  });

  it('nesting without end is cut', () => {
    const head = 'megatron --num-layers --hidden-size\n';
    const texts: Record<string, string> = {
      'a.sh': `${head}${'run --num-layers ${A:-'.repeat(20_000)}`,
      'b.sh': `${head}${'bash -c "'.repeat(10_000)}`,
      'c.sh': `${head}X=$((${'('.repeat(50_000)}1`,
      'd.sh': `${head}${'sbatch <<EOF\n'.repeat(5000)}`,
      'e.sh': `${head}${'echo $('.repeat(20_000)}`,
      'f.py': `def f() -> run.Partial:\n  return ${'['.repeat(20_000)}`,
      'g.py': `def f() -> run.Partial:\n  return ${'1+'.repeat(20_000)}1`,
      'h.py': `def f() -> run.Partial:\n  return a${'.b'.repeat(20_000)}`,
    };
    for (const [name, text] of Object.entries(texts)) {
      const start = performance.now();
      read(name, text);
      assert.ok(performance.now() - start < 10_000, `${name} takes ${performance.now() - start} ms`);
    }
  });

  it('time grows with the length and no faster', () => {
    const head = readFileSync(`${ROOT}/megatron/array.sh`, 'utf8');
    const bodies: Record<string, (lines: number) => string> = {
      assignments: n => Array.from({ length: n }, (_, i) => `NAME_${i}=value_${i}`).join('\n'),
      appended: n => `O=""\n${Array.from({ length: n }, (_, i) => `O="$O --opt-${i} ${i}"`).join('\n')}`,
      branches: n => Array.from({ length: n }, (_, i) => `if [ $${(i % 9) + 1} = x ]; then V="$V --x"; fi`).join('\n'),
      nested: n => `${'if [ $1 = a ]; then\n'.repeat(n)}X=1\n${'fi\n'.repeat(n)}`,
      commands: n => Array.from({ length: n }, (_, i) => `run --a ${i} --b $NAME`).join('\n'),
    };
    for (const [name, body] of Object.entries(bodies)) {
      const time = (length: number) => {
        const line = body(100).length / 100;
        const text = `${body(Math.ceil(length / line))}\n${head}`;
        // The least of a few: what else the machine does only adds.
        const times = Array.from({ length: 4 }, () => {
          const start = performance.now();
          readMegatronScript('run.sh', text);
          return performance.now() - start;
        });
        return Math.min(...times);
      };
      time(10_000);
      const [small, large] = [time(25_000), time(200_000)];
      assert.ok(
        large < 40 * Math.max(small, 5),
        `${name}: ${small.toFixed(1)} ms for 25 KB, ${large.toFixed(1)} ms for 200 KB`,
      );
    }
  });
});

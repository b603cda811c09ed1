/**
 * Time of the readers by size: every kind's real config among as much else as such files hold (lists of datasets,
 * tables, functions, commands). At 100 KB the reference is the 50 ms that a reader may take; at 1 and 5 MB it is the
 * time at 100 KB times the size, so that a ratio well over 1 means that time grows faster than the text. The readers are
 * bundled as the engine's worker is and run in a thread with its memory: under tsx, libraries take twice as long.
 * `npm run bench configs`.
 */
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isMainThread, Worker } from 'node:worker_threads';
import { readConfig } from '../../src/engine/configs/registry';
import { estimate } from '../../src/engine/estimate/estimate';
import { estimateDocument } from '../../src/documents/build';
import { mergeReadings } from '../../src/engine/configs/merge';
import { mayBeConfig } from '../../src/extension/signs';
import { ENGINE_MEMORY } from '../../src/node/engineMemory';
import { lensTitle } from '../../src/words/lens';

const FOLDER = 'test/fixtures';

/** What else a file may hold, one piece of it. */
const json = (i: number) =>
  `  "extra_${i}": {"path": "some/data/of/ours", "weights": [1, 2.5, ${i}], "type": "text"},\n`;
const yaml = (i: number) =>
  `\n# Part ${i} of what the run is trained on.\nextra_${i}:\n  path: our-organisation/data-of-many-sources-part-${i} # private\n  split: train[:95%]\n  weight: ${i}.5\n`;
/** accelerate refuses keys that it does not know. */
const remark = (i: number) => `# Remark ${i}: what our administrators say of the machines that run this, at length.\n`;
const toml = (i: number) => `\n[extra_${i}]\npath = "some/data/of/ours"\nweights = [1.0, 2.5, ${i}.0]\ntype = "text"\n`;
const shell = (i: number) => `EXTRA_${i}="some/data/\${HOME}/of/ours"\nif [ "$1" = "${i}" ]; then\n  OTHER=${i}\nfi\n`;
const python = (i: number) =>
  `\n\ndef extra_${i}(path: str = "some/data", size: int = ${i}):\n    return [path, size * 2]\n`;

interface Kind {
  readonly name: string;
  readonly file: string;
  readonly piece: (i: number) => string;
  /** The pieces stand after the opening brace. */
  readonly inside?: true;
}

const KINDS: readonly Kind[] = [
  { name: 'hf', file: 'configs/hf/llama-3.1-8b.json', piece: json, inside: true },
  { name: 'deepspeed', file: 'configs/deepspeed/zero1.json', piece: json, inside: true },
  { name: 'nanotron', file: 'configs/nanotron/llama-1.7b.yaml', piece: yaml },
  { name: 'picotron', file: '../../examples/too-large/train.json', piece: json, inside: true },
  { name: 'accelerate', file: 'configs/accelerate/fsdp2.yaml', piece: remark },
  { name: 'megatron yaml', file: 'configs/megatron/functional-gpt.yaml', piece: yaml },
  { name: 'nemo', file: 'configs/nemo/llama3-8b.yaml', piece: yaml },
  { name: 'axolotl', file: 'configs/axolotl/full-fsdp2.yaml', piece: yaml },
  { name: 'llama-factory', file: 'configs/llama-factory/lora.yaml', piece: yaml },
  { name: 'gpt-neox', file: 'configs/gpt-neox/dashes.yml', piece: yaml },
  { name: 'verl', file: 'configs/verl/actor.yaml', piece: yaml },
  { name: 'torchtune', file: 'configs/torchtune/hsdp.yaml', piece: yaml },
  { name: 'torchtitan', file: 'configs/torchtitan/2026-llama3-405b.toml', piece: toml },
  { name: 'megatron script', file: 'configs-code/megatron/llama3-8b.sh', piece: shell },
  { name: 'torchtitan recipe', file: 'configs-code/torchtitan/llama3/config_registry.py', piece: python },
  { name: 'nemo recipe', file: 'configs-code/nemo/bridge_recipe.py', piece: python },
];

/** A config of a kind, grown to a number of characters. */
function grown({ file, piece, inside }: Kind, length: number): string {
  const text = readFileSync(`${FOLDER}/${file}`, 'utf8');
  const pieces: string[] = [];
  for (let size = text.length, i = 0; size < length; i++) {
    const next = piece(i);
    pieces.push(next);
    size += next.length;
  }
  const at = text.indexOf('{') + 1;
  return inside === true ? `${text.slice(0, at)}\n${pieces.join('')}${text.slice(at)}` : `${text}\n${pieces.join('')}`;
}

function milliseconds(run: () => unknown, rounds: number): number {
  let best = Infinity;
  for (let i = 0; i < rounds; i++) {
    const start = performance.now();
    run();
    best = Math.min(best, performance.now() - start);
  }
  return best;
}

interface Measurement {
  readonly name: string;
  /** Milliseconds. */
  readonly value: number;
  readonly reference: number;
}

const against = (name: string, value: number, reference: number): Measurement => ({ name, value, reference });

function readerSpeed(kind: Kind): Measurement[] {
  const read = (length: number, rounds: number): number => {
    const text = grown(kind, length);
    if (readConfig(kind.file, text).kind === null) throw new Error(`${kind.name} of ${length} is not read`);
    return milliseconds(() => readConfig(kind.file, text), rounds);
  };
  // A warm thread: the first reading of its life compiles.
  const small = read(1e5, 20);
  return [
    against(`${kind.name}, 100 KB, of 50 ms`, small, 50),
    against(`${kind.name}, 1 MB, of ten times that`, read(1e6, 2), 10 * small),
    against(`${kind.name}, 5 MB, of fifty times that`, read(4.9e6, 1), 49 * small),
  ];
}

/** What the extension host itself does for a file of 1 MiB, and for a lens from the last answer. */
function hostSpeed(): Measurement[] {
  const kind = KINDS[0];
  const text = grown(kind, 2 ** 20);
  const { setup, problems } = mergeReadings([readConfig(kind.file, grown(kind, 0))]);
  const document = estimateDocument(estimate(setup, problems));
  const look = milliseconds(() => mayBeConfig(kind.file, text.replaceAll('model_type', 'x')), 20);
  const post = milliseconds(() => structuredClone({ files: [{ file: kind.file, text }], values: [] }), 20);
  return [
    against('host: 1 MiB without a sign, of 20 ms', look, 20),
    against('host: 1 MiB to the worker, of 20 ms', post, 20),
    against(
      'host: the lens from the last answer, of 50 ms',
      milliseconds(() => lensTitle(document, false), 20),
      50,
    ),
  ];
}

/** Texts of 100 KB that are made to cost: refused before they are parsed, or read as they are. */
const HOSTILE: Readonly<Record<string, readonly [file: string, text: string]>> = {
  'a row of dashes': ['a.yaml', `a:\n  ${'- '.repeat(5e4)}`],
  'a row of dots': ['a.toml', `${'a.'.repeat(5e4)}b = 1`],
  'a row of brackets': ['a.yaml', `a: ${'['.repeat(1e5)}`],
  'dense flow': ['a.yaml', `a: [${'{a: 1, b: [1,2,3]}, '.repeat(5e3)}]`],
  'dense numbers': ['a.json', `[${'1,'.repeat(5e4)}1]`],
};

function hostileSpeed(): Measurement[] {
  return Object.entries(HOSTILE).map(([name, [file, text]]) =>
    against(
      `hostile: ${name}, of 50 ms`,
      milliseconds(() => readConfig(file, text), 5),
      50,
    ),
  );
}

/** The bench as the engine's worker is shipped: one module without names kept and without CommonJS between. */
async function inWorker(): Promise<void> {
  const { build } = await import('esbuild');
  const outfile = `${tmpdir()}/meshlens-readers-${process.pid}.mjs`;
  const common = {
    bundle: true,
    minify: true,
    write: true,
    platform: 'neutral',
    format: 'esm',
    target: 'es2022',
  } as const;
  const external = ['node:*', 'esbuild'];
  const mainFields = ['module', 'main'];
  const entryPoints = ['bench/configs/readers.bench.ts'];
  await build({ ...common, entryPoints, outfile, external, mainFields, conditions: ['import'] });
  const worker = new Worker(outfile, { resourceLimits: ENGINE_MEMORY });
  await once(worker, 'exit');
  rmSync(outfile);
}

function measureAll(): void {
  for (const measure of [...KINDS.map(kind => () => readerSpeed(kind)), hostileSpeed, hostSpeed]) {
    for (const { name, value, reference } of measure()) {
      const figures = `${value.toPrecision(4)} ms, reference ${reference.toPrecision(4)}`;
      console.log(`  ${name.padEnd(50)} ${figures}, ratio ${(value / reference).toPrecision(3)}`);
    }
  }
}

if (isMainThread) void inWorker();
else measureAll();

/** Random small spaces, and the check of a search in one against trying every plan. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { completeSetup } from '../../src/engine/plan/complete';
import type { ScheduleName } from '../../src/engine/plan/keys';
import { type Tried, tryAll } from './bruteForce';
import { DEFAULT_OPTIONS } from '../../src/engine/search/result';
import { search } from '../../src/engine/search/search';
import type { Fixed } from '../../src/engine/search/points';
import { setupOf } from './testSetups';

const some = <T>(...values: readonly T[]) =>
  fc.subarray([...values], { minLength: 1, maxLength: Math.min(3, values.length) });
const degrees = some(1, 2, 4);

export const smallSpace = fc.record({
  gpus: fc.constantFrom(4, 8, 12, 16),
  layers: fc.constantFrom(4, 6, 8),
  experts: fc.constantFrom(0, 4),
  vocab: fc.constantFrom(1000, 64_000),
  globalBatch: fc.constantFrom(8, 12, 24),
  /** null: so much that the fastest plan fits, but closely. */
  capacityBytes: fc.constantFrom(3e9, 5e9, null, null),
  stack: fc.constantFrom('megatron-core', 'llm-foundry-2023q1', 'torchtitan'),
  fixed: fc.record({
    tp: degrees,
    cp: fc.constantFrom([1], [1, 2]),
    pp: degrees,
    vpp: some(1, 2, 3),
    ep: some(1, 2),
    etp: some(1, 2, 4),
    microBatch: some(1, 2, 3),
    schedule: fc.subarray(
      [
        '1f1b',
        'gpipe',
        'naive',
        'interleaved-1f1b',
        'breadth-first',
        'eager-1f1b',
        'zb-h1',
        'zb-h2',
        'zb-v',
        'v-half',
        'dualpipe',
        'dualpipe-v',
      ] as ScheduleName[],
      {
        minLength: 1,
        maxLength: 3,
      },
    ),
    recompute: some<'none' | 'selective' | 'full'>('none', 'selective', 'full'),
    sp: some(false, true),
    offload: some<'none' | 'optimizer' | 'optimizer+params'>('none', 'optimizer', 'optimizer+params'),
    sharding: some<'none' | 'zero1' | 'zero2' | 'zero3' | 'hsdp'>('none', 'zero1', 'zero2', 'zero3', 'hsdp'),
  }),
});

export type SmallSpace = typeof smallSpace extends fc.Arbitrary<infer T> ? T : never;

/** Checks a search; whether it recommends another plan than the fastest. */
export function checkAgainstBruteForce(space: SmallSpace): boolean {
  const { gpus, layers, experts, vocab, globalBatch, stack } = space;
  const sizes = {
    layers,
    hidden: 512,
    ffn: 1536,
    heads: 8,
    kvHeads: 4,
    headDim: 64,
    vocab,
    gatedMlp: 'true',
    tied: 'false',
  };
  const moe = experts === 0 ? {} : { experts, topK: 2, expertFfn: 512, sharedExperts: 1 };
  const cluster = { gpu: 'a100-80', gpus, gpusPerNode: 4 };
  const keys = { ...sizes, ...moe, ...cluster, globalBatch, microBatch: 1, seqLen: 2048, stack };
  const setupWith = (capacity: number) => completeSetup(setupOf({ ...keys, capacityBytes: capacity }));
  const common: Fixed = {
    ...space.fixed,
    ep: experts === 0 ? [1] : space.fixed.ep,
    etp: experts === 0 ? [1] : space.fixed.etp,
    schedule: ['none', ...space.fixed.schedule],
    tpOverlap: [false],
    recomputeOps: [null],
    recomputeLayers: [null],
    stageLayers: [null],
  };
  const tries: Fixed = { ...common, cpKind: ['ring', null], shardSize: [null, 2, 4] };
  const [fastest] = space.capacityBytes === null ? distinct(tryAll(setupWith(80e9), tries)) : [];
  const capacityBytes = space.capacityBytes ?? Math.ceil((fastest?.peakBytes ?? 80e9) * CLOSELY);
  const setup = setupWith(capacityBytes);
  const tried = tryAll(setup, tries);
  const groups: Fixed = space.fixed.sharding.includes('hsdp') ? { shardSize: [2, 4] } : {};
  const searched: Fixed = { ...common, cpKind: ['ring'], ...groups };
  const run = search(setup, { ...DEFAULT_OPTIONS, top: TOP, fixed: searched });
  let step = run.next();
  while (step.done !== true) step = run.next();
  const { best, recommended, pareto, feasible } = step.value;
  assert.equal(feasible, tried.length, 'plans that fit');
  const ranked = distinct(tried);
  assert.equal(best.length, Math.min(TOP, ranked.length));
  best.forEach((candidate, i) => {
    near(candidate.stepSeconds, ranked[i].stepSeconds, `best ${i}`);
    near(candidate.peakBytes, ranked[i].peakBytes, `memory of best ${i}`);
  });
  const wanted = ranked.length === 0 ? undefined : recommendation(ranked, capacityBytes);
  assert.equal(recommended === null, wanted === undefined);
  if (recommended !== null && wanted !== undefined) near(recommended.stepSeconds, wanted.stepSeconds, 'recommended');
  const front = distinct(tried.filter(one => !tried.some(other => beats(other, one))));
  assert.ok(pareto.length >= front.length, `front of ${pareto.length}, expected ${front.length}`);
  for (const candidate of pareto) assert.ok(!tried.some(other => beats(other, candidate)), 'the front is beaten');
  return wanted !== undefined && wanted !== ranked[0];
}

const TOP = 4;
/** Less than the width of the model's memory. */
const CLOSELY = 1.05;

function near(a: number, b: number, what: string): void {
  assert.ok(Math.abs(a / b - 1) < 1e-12, `${what}: ${a}, not ${b}`);
}

/** By step time, then memory; without what differs in neither. */
function distinct(tried: readonly Tried[]): Tried[] {
  const isSame = (a: number, b: number) => Math.abs(a / b - 1) < 1e-12;
  const sorted = [...tried].sort((a, b) =>
    isSame(a.stepSeconds, b.stepSeconds) ? a.peakBytes - b.peakBytes : a.stepSeconds - b.stepSeconds,
  );
  return sorted.filter(
    (one, i) =>
      !sorted
        .slice(0, i)
        .some(other => isSame(other.stepSeconds, one.stepSeconds) && isSame(other.peakBytes, one.peakBytes)),
  );
}

/** The fastest, unless it fits only closely and one that surely fits is no slower than the first may be. */
function recommendation(ranked: readonly Tried[], capacityBytes: number): Tried {
  const [first] = ranked;
  const sure = ranked.find(({ upperBytes }) => upperBytes <= capacityBytes);
  const isWorthIt = sure === undefined || sure.stepSeconds > first.upperSeconds;
  return isWorthIt ? first : sure;
}

type Measures = Pick<Tried, 'stepSeconds' | 'peakBytes' | 'bubbleFraction'>;

/** Better by more than rounding in one, worse in none. */
function beats(a: Measures, b: Measures): boolean {
  const keys = ['stepSeconds', 'peakBytes', 'bubbleFraction'] as const;
  const margin = (key: (typeof keys)[number]) => 1e-12 * Math.max(1e-3, b[key]);
  return keys.every(key => a[key] <= b[key] + margin(key)) && keys.some(key => a[key] < b[key] - 1e3 * margin(key));
}

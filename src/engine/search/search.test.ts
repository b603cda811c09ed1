import assert from 'node:assert/strict';
import fc from 'fast-check';
import { llama8bOn, setupOf, toEnd } from '../../../bench/search/testSetups';
import { checkAgainstBruteForce, type SmallSpace, smallSpace } from '../../../bench/search/smallSpaces';
import { DEFAULT_OPTIONS, type SearchOptions, type SearchResult } from './result';
import { search, SearchRun, searchRun } from './search';

function found(setup: Parameters<typeof search>[0], options: Partial<SearchOptions> = {}): SearchResult {
  return toEnd(search(setup, { ...DEFAULT_OPTIONS, ...options }));
}

const LLAMA_8B = llama8bOn({
  gpu: 'h100-sxm',
  gpus: 16,
  globalBatch: 64,
  seqLen: 4096,
});
const SMALL = { cp: [1], recompute: ['none', 'full'] as const, vpp: [1, 2] };

describe('search', () => {
  it('finds what trying every plan through estimate finds', () => {
    let others = 0;
    const check = (space: SmallSpace) => void (others += Number(checkAgainstBruteForce(space)));
    fc.assert(fc.property(smallSpace, check), { numRuns: 20, seed: 4 });
    assert.ok(others > 0, 'spaces in which another plan than the fastest is recommended');
  });

  it('counts every point once: refused by a rule, or feasible', () => {
    const { candidates, rejections, feasible, evaluated } = found(LLAMA_8B, { fixed: SMALL });
    const refused = rejections.reduce((sum, { count }) => sum + count, 0);
    assert.equal(refused + feasible, candidates);
    assert.ok(evaluated >= feasible && feasible > 0);
    for (const { example, count } of rejections) assert.ok(count > 0 && Object.keys(example.args).length > 0);
  });

  it('gives the same without pruning, and the same twice', () => {
    const fixed = { ...SMALL, sharding: ['none', 'zero1', 'zero3'] as const };
    const plain = ({ best, elsewhere, pareto, layouts, candidates, feasible }: SearchResult) => ({
      best,
      elsewhere,
      pareto,
      layouts,
      candidates,
      feasible,
    });
    const pruned = plain(found(LLAMA_8B, { fixed }));
    assert.deepEqual(plain(found(LLAMA_8B, { fixed })), pruned);
    assert.deepEqual(plain(found(LLAMA_8B, { fixed, prune: false })), pruned);
  });

  it('gives the same whoever walks the parts of the space, in whatever order', () => {
    const options = { ...DEFAULT_OPTIONS, fixed: { recompute: ['none', 'full'] as const, vpp: [1, 2] } };
    const runs = [0, 1, 2].map(() => {
      const run = searchRun(LLAMA_8B, options);
      assert.ok(run instanceof SearchRun);
      return run;
    });
    const [taker, ...walkers] = runs;
    const parts = Array.from({ length: taker.parts }, (_, part) => part);
    assert.ok(parts.length > 4);
    const walked = [...parts].reverse().map(part => structuredClone(toEnd(walkers[part % 2].walk(part))));
    for (const part of walked.reverse()) taker.take(part);
    assert.deepEqual(toEnd(taker.finish()), found(LLAMA_8B, options));
  });

  it('tries fp8 where the user allows it and the device computes in it', () => {
    const fixed = { ...SMALL, tp: [1], pp: [1], sharding: ['zero1'] as const, dtype: ['bf16', 'fp8'] as const };
    const on = (gpu: string) => found(setupOf({ gpu }, LLAMA_8B), { fixed });
    const [a100, h100] = [on('a100-80'), on('h100-sxm')];
    assert.deepEqual([...new Set(a100.best.map(({ plan }) => plan.dtype))], ['bf16']);
    assert.equal(a100.rejections.find(({ code }) => code === 'dtype-device')?.count, a100.candidates / 2);
    assert.equal(h100.best[0].plan.dtype, 'fp8');
    assert.ok(h100.rejections.every(({ code }) => code !== 'dtype-device'));
  });

  it('splits few experts over ranks, many only where the user asks', () => {
    const split = (experts: number) => {
      const moe = setupOf({ experts, topK: 2, expertFfn: 1024 }, LLAMA_8B);
      const { layouts, pareto } = found(moe, { fixed: { ...SMALL, pp: [1], sharding: ['zero1'] } });
      return [...layouts, ...pareto].some(({ plan }) => plan.etp > 1);
    };
    assert.deepEqual([split(8), split(64)], [true, false]);
  });

  it('keeps what the user fixes', () => {
    const { best } = found(LLAMA_8B, { fixed: { dp: [4], pp: [2], cp: [1], schedule: ['1f1b'] } });
    assert.ok(best.length > 0);
    for (const { plan } of best) assert.deepEqual([plan.dp, plan.tp, plan.pp, plan.schedule], [4, 2, 2, '1f1b']);
  });

  it('may change the batch only where it is freed', () => {
    const fixed = { ...SMALL, tp: [1], pp: [1] };
    const batches = (freeBatch: boolean) =>
      new Set(found(LLAMA_8B, { fixed, freeBatch, top: 50 }).best.map(({ plan }) => plan.globalBatch));
    assert.deepEqual([...batches(false)], [64]);
    assert.ok(batches(true).size > 1);
  });

  it('asks for what it lacks instead of guessing', () => {
    const { problems, best, candidates } = found(setupOf({ layers: 2 }));
    assert.ok(problems.some(({ code, args }) => code === 'value-unknown' && args.key === 'model.hidden'));
    assert.ok(problems.some(({ code }) => code === 'cluster-unknown'));
    assert.deepEqual([best.length, candidates], [0, 0]);
  });

  it('ranks single changes by what they do, each evaluated anew', () => {
    const setup = setupOf({ pp: 2, tp: 4, microBatch: 1, schedule: '1f1b' }, LLAMA_8B);
    const { whatIfs, current } = found(setup, { fixed: { ...SMALL, tp: [4], pp: [2] } });
    assert.ok(current !== null && whatIfs.length > 5);
    // From tp 4 as far as the model and the GPUs let it: 1 and 2 below, 8 above.
    const degrees = whatIfs.filter(({ key }) => key === 'tp').map(({ candidate }) => candidate.plan.tp);
    assert.deepEqual(degrees.sort(), [1, 2, 8]);
    const fitting = whatIfs.filter(({ fits, candidate }) => fits && candidate.expressible);
    const rates = fitting.map(({ candidate }) => candidate.tokensPerSecond);
    assert.deepEqual(
      rates,
      [...rates].sort((a, b) => b - a),
    );
  });
});

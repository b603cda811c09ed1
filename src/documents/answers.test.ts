import assert from 'node:assert/strict';
import { toEnd } from '../../bench/search/testSetups';
import { LLAMA_8B } from '../../test/fixtures/llama8b';
import { NO_COSTS } from '../engine/configs/workspaceFile';
import type { EngineInput } from '../protocol/engine';
import { PLAIN_SEARCH, type SearchAsk } from '../protocol/searchAsk';
import { answerSearch } from './answers';

const KEYS = { ...LLAMA_8B, gpu: 'h100-sxm', gpus: 64, globalBatch: 64, microBatch: 1, seqLen: 4096 };
const FIXED = { tp: [1, 8], cp: [1], pp: [1], recompute: ['full'] as const };

describe('a search that the dashboard asks for', () => {
  const answer = (ask: Partial<SearchAsk>, input: Partial<EngineInput> = {}) => {
    const answers = Object.entries(KEYS).map(([key, value]) => [key, String(value)] as const);
    const whole = {
      files: [],
      values: [],
      workspace: null,
      costs: NO_COSTS,
      answers,
      ...input,
    };
    return toEnd(answerSearch(whole, { ...PLAIN_SEARCH, ...ask }, () => 0, undefined, FIXED));
  };
  const plain = answer({});
  const rate = (plain.recommended?.throughput.tokensPerSecondPerGpu ?? NaN) * 64;

  it('tells how long the tokens take and what they cost, and the footprint of that, from the factors that are stated', () => {
    const costs = { ...NO_COSTS, perGpuHour: 2, wattsPerGpu: 1000, gramsCo2PerKwh: 500 };
    const { recommended, footprint } = answer({ tokens: 1e12 }, { costs });
    const hours = (64 * 1e12) / rate / 3600;
    assert.ok(Math.abs((recommended?.training.cost ?? 0) / (2 * hours) - 1) < 1e-12);
    assert.ok(Math.abs((footprint?.kilowattHours ?? 0) / hours - 1) < 1e-12);
    assert.ok(Math.abs((footprint?.kilogramsCo2 ?? 0) / (0.5 * hours) - 1) < 1e-12);
    assert.equal(footprint?.litresWater, null);
  });

  it('finds the fewest GPUs for the deadline, and the curve, where they are asked for', () => {
    assert.deepEqual([plain.fewestGpus, plain.scale], [null, null]);
    // With a tenth more time than 64 GPUs need, 32 do not do it.
    const { fewestGpus, scale } = answer({ tokens: 1e12, deadline: 1.1e12 / rate, scale: 'strong' });
    assert.ok(fewestGpus !== null && fewestGpus.gpus > 32 && fewestGpus.gpus <= 64);
    assert.deepEqual(scale?.points.map(({ gpus }) => gpus).slice(0, 4), [8, 16, 32, 64]);
  });
});

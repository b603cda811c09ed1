import assert from 'node:assert/strict';
import { LLAMA_8B_MODEL } from '../../../test/fixtures/llama8b';
import { flopsConventions } from './flops';

describe('conventions of model FLOPs', () => {
  const named = (frozen: boolean) =>
    Object.fromEntries(
      flopsConventions(LLAMA_8B_MODEL, 8192, frozen).map(({ name, perToken }) => [name, perToken / 1e9]),
    );

  it('are those that NVIDIA prints for Llama 3 8B at 8192 tokens: 57.9 GFLOP a token in full, 51.5 with causal attention', () => {
    const { '6N+12Lads': full, '6N+6Lads': causal } = named(false);
    assert.ok(Math.abs(full - 57.9) < 0.05, `${full}`);
    assert.ok(Math.abs(causal - 51.5) < 0.05, `${causal}`);
  });

  it('count 6 a parameter, with the table of 0.525·10⁹ or without', () => {
    const { '6N': multiplying, '6N+12Lads': full, '6P+12Lads': all } = named(false);
    // 8.0303·10⁹ parameters less the embedding's 128256 · 4096, norms left out.
    assert.ok(Math.abs(multiplying - 6 * (8.0303 - 0.5253)) < 0.01, `${multiplying}`);
    assert.ok(Math.abs(all - full - 6 * 0.5253) < 0.001);
  });

  it('count 4 where the weights are frozen', () => {
    assert.ok(Math.abs(named(true)['4N'] - 4 * (8.0303 - 0.5253)) < 0.01);
  });
});

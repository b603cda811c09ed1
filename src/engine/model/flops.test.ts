import assert from 'node:assert/strict';
import { buildModel } from './architecture';
import { emptySizes } from './sizes';
import { LLAMA_TRAITS } from './traits';
import { flopsConventions } from './flops';

const LLAMA_8B = buildModel(
  {
    ...emptySizes(),
    layers: 32,
    hidden: 4096,
    ffn: 14336,
    heads: 32,
    kvHeads: 8,
    headDim: 128,
    vocab: 128256,
    tied: false,
    gatedMlp: true,
  },
  LLAMA_TRAITS,
);

describe('conventions of model FLOPs', () => {
  assert.ok(LLAMA_8B !== null);
  const named = (frozen: boolean) =>
    Object.fromEntries(flopsConventions(LLAMA_8B, 8192, frozen).map(({ name, perToken }) => [name, perToken / 1e9]));

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

import assert from 'node:assert/strict';
import { LAYER_PARTS } from '../model/operator';
import { recomputeRule } from './recompute';

const repeated = (recomputeOps: string | null) => {
  const rule = recomputeRule({ recompute: 'selective', recomputeOps, recomputeLayers: null });
  return Object.fromEntries(LAYER_PARTS.map((part, k) => [part, rule.repeated[k]]));
};

describe('what selective recomputation repeats', () => {
  it('by operator: no attention, every second product, and all that is no product (torchtitan, activation_checkpoint.py)', () => {
    const { core, qkv, out, mlp, norm, rotary, activation, dispatch } = repeated('op');
    assert.deepEqual([core, qkv, out, mlp], [0, 0.5, 0.5, 0.5]);
    assert.deepEqual([norm, rotary, activation, dispatch], [1, 1, 1, 1]);
  });

  it('by module: the parts that are named, and without a name attention’s scores (arXiv 2205.05198, section 5)', () => {
    const { norm, core, mlp, activation } = repeated('layernorm+mlp');
    assert.deepEqual([norm, core, mlp, activation], [1, 0, 1, 1]);
    const rule = recomputeRule({ recompute: 'selective', recomputeOps: null, recomputeLayers: null });
    assert.ok(rule.dropsScores && rule.repeated.every(share => share === 0));
  });
});

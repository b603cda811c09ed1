/** The script is data: the same plan gives the same bytes, and what is filled in is what the operator table counts. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { completeSetup } from '../../plan/complete';
import { override } from '../../setup/override';
import { emptySetup, type TrainingSetup } from '../../setup/setup';
import { CLUSTER_TEMPLATE } from './cluster.generated';
import { clusterPlan, clusterScript } from './fill';
import { launchLines } from './launch';

const with_ = (values: Record<string, string>): TrainingSetup =>
  Object.entries(values).reduce((setup, [key, value]) => {
    const next = override(setup, key, value);
    assert.ok(!('code' in next), key);
    return next;
  }, emptySetup());

const SMALL = with_({
  layers: '2',
  hidden: '256',
  ffn: '512',
  heads: '8',
  kvHeads: '8',
  headDim: '32',
  vocab: '1000',
  gatedMlp: 'true',
  tied: 'false',
  tp: '2',
  dp: '2',
  pp: '1',
  microBatch: '4',
  globalBatch: '16',
  seqLen: '64',
});

describe('the cluster benchmark', () => {
  it('is the file cluster.py as a module', () => {
    assert.equal(CLUSTER_TEMPLATE, readFileSync('src/engine/bench/torchScript/cluster.py', 'utf8'));
    assert.equal(CLUSTER_TEMPLATE.split('@PLAN@').length, 2);
  });

  it('holds one rank’s products of the model, the mesh from the inside out and the step', () => {
    const plan = clusterPlan(completeSetup(SMALL));
    assert.deepEqual(plan.axes, [
      { name: 'tp', size: 2 },
      { name: 'cp', size: 1 },
      { name: 'dp', size: 2 },
      { name: 'pp', size: 1 },
    ]);
    // By hand, with 4·64 = 256 tokens on two ranks: q, k, v 3·256/2 columns; gate and up 2·512/2; down from 512/2.
    assert.deepEqual(plan.products.map(({ m, k, n }) => [m, k, n]).sort(), [
      [256, 128, 256],
      [256, 256, 256],
      [256, 256, 384],
      [256, 256, 512],
    ]);
    assert.deepEqual(plan.attention, { microBatch: 4, heads: 4, seqLen: 64, headDim: 32 });
    assert.deepEqual(plan.step, { hidden: 256, ffn: 512, heads: 8, seqLen: 64, microBatch: 4 });
  });

  it('is the same bytes for the same plan, and pure ASCII', () => {
    const script = clusterScript(clusterPlan(completeSetup(SMALL)));
    assert.equal(createHash('sha256').update(script).digest('hex'), GOLDEN);
    assert.match(script, /^[\x00-\x7f]*$/);
    assert.equal(clusterScript(clusterPlan(completeSetup(SMALL))), script);
  });

  it('cannot be broken by a name in the plan', () => {
    const script = clusterScript({
      ...clusterPlan(emptySetup()),
      products: [{ label: "a''' + evil() #$&", m: 1, k: 1, n: 1 }],
    });
    const line = script.split('\n').find(text => text.startsWith('PLAN = '));
    assert.ok(line !== undefined && line.startsWith("PLAN = json.loads(r'''{") && line.endsWith("}''')"));
    assert.equal(line.slice("PLAN = json.loads(r'''".length, -"''')".length).includes("'"), false);
  });

  it('is started by torchrun, on one node or on many', () => {
    assert.equal(
      launchLines('b.py', 1, 8).torchrun,
      'torchrun --standalone --redirects 0:1 --tee 0:1 --nproc_per_node 8 b.py',
    );
    const { torchrun, slurm } = launchLines('b.py', 4, 8);
    assert.equal(
      torchrun,
      'torchrun --nnodes 4 --redirects 0:1 --tee 0:1 --nproc_per_node 8 --rdzv_backend c10d --rdzv_endpoint $HEAD_NODE:29500 b.py',
    );
    assert.match(
      slurm,
      /^srun --nodes 4 --ntasks-per-node 1 --gpus-per-node 8 bash -c 'torchrun --nnodes 4 .* b\.py'$/,
    );
    assert.match(launchLines("it's.py", 1, 2).torchrun, / 'it'\\''s\.py'$/);
  });
});

/** Of the script for SMALL; a change of the template or of its filling is meant to be seen here. */
const GOLDEN = '64b179e73f5945207931764e22d2e6bcda49e5167e4473f39ac18b126c260016';

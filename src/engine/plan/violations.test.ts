import assert from 'node:assert/strict';
import { emptySizes, type ModelSizes } from '../model/sizes';
import type { TrainingSetup } from '../setup/setup';
import { SetupBuilder } from '../setup/setup';
import { completeSetup } from './complete';
import { FRAMEWORKS } from './frameworks';
import { emptyPlan, type Plan } from './keys';
import { checkPlan, violations } from './rules';

const any = {
  ...FRAMEWORKS.picotron,
  kvHeadsDivideByTp: false,
  vocabDividesByTp: false,
  allows: {},
  name: 'any',
} as (typeof FRAMEWORKS)[string];
const picotron = FRAMEWORKS.picotron;

const llama: ModelSizes = { ...emptySizes(), layers: 32, heads: 32, kvHeads: 8, vocab: 128_256 };

function plan(changes: Partial<Plan>): Plan {
  return { ...emptyPlan(), dp: 1, tp: 1, cp: 1, pp: 1, vpp: 1, ep: 1, etp: 1, ...changes };
}

const codes = (changes: Partial<Plan>, sizes = llama, gpus: number | null = null, framework = any) =>
  violations(plan(changes), sizes, gpus, framework).map(({ code }) => code);

describe('rules of a plan', () => {
  it('world: dp·tp·cp·pp must be the number of GPUs; ep multiplies nothing', () => {
    assert.deepEqual(codes({ dp: 2, tp: 4, pp: 2 }, llama, 16), []);
    assert.deepEqual(codes({ dp: 2, tp: 4, pp: 2 }, llama, 32), ['world-size']);
    assert.deepEqual(codes({ dp: 8, tp: 2, ep: 8 }, { ...llama, experts: 64 }, 16), []);
    assert.deepEqual(codes({ dp: null, tp: 3 }, { ...llama, heads: 33, kvHeads: 3 }, 16), ['world-size']);
  });

  it('tp divides heads; kv heads may be replicated unless the framework forbids it', () => {
    assert.deepEqual(codes({ tp: 3 }), ['heads-tp', 'kv-heads-tp']);
    assert.deepEqual(codes({ tp: 16 }), []);
    assert.deepEqual(codes({ tp: 16 }, llama, null, picotron), ['kv-heads-tp']);
    assert.deepEqual(codes({ tp: 8 }, { ...llama, vocab: 128_257 }, null, picotron), ['vocab-tp']);
  });

  it('pp and vpp split the layers', () => {
    assert.deepEqual(codes({ pp: 64 }), ['layers-pp']);
    assert.deepEqual(codes({ pp: 4, vpp: 3 }), ['layers-vpp']);
    assert.deepEqual(codes({ pp: 4, vpp: 3 }, llama, null, FRAMEWORKS.torchtitan), []);
    assert.deepEqual(codes({ pp: 3, stageLayers: [11, 11, 10] }), []);
    assert.deepEqual(codes({ pp: 3, stageLayers: [11, 11, 11] }), ['layers-pp']);
  });

  it('cp divides the sequence, ep the experts, and the batch is micro-batches times dp', () => {
    assert.deepEqual(codes({ cp: 3, seqLen: 4096 }), ['sequence-cp']);
    assert.deepEqual(codes({ sp: true, tp: 8, seqLen: 4092 }), ['sequence-sp']);
    assert.deepEqual(codes({ ep: 3, dp: 3 }, { ...llama, experts: 8 }), ['experts-ep']);
    assert.deepEqual(codes({ ep: 8, dp: 4 }, { ...llama, experts: 8 }), ['expert-ranks']);
    assert.deepEqual(codes({ microBatch: 3, globalBatch: 64, dp: 4 }), ['batch-identity']);
  });

  it('all-to-all context parallelism deals heads to tp·cp ranks', () => {
    const heads = (changes: Partial<Plan>) => codes({ cp: 8, tp: 8, seqLen: 4096, ...changes });
    assert.deepEqual(heads({ cpKind: 'all-to-all' }), ['heads-cp']);
    assert.deepEqual(heads({ cpKind: 'ring' }), []);
    assert.deepEqual(heads({ cpKind: 'all-to-all', cp: 4 }), []);
  });

  it('places a problem at the key that causes it', () => {
    const builder = new SetupBuilder();
    Object.assign(builder.sizes, llama);
    const source = { file: 'a.json', line: 3, column: 5, endLine: 3, endColumn: 6 };
    builder.setPlan('tp', 3, 'file', source);
    const [problem] = checkPlan(builder.build());
    assert.deepEqual([problem?.code, problem?.source], ['heads-tp', source]);
  });
});

describe('completing a setup', () => {
  const complete = (change: (builder: SetupBuilder) => void): TrainingSetup => {
    const builder = new SetupBuilder();
    change(builder);
    return completeSetup(builder.build());
  };

  it('derives dp from the GPUs, or the GPUs from dp', () => {
    const fromGpus = complete(builder => {
      builder.setCluster('gpu', 'h100-sxm', 'user');
      builder.setCluster('nodes', 4, 'user');
      builder.setPlan('tp', 8, 'file');
    });
    assert.deepEqual([fromGpus.cluster.gpus, fromGpus.plan.dp], [32, 4]);
    assert.equal(fromGpus.fields.get('plan.dp')?.origin, 'derived');
    const fromDp = complete(builder => {
      builder.setPlan('dp', 4, 'file');
      builder.setPlan('pp', 2, 'file');
    });
    assert.equal(fromDp.cluster.gpus, 8);
  });

  it('never invents a batch, a sequence or an accelerator', () => {
    const { plan: completed, cluster } = complete(builder => builder.setModel('maxSeqLen', 131_072, 'file'));
    const { microBatch, globalBatch, seqLen } = completed;
    assert.deepEqual([microBatch, globalBatch, seqLen, cluster.gpu, cluster.gpus], [null, null, null, null, null]);
  });

  it('takes the device’s usual node, and a rack where the link joins one', () => {
    const rack = complete(builder => {
      builder.setCluster('gpu', 'gb200', 'user');
      builder.setCluster('nodes', 18, 'user');
    });
    assert.deepEqual([rack.cluster.gpusPerNode, rack.cluster.domainSize, rack.cluster.gpus], [4, 72, 72]);
  });
});

describe('numbers that a device multiplies', () => {
  const found = (
    gpu: string,
    dtype: Plan['dtype'],
    fp8Recipe: Plan['fp8Recipe'] = null,
    origin: 'file' | 'default' = 'file',
  ) => {
    const builder = new SetupBuilder();
    builder.setCluster('gpu', gpu, 'user');
    builder.setPlan('dtype', dtype, origin);
    builder.setPlan('fp8Recipe', fp8Recipe, 'file');
    return checkPlan(completeSetup(builder.build()))
      .filter(({ code }) => code === 'dtype-device')
      .map(({ severity, args }) => `${severity} ${args.dtype}`);
  };

  it('in 8 bits from Ada and Hopper on, in blocks of MX and in 4 bits from Blackwell on (NVIDIA’s architecture papers)', () => {
    assert.deepEqual(found('a100-80', 'fp8'), ['error fp8']);
    assert.deepEqual(found('rtx-3090', 'fp8'), ['error fp8']);
    assert.deepEqual(found('h100-sxm', 'fp8', 'tensorwise'), []);
    assert.deepEqual(found('rtx-4090', 'fp8'), []);
    assert.deepEqual(found('h100-sxm', 'fp8', 'mxfp8'), ['error mxfp8']);
    assert.deepEqual(found('b200', 'fp8', 'mxfp8'), []);
    assert.deepEqual(found('h100-sxm', 'nvfp4'), ['error nvfp4']);
    assert.deepEqual(found('b200', 'nvfp4'), []);
  });

  it('in bf16 from Ampere on: before, it is emulated, which a default does not say', () => {
    assert.deepEqual(found('v100-32', 'bf16'), ['warning bf16']);
    assert.deepEqual(found('t4', 'bf16'), ['warning bf16']);
    assert.deepEqual(found('v100-32', 'fp16'), []);
    assert.deepEqual(found('v100-32', 'bf16', null, 'default'), []);
  });
});

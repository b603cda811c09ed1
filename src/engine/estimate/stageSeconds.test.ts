import assert from 'node:assert/strict';
import { CALIBRATION } from '../hardware/calibration.generated';
import { buildModel } from '../model/architecture';
import { emptySizes } from '../model/sizes';
import { LLAMA_TRAITS } from '../model/traits';
import { layerParameters } from '../model/parameters';
import { completeSetup } from '../plan/complete';
import type { ReadyPlan } from '../plan/ready';
import { emptyCluster, SetupBuilder, emptySetup } from '../setup/setup';
import { OUT, TIME_PARTS, type TimePart } from './output';
import { prepare } from './prepare';
import { evaluate } from './step';

const SIZES = {
  ...emptySizes(),
  layers: 8,
  hidden: 4096,
  ffn: 14336,
  heads: 32,
  kvHeads: 8,
  headDim: 128,
  vocab: 32000,
  tied: false,
  gatedMlp: true,
};

function secondsOf(plan: Partial<ReadyPlan>, gpu = 'a100-80', gpus = 1, sizes = SIZES): Record<TimePart, number> {
  const model = buildModel(sizes, LLAMA_TRAITS);
  assert.ok(model !== null);
  const builder = new SetupBuilder(emptySetup());
  Object.assign(builder.cluster, emptyCluster(), { gpu, gpus });
  Object.assign(builder.plan, { seqLen: 4096, microBatch: 4, globalBatch: 4 * gpus, ...plan });
  const setup = completeSetup(builder.build());
  const out = new Float64Array(OUT.length);
  evaluate(prepare(model, setup.cluster), setup.plan as unknown as ReadyPlan, out);
  return Object.fromEntries(TIME_PARTS.map((part, i) => [part, out[OUT.parts + i]])) as Record<TimePart, number>;
}

const near = (value: number, expected: number) =>
  assert.ok(Math.abs(value / expected - 1) < 1e-6, `${value} ${expected}`);

describe('adapters', () => {
  const group = buildModel(SIZES, LLAMA_TRAITS)?.groups[0];
  assert.ok(group !== undefined);
  const { attention, feedForward, norms } = layerParameters(SIZES.hidden, group.layer);
  const weights = 8 * (attention + feedForward + norms);
  const bandwidth = 2.039e12 * CALIBRATION.common.memoryShare;

  it('on 4-bit weights restore these once for the forward and once for the backward pass, 8 bytes each', () => {
    const [lora, qlora] = [secondsOf({ adapter: 'lora' }), secondsOf({ adapter: 'qlora' })];
    near(qlora.forward - lora.forward, (8 * weights) / bandwidth);
    near(qlora.backward - lora.backward, (8 * weights) / bandwidth);
  });

  it('read, write, scale and add beside every product: 7 bytes for each element of its input and result, again under recomputation', () => {
    const { hidden, ffn } = SIZES;
    const query = hidden + 32 * 128;
    const key = hidden + 8 * 128;
    const width = 8 * (2 * query + 2 * key + 3 * (hidden + ffn));
    const plan = { adapter: 'lora', recompute: 'full', attention: 'flash' } as const;
    const one = secondsOf({ ...plan, sharding: 'none' });
    const frozen = secondsOf({ ...plan, adapter: 'none', sharding: 'none' });
    near(one.forward - frozen.forward, (7 * width * 16384) / bandwidth);
    near(one.recompute - frozen.recompute, (7 * width * 16384) / bandwidth);
  });

  it('repeat that under recomputation', () => {
    const [lora, qlora] = (['lora', 'qlora'] as const).map(adapter => secondsOf({ adapter, recompute: 'full' }));
    near(qlora.recompute - lora.recompute, (8 * weights) / bandwidth);
  });

  it('gather frozen weights twice and scatter no gradients of them: two thirds of the traffic', () => {
    const shape = { sharding: 'zero3', seqLen: 128, microBatch: 1, globalBatch: 16 } as const;
    const [trained, frozen] = [secondsOf(shape, 'l40s', 16), secondsOf({ ...shape, adapter: 'lora' }, 'l40s', 16)];
    assert.ok(frozen.dpExposed < 0.7 * trained.dpExposed, `${frozen.dpExposed} ${trained.dpExposed}`);
  });
});

describe('a host that is slower than the device', () => {
  it('bounds a layer’s passes together: one that runs ahead in the forward pass lends its lead to the backward pass', () => {
    // 8 layers of 15 kernels, forward and 1.6 times as many backward, at one token: the device has nothing to do.
    const { launchSeconds } = CALIBRATION.common;
    const small = { ...SIZES, hidden: 256, ffn: 512, heads: 4, kvHeads: 4, headDim: 64, vocab: 512 };
    const shape = { seqLen: 16, microBatch: 1, globalBatch: 1 };
    const { forward, backward, launch } = secondsOf(shape, 'a100-80', 1, small);
    const host = 8 * 15 * 2.6 * launchSeconds;
    assert.ok(forward + backward + launch >= host * 0.999);
    assert.ok(forward + backward + launch < host * 1.01);
  });

  it('launches nothing where the step is a CUDA graph', () => {
    const shape = { seqLen: 16, microBatch: 1, globalBatch: 1 };
    const [eager, graph] = [secondsOf(shape), secondsOf({ ...shape, kernels: 'cuda-graphs' })];
    assert.ok(eager.launch > 0);
    assert.equal(graph.launch, 0);
    assert.equal(graph.forward, eager.forward);
  });
});

describe('full memory', () => {
  it('costs an old allocator retries by layer and micro-batch, whatever these compute', () => {
    const shape = { stack: 'llm-foundry-2023q1', seqLen: 8192, globalBatch: 64 } as const;
    const [free, full] = [1, 16].map(microBatch => secondsOf({ ...shape, microBatch: microBatch }, 'a100-80'));
    const modern = secondsOf({ ...shape, stack: 'llm-foundry-2023q4', microBatch: 16 }, 'a100-80');
    assert.ok(free.host < 64 * 0.01 + 0.1);
    // Over the capacity: 1.5³ failures a layer and micro-batch.
    near(full.host - modern.host, 4 * 8 * 1.5 ** 3 * CALIBRATION.common.retrySeconds + hostDifference());
  });
});

/** What the two stacks' loops differ by beside the retries: their fitted host factors. */
function hostDifference(): number {
  const { stacks, common } = CALIBRATION;
  return 4 * common.microBatchSeconds * (stacks['llm-foundry-2023q1'].hostFactor - stacks['llm-foundry'].hostFactor);
}

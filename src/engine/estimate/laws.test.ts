import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ACCELERATORS } from '../hardware/accelerators';
import { CALIBRATION } from '../hardware/calibration.generated';
import type { Calibration, CommonConstants, DeviceConstants } from '../hardware/constants';
import { buildModel, type Model } from '../model/architecture';
import { emptySizes } from '../model/sizes';
import { LLAMA_TRAITS } from '../model/traits';
import { completeSetup } from '../plan/complete';
import { emptyPlan, type Plan } from '../plan/keys';
import { isReady, type ReadyPlan } from '../plan/ready';
import { type Cluster, emptyCluster, emptySetup } from '../setup/setup';
import { offloadsWeights } from './hostMemory';
import { memoryEstimate } from './memoryEstimate';
import { OUT, TIME_PARTS } from './output';
import { prepare } from './prepare';
import { memoryByStage } from './stageMemory';
import { evaluate } from './step';

const SIZES = {
  ...emptySizes(),
  layers: 16,
  hidden: 2048,
  ffn: 8192,
  heads: 32,
  kvHeads: 8,
  headDim: 64,
  vocab: 128256,
  tied: false,
  gatedMlp: true,
};

function model(experts: number): Model {
  const built = buildModel(
    { ...SIZES, experts: experts === 0 ? null : experts, topK: 2, expertFfn: 1024, sharedExperts: 0 },
    LLAMA_TRAITS,
  );
  assert.ok(built !== null);
  return built;
}

const GPUS = Object.keys(ACCELERATORS);

/** Any plan that divides the model above. */
const plans = fc
  .record({
    dp: fc.constantFrom(1, 2, 4, 8, 32),
    tp: fc.constantFrom(1, 2, 4, 8),
    sp: fc.boolean(),
    cp: fc.constantFrom(1, 2, 4),
    pp: fc.constantFrom(1, 2, 4, 8),
    vpp: fc.constantFrom(1, 2),
    microBatch: fc.constantFrom(1, 2, 4),
    m: fc.constantFrom(1, 2, 3, 8, 16),
    seqLen: fc.constantFrom(512, 4096, 32768),
    sharding: fc.constantFrom('none', 'zero1', 'zero2', 'zero3', 'hsdp'),
    recompute: fc.constantFrom('none', 'selective', 'full'),
    attention: fc.constantFrom('flash', 'unfused'),
    dtype: fc.constantFrom('bf16', 'fp8', 'fp32'),
    optimizer: fc.constantFrom('adamw', 'sgd', 'muon', 'adamw8bit'),
    offload: fc.constantFrom('none', 'optimizer', 'params', 'optimizer+params'),
    adapter: fc.constantFrom('none', 'lora', 'qlora'),
    compiled: fc.boolean(),
    stack: fc.constantFrom('picotron', 'torchtitan', 'megatron-core', 'nemo-25.07', 'megatron-deepspeed-2023', null),
  })
  .map(({ m, ...keys }): ReadyPlan => {
    const vpp = keys.pp === 1 ? 1 : keys.vpp;
    const schedule = keys.pp === 1 ? 'none' : vpp > 1 ? 'interleaved-1f1b' : '1f1b';
    const plan = { ...emptyPlan(), ...keys, vpp, ep: 1, etp: 1, schedule, globalBatch: m * keys.microBatch * keys.dp };
    assert.ok(isReady(plan as Plan));
    return plan as unknown as ReadyPlan;
  });

const devices = fc.constantFrom(...GPUS);

function clusterOf(gpu: string, plan: ReadyPlan, change: Partial<Cluster> = {}): Cluster {
  const gpus = plan.dp * plan.tp * plan.cp * plan.pp;
  const setup = completeSetup({ ...emptySetup(), cluster: { ...emptyCluster(), gpu, gpus } });
  return { ...setup.cluster, ...change };
}

function step(plan: ReadyPlan, cluster: Cluster, experts = 0): Float64Array {
  const out = new Float64Array(OUT.length);
  evaluate(prepare(model(experts), cluster), plan, out);
  return out;
}

type Constant = readonly ['devices', keyof DeviceConstants] | readonly ['common', keyof CommonConstants];

/** Shares of datasheet rates, efficiencies, and shares that hide. */
const RATES: readonly string[] = [
  ...['matmulCeiling', 'flashEfficiency', 'linkShare', 'fp8Share'].map(key => `devices.${key}`),
  ...['memoryShare', 'networkShare', 'cudnnShare', 'unfusedAttentionShare', 'fsdpOverlap', 'dataParallelOverlap'].map(
    key => `common.${key}`,
  ),
];

/** Bytes, latencies and seconds. */
const COSTS: readonly string[] = [
  'devices.halfK',
  ...[
    'pointwisePasses',
    'unfusedNormBytes',
    'softmaxPasses',
    'lossPasses',
    'castPasses',
    'linkLatencySeconds',
    'linkHopSeconds',
    'networkLatencySeconds',
    'ringHopSeconds',
    'launchSeconds',
    'checkpointSeconds',
    'microBatchSeconds',
    'stepSeconds',
    'optimizerBytes',
    'accumulationPasses',
    'tensorExposed',
    'contextExposed',
    'dispatchPasses',
    'p2pShare',
    'stragglerPerDoubling',
    'retrySeconds',
  ].map(key => `common.${key}`),
];

/** The calibration with one constant larger, for every device. */
function scaled(name: string, factor: number): Calibration {
  const [kind, key] = name.split('.') as unknown as Constant;
  if (kind === 'common')
    return { ...CALIBRATION, common: { ...CALIBRATION.common, [key]: CALIBRATION.common[key] * factor } };
  const devices = Object.entries(CALIBRATION.devices).map(([id, constants]) => [
    id,
    { ...constants, [key]: constants[key] * factor },
  ]);
  return { ...CALIBRATION, devices: Object.fromEntries(devices) as Calibration['devices'] };
}

function secondsOf(plan: ReadyPlan, cluster: Cluster, calibration: Calibration, experts: number): number {
  const out = new Float64Array(OUT.length);
  evaluate(prepare(model(experts), cluster, calibration), plan, out);
  return out[OUT.stepSeconds];
}

describe('laws of an evaluation', () => {
  it('gives finite parts that are not negative and add up to the step, on every device', () => {
    fc.assert(
      fc.property(plans, devices, (plan, gpu) => {
        const out = step(plan, clusterOf(gpu, plan));
        let sum = 0;
        for (let i = 0; i < TIME_PARTS.length; i++) {
          const part = out[OUT.parts + i];
          assert.ok(Number.isFinite(part) && part >= -1e-12, `${TIME_PARTS[i]} ${part}`);
          sum += part;
        }
        const total = out[OUT.stepSeconds];
        assert.ok(total > 0 && Math.abs(sum - total) <= 1e-9 * total);
        assert.ok(out[OUT.bubbleFraction] >= 0 && out[OUT.bubbleFraction] < 1);
      }),
    );
  });

  it('never slows down with a faster network', () => {
    fc.assert(
      fc.property(plans, devices, fc.double({ min: 1, max: 16, noNaN: true }), (plan, gpu, factor) => {
        const slow = clusterOf(gpu, plan);
        const nic = slow.nicBytesPerSecond ?? 3e9;
        const fast = { ...slow, nicBytesPerSecond: nic * factor };
        assert.ok(
          step(plan, fast)[OUT.stepSeconds] <=
            step(plan, { ...slow, nicBytesPerSecond: nic })[OUT.stepSeconds] * (1 + 1e-12),
        );
      }),
    );
  });

  it('never slows down with a faster device: no constant that is a rate or a share of one makes a step longer', () => {
    fc.assert(
      fc.property(plans, devices, fc.constantFrom(...RATES), fc.constantFrom(0, 8), (plan, gpu, rate, experts) => {
        const cluster = clusterOf(gpu, plan);
        const slow = secondsOf(plan, cluster, CALIBRATION, experts);
        const slack = plan.pp === 1 ? 1e-9 : 1e-2;
        assert.ok(secondsOf(plan, cluster, scaled(rate, 1.2), experts) <= slow * (1 + slack), rate);
      }),
      { numRuns: 300 },
    );
  });

  it('never speeds up with a slower kernel, message, host or node', () => {
    fc.assert(
      fc.property(plans, devices, fc.constantFrom(...COSTS), fc.constantFrom(0, 8), (plan, gpu, cost, experts) => {
        const cluster = clusterOf(gpu, plan);
        const fast = secondsOf(plan, cluster, CALIBRATION, experts);
        // What a layer waits for the host counts to both passes; a pipeline's longest path may hold more of one.
        const slack = plan.pp === 1 ? 1e-9 : 1e-2;
        assert.ok(secondsOf(plan, cluster, scaled(cost, 1.2), experts) >= fast * (1 - slack), cost);
      }),
      { numRuns: 300 },
    );
  });

  it('never speeds up by offloading, nor by disks in place of the host’s memory', () => {
    fc.assert(
      fc.property(plans, devices, (plan, gpu) => {
        const cluster = clusterOf(gpu, plan);
        const seconds = (change: Partial<ReadyPlan>) => step({ ...plan, ...change }, cluster)[OUT.stepSeconds];
        const here = seconds({ offload: 'none' });
        const host = seconds({ offloadDevice: 'cpu' });
        assert.ok(here <= host * (1 + 1e-12) && host <= seconds({ offloadDevice: 'nvme' }) * (1 + 1e-12));
      }),
    );
  });

  it('has no cliffs: neighbours in batch, sequence and degrees differ by what their work differs by', () => {
    fc.assert(
      fc.property(plans, fc.constantFrom('a100-80', 'h100-sxm', 'b200', 'mi300x'), (plan, gpu) => {
        const seconds = (change: Partial<ReadyPlan>) => {
          const changed = { ...plan, seqLen: 4096, ...change };
          return step(changed, clusterOf(gpu, changed))[OUT.stepSeconds];
        };
        const here = seconds({});
        // 3 % more tokens: a wave of tiles at most.
        const longer = seconds({ seqLen: 4224 }) / here;
        assert.ok(longer > 0.99 && longer < 1.25, `sequence ${longer}`);
        // Half as many micro-batches of twice the size: the same work, more bubble, fewer launches.
        const m = plan.globalBatch / (plan.microBatch * plan.dp);
        if (m % 2 === 0) {
          const coarser = seconds({ microBatch: 2 * plan.microBatch }) / here;
          assert.ok(coarser > 0.45 && coarser < 2.05, `micro-batch ${coarser}`);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('takes longer for more micro-batches, and at most twice as long for twice as many', () => {
    fc.assert(
      fc.property(plans, devices, (plan, gpu) => {
        // A pipeline's gathers of sharded weights hide better under more micro-batches.
        fc.pre(plan.pp === 1 || (plan.sharding !== 'zero3' && plan.sharding !== 'hsdp' && !offloadsWeights(plan)));
        const cluster = clusterOf(gpu, plan);
        const once = step(plan, cluster)[OUT.stepSeconds];
        const twice = step({ ...plan, globalBatch: 2 * plan.globalBatch }, cluster)[OUT.stepSeconds];
        // Where one micro-batch becomes two, gradients begin to be accumulated.
        assert.ok(twice >= once * (1 - 1e-12));
        assert.ok(twice <= 2.2 * once);
      }),
    );
  });

  it('keeps fewer activations under recomputation', () => {
    fc.assert(
      fc.property(plans, plan => {
        const tables = prepare(model(0), clusterOf('h100-sxm', plan));
        const kept = (['full', 'selective', 'none'] as const).map(
          recompute => memoryByStage(tables, { ...plan, recompute })[0].activations,
        );
        assert.ok(kept[1] <= kept[2] * (1 + 1e-12));
        // A repeated layer also works on what it makes again; with a few layers in flight that may be all there is.
        if (plan.pp === 1 || plan.dp > 1) assert.ok(kept[0] <= kept[2] * 1.35);
      }),
    );
  });

  it('adds the parts of memory up, and agrees with the evaluation', () => {
    fc.assert(
      fc.property(plans, devices, (plan, gpu) => {
        const cluster = clusterOf(gpu, plan);
        const tables = prepare(model(0), cluster);
        const stages = memoryByStage(tables, plan);
        for (const s of stages) {
          const sum = s.weights + s.gradients + s.optimizer + s.activations + s.buffers + s.overhead;
          assert.ok(Math.abs(sum - s.total) <= 1e-9 * s.total);
        }
        const { peakBytes, allocatedBytes, reservedBytes } = memoryEstimate(tables, plan, cluster.capacityBytes);
        assert.ok(allocatedBytes <= reservedBytes && reservedBytes <= peakBytes);
        const out = step(plan, cluster);
        assert.ok(Math.abs(out[OUT.peakBytes] - Math.max(...stages.map(({ total }) => total))) <= 1e-6 * peakBytes);
      }),
    );
  });

  it('holds fewer states per rank the more they are sharded', () => {
    fc.assert(
      fc.property(plans, plan => {
        const tables = prepare(model(0), clusterOf('a100-80', plan));
        const states = (['none', 'zero1', 'zero2', 'zero3'] as const).map(sharding => {
          const { weights, gradients, optimizer } = memoryByStage(tables, { ...plan, sharding, shardSize: null })[0];
          return weights + gradients + optimizer;
        });
        for (let i = 1; i < states.length; i++) assert.ok(states[i] <= states[i - 1] * (1 + 1e-12));
      }),
    );
  });

  it('routes experts to more ranks without changing the work of one', () => {
    const base = {
      ...emptyPlan(),
      sp: false,
      cp: 1,
      pp: 1,
      vpp: 1,
      etp: 1,
      microBatch: 1,
      globalBatch: 64,
      seqLen: 4096,
    };
    const plan = {
      ...base,
      dp: 8,
      tp: 1,
      ep: 8,
      sharding: 'zero1',
      dtype: 'bf16',
      optimizer: 'adamw',
    } as unknown as ReadyPlan;
    const ready = {
      ...plan,
      recompute: 'none',
      attention: 'flash',
      offload: 'none',
      adapter: 'none',
      schedule: 'none',
    } as ReadyPlan;
    const spread = step(ready, clusterOf('h100-sxm', ready), 8);
    const alone = step({ ...ready, ep: 1 }, clusterOf('h100-sxm', ready), 8);
    const ep = OUT.parts + TIME_PARTS.indexOf('epExposed');
    assert.ok(spread[ep] > 0 && alone[ep] === 0);
  });
});

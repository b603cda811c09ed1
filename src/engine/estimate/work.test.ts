import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Layer } from '../model/layer';
import { matmulBytes, matmulFlops, savedBytes, type Workload } from '../model/operator';
import { layerOperators } from '../model/operators';
import { matmulSeconds, matmulWork } from './matmul';
import { allReduceSeconds, allToAllSeconds, gatherSeconds, placeGroup, type Rates } from './network';

const GPT3_LAYER: Layer = {
  mixer: {
    kind: 'attention',
    heads: 96,
    kvHeads: 96,
    headDim: 128,
    qkvBias: true,
    outBias: true,
    qkNorm: 'none',
    sinks: false,
    window: null,
  },
  feedForward: { kind: 'mlp', width: 49152, gated: false, bias: true },
  norm: 'layer',
  norms: 2,
  extra: [],
};

const WORK: Workload = {
  microBatch: 1,
  seqLen: 2048,
  tp: 1,
  sp: false,
  cp: 1,
  ep: 1,
  etp: 1,
  flash: false,
  expertImbalance: 1,
};

describe('activations of a layer', () => {
  const [s, h, a] = [2048, 12288, 96];

  it('are sbh(34 + 5as/h) without the 2 of dropout masks (Korthikanti et al. 2205.05198, equation 1)', () => {
    const bytes = savedBytes(layerOperators(h, GPT3_LAYER, WORK), 'none');
    assert.ok(Math.abs(bytes - s * h * (32 + (5 * a * s) / h)) <= 1e-9 * bytes);
  });

  it('lose the scores under selective recomputation (section 5)', () => {
    const bytes = savedBytes(layerOperators(h, GPT3_LAYER, WORK), 'selective');
    assert.equal(bytes, s * h * 32);
  });

  it('divide by tp with sequence parallelism (equation 4)', () => {
    const whole = savedBytes(layerOperators(h, GPT3_LAYER, WORK), 'selective');
    const split = savedBytes(layerOperators(h, GPT3_LAYER, { ...WORK, tp: 8, sp: true }), 'selective');
    assert.ok(Math.abs(split - whole / 8) <= 1e-9 * whole);
  });
});

describe('matrix products', () => {
  it('have the intensity BDF/(BD + DF + BF) (scaling book, roofline)', () => {
    const [B, D, F] = [512, 4096, 8192];
    const shape = { m: B, n: F, k: D, batch: 1 };
    const intensity = matmulFlops(shape) / matmulBytes(shape);
    assert.ok(Math.abs(intensity - (B * D * F) / (B * D + D * F + B * F)) < 1e-9);
  });

  it('never beat the device, nor its memory', () => {
    const size = fc.integer({ min: 1, max: 20_000 });
    const rate = { flopsPerSecond: 7e14, halfK: 250, memoryBytesPerSecond: 2.7e12, alignment: 0.9 };
    fc.assert(
      fc.property(size, size, size, fc.integer({ min: 1, max: 16 }), (m, n, k, batch) => {
        const work = matmulWork({ m, n, k, batch }, 132);
        const seconds = matmulSeconds(work, rate);
        assert.ok(seconds >= work.flops / 7e14 && seconds >= work.bytes / 2.7e12);
        assert.ok(Number.isFinite(seconds));
      }),
    );
  });

  it('fills waves: one tile more than the SMs takes nearly twice as long', () => {
    const rate = { flopsPerSecond: 7e14, halfK: 1, memoryBytesPerSecond: 1e15, alignment: 1 };
    const seconds = (m: number) => matmulSeconds(matmulWork({ m, n: 256, k: 255, batch: 1 }, 132), rate);
    assert.ok(seconds(133 * 128) / seconds(132 * 128) > 1.4);
  });
});

describe('collectives', () => {
  const rates: Rates = {
    linkBytesPerSecond: 450e9,
    networkBytesPerSecond: 50e9,
    linkLatencySeconds: 0,
    linkHopSeconds: 0,
    networkLatencySeconds: 0,
    ringHopSeconds: 0,
    directPeers: 0,
  };

  it('cost (n−1)/n·S/B for a gather, twice that for an all-reduce (Thakur et al. 2005)', () => {
    const group = placeGroup(8, 8, 1);
    assert.ok(Math.abs(gatherSeconds(group, rates, 8e9) - (7 / 8) * (8e9 / 450e9)) < 1e-12);
    assert.equal(allReduceSeconds(group, rates, 8e9), 2 * gatherSeconds(group, rates, 8e9));
  });

  it('gather bf16[1024, 16384] on 8 H100 in 65.2 µs (scaling book, GPU chapter)', () => {
    assert.ok(Math.abs(gatherSeconds(placeGroup(8, 8, 1), rates, 2 * 1024 * 16384) - 65.2e-6) < 0.1e-6);
  });

  it('use the network cards of all local members', () => {
    const group = placeGroup(8, 16, 1);
    assert.deepEqual(group, { ranks: 16, local: 8, crossesNodes: true });
    assert.ok(Math.abs(gatherSeconds(group, rates, 16e9) - (15 / 16) * (16e9 / 400e9)) < 1e-12);
  });

  it('send a row once to each node where the kernels do', () => {
    const group = placeGroup(8, 64, 1);
    const plain = allToAllSeconds(group, rates, 4096, 8, 14336, false);
    assert.ok(allToAllSeconds(group, rates, 4096, 8, 14336, true) < plain);
  });
});

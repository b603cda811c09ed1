/** What an estimate says of a setup and what it leaves open: Llama 3 8B (arXiv 2407.21783, table 3) on H100s. */
import assert from 'node:assert/strict';
import { LLAMA_8B } from '../../../test/fixtures/llama8b';
import { emptySizes } from '../model/sizes';
import { LLAMA_TRAITS } from '../model/traits';
import { emptyPlan, type Plan } from '../plan/keys';
import { emptyCluster, emptySetup, type TrainingSetup } from '../setup/setup';
import { estimate } from './estimate';
import { HIDDEN_PARTS, TIME_PARTS } from './output';

const PLAN = { dp: 8, tp: 1, cp: 1, pp: 1, microBatch: 1, globalBatch: 16, seqLen: 4096, sp: false } as const;
/** Dense bf16 (NVIDIA H100 datasheet, SXM). */
const PEAK = 989.4e12;

function setupOf(plan: Partial<Plan> = {}, cluster: Partial<Cluster> = {}): TrainingSetup {
  return {
    ...emptySetup(),
    sizes: { ...emptySizes(), ...LLAMA_8B },
    traits: LLAMA_TRAITS,
    plan: { ...emptyPlan(), ...PLAN, sharding: 'zero3', ...plan },
    cluster: { ...emptyCluster(), gpu: 'h100-sxm', gpus: 8, gpusPerNode: 8, nodes: 1, ...cluster },
  };
}

const quick = (setup: TrainingSetup) => estimate(setup, [], null);
const unknownKeys = (setup: TrainingSetup) =>
  quick(setup).problems.flatMap(({ code, args }) => (code === 'value-unknown' ? [args.key] : []));

type Cluster = TrainingSetup['cluster'];

describe('an estimate', () => {
  it('tells tokens and FLOPs of one step of all GPUs', () => {
    const { throughput, time, hidden, bounds, pipeline, parameters } = quick(setupOf());
    assert.ok(throughput !== null && time !== null && hidden !== null && bounds !== null && pipeline !== null);
    assert.equal(parameters?.total, 8_030_261_248);
    const { stepSeconds, tokensPerSecondPerGpu, modelFlopsPerSecondPerGpu: rate, mfu, hfu } = throughput;
    assert.ok(Math.abs((tokensPerSecondPerGpu * stepSeconds * 8) / (16 * 4096) - 1) < 1e-12);
    // PaLM, appendix B: 6 N and 12 L H Q T a token, of the parameters without the table of the input.
    const perToken = rate / tokensPerSecondPerGpu;
    const matrices = 8_030_261_248 - 128256 * 4096;
    assert.ok(perToken > 6 * matrices && perToken < 6.1 * matrices + 12 * 32 * 4096 * 4096, String(perToken));
    assert.ok(Math.abs(mfu / (rate / PEAK) - 1) < 1e-3);
    assert.equal(hfu, mfu);
    assert.deepEqual(Object.keys(time), [...TIME_PARTS]);
    assert.deepEqual(Object.keys(hidden), [...HIDDEN_PARTS]);
    const parts = Object.values(time).reduce((sum, seconds) => sum + seconds, 0);
    assert.ok(Math.abs(parts / stepSeconds - 1) < 1e-9);
    assert.ok(bounds.lowerSeconds < stepSeconds && stepSeconds < bounds.upperSeconds);
    assert.ok(Math.abs((bounds.lowerSeconds * bounds.upperSeconds) / stepSeconds ** 2 - 1) < 1e-9);
    assert.ok(bounds.coverage > 0.5 && bounds.coverage < 1);
    assert.deepEqual([pipeline.stages, pipeline.microBatches, pipeline.bubbleFraction], [1, 2, 0]);
  });

  it('counts a forward more where all is recomputed: at most 4/3 (Korthikanti et al. 2205.05198, section 5)', () => {
    const { throughput } = quick(setupOf({ recompute: 'full' }));
    assert.ok(throughput !== null);
    const repeated = (throughput.hfu ?? 0) / (throughput.mfu ?? 1);
    assert.ok(repeated > 1.25 && repeated <= 4 / 3 + 1e-9, String(repeated));
  });

  it('takes FP8 for both of the peaks that are published, of which one is twice the other', () => {
    const { mfus } = quick(setupOf({ dtype: 'fp8', stack: 'transformer-engine' }));
    const of = (peak: string) => mfus.filter(one => one.peak === peak);
    assert.ok(of('bf16').length > 0 && of('fp8').length === of('bf16').length);
    for (const [i, { mfu, convention }] of of('fp8').entries()) {
      assert.equal(convention, of('bf16')[i].convention);
      assert.ok(Math.abs(of('bf16')[i].mfu / mfu - 2) < 0.01);
    }
    assert.deepEqual([...new Set(quick(setupOf()).mfus.map(({ peak }) => peak))], ['bf16']);
  });

  it('gives the bubble of 1F1B: (p − 1) of m + p − 1 (Narayanan et al. 2104.04473), of stages that differ by little', () => {
    const { pipeline } = quick(setupOf({ dp: 2, pp: 4, globalBatch: 32, schedule: '1f1b', sharding: 'none' }));
    assert.deepEqual([pipeline?.stages, pipeline?.microBatches, pipeline?.schedule], [4, 16, '1f1b']);
    assert.equal(pipeline?.stageSeconds?.forward.length, 4);
    assert.ok((pipeline?.bubbleFraction ?? 0) > 3 / 19 - 1e-9);
  });

  it('is no estimate of a model that is not known, and asks for its sizes', () => {
    const none = { ...setupOf(), sizes: emptySizes() };
    const { parameters, states, memory, throughput, time, evidence, assumptions } = quick(none);
    assert.deepEqual([parameters, states, memory, throughput, time, evidence], [null, null, null, null, null, 'none']);
    assert.deepEqual(assumptions, []);
    const asked = unknownKeys(none);
    for (const key of ['model.layers', 'model.hidden', 'model.vocab']) assert.ok(asked.includes(key), key);
  });

  it('is without time where the cluster is open, and says what is', () => {
    const noGpu = quick(setupOf({}, { gpu: null }));
    assert.ok(noGpu.memory !== null && noGpu.throughput === null && noGpu.time === null && noGpu.pipeline === null);
    assert.equal(noGpu.memory.capacityBytes, null);
    const open = (cluster: Partial<Cluster>, plan: Partial<Plan> = {}) =>
      quick(setupOf(plan, cluster)).problems.flatMap(({ code, args }) =>
        code === 'cluster-unknown' ? [args.what] : [],
      );
    assert.deepEqual(open({ gpu: null }), ['gpu']);
    assert.deepEqual(open({ gpus: null, nodes: null, gpusPerNode: null }, { dp: null }), ['gpus']);
    assert.deepEqual(open({}), []);
  });

  it('asks for what the plan leaves open: dp only where the number of GPUs gives it a meaning', () => {
    assert.deepEqual(unknownKeys(setupOf({ seqLen: null })), ['plan.seqLen']);
    assert.deepEqual(unknownKeys(setupOf()), []);
    const noGpus = setupOf({ dp: null }, { gpus: null, nodes: null, gpusPerNode: null });
    assert.ok(!unknownKeys(noGpus).includes('plan.dp'));
  });

  it('stops at a plan that cannot run, and keeps what does not depend on it', () => {
    // 32 heads over 3 ranks.
    const { problems, parameters, states, memory, throughput } = quick(
      setupOf({ tp: 3, dp: 1 }, { gpus: 3, gpusPerNode: 3 }),
    );
    assert.ok(problems.some(({ code, severity }) => code === 'heads-tp' && severity === 'error'));
    assert.ok(parameters !== null && states !== null);
    assert.deepEqual([memory, throughput], [null, null]);
  });

  it('tells memory that is too much from memory that may be, by the bounds of what it needs', () => {
    const whole = quick(setupOf()).memory;
    assert.ok(whole !== null);
    const { lowerBytes, peakBytes, upperBytes } = whole;
    assert.ok(lowerBytes < peakBytes && peakBytes < upperBytes);
    const found = (capacityBytes: number) =>
      quick(setupOf({}, { capacityBytes })).problems.map(({ code, severity }) => `${code} ${severity}`);
    assert.deepEqual(found(lowerBytes - 1), ['out-of-memory error']);
    assert.deepEqual(found(lowerBytes), ['out-of-memory warning']);
    assert.deepEqual(found(peakBytes - 1), ['out-of-memory warning']);
    assert.deepEqual(found(peakBytes), ['memory-uncertain information']);
    assert.deepEqual(found(upperBytes), []);
  });

  it('places what is said of memory at the first value that the files state', () => {
    const source = (line: number) => ({ file: 'train.yaml', line, column: 1, endLine: line, endColumn: 9 });
    const fields = new Map([
      ['plan.tp', { origin: 'file', source: source(7) }],
      ['plan.pp', { origin: 'file', source: source(5) }],
    ] as const);
    const [found] = quick({ ...setupOf({}, { capacityBytes: 1e9 }), fields }).problems;
    assert.deepEqual([found.code, found.source?.line], ['out-of-memory', 5]);
    assert.equal(quick(setupOf({}, { capacityBytes: 1e9 })).problems[0].source, null);
  });

  it('says what it has assumed', () => {
    const said = (setup: TrainingSetup) => quick(setup).assumptions.map(({ code }) => code);
    const one: readonly string[] = said(setupOf());
    for (const code of ['defaults', 'causal-flash', 'allocator', 'capacity', 'constants-fitted'])
      assert.ok(one.includes(code), code);
    assert.ok(!one.includes('network-default') && !one.includes('constants-assumed'));
    assert.ok(said(setupOf({ dp: 16 }, { gpus: 16, nodes: 2 })).includes('network-default'));
    const given = setupOf({ dp: 16 }, { gpus: 16, nodes: 2, nicBytesPerSecond: 5e10 });
    assert.ok(!said(given).includes('network-default'));
    assert.ok(!said(setupOf({ attention: 'unfused' })).includes('causal-flash'));
    assert.ok(!said(setupOf({}, { gpu: null })).includes('capacity'));
    // No published run of picotron is among those that the constants are fitted to.
    assert.ok(said(setupOf({ stack: 'picotron' })).includes('stack-assumed'));
  });

  it('stands beside published runs of the same architecture, where it is asked for them', () => {
    const { evidence } = estimate(setupOf());
    assert.ok(evidence !== 'none');
    assert.deepEqual([evidence.architecture, evidence.runs.length], ['hopper', 3]);
    assert.equal(quick(setupOf()).evidence, 'none');
    assert.equal(estimate(setupOf({}, { gpu: null })).evidence, 'none');
  });

  it('knows the bytes of a model’s states: 2, 2 and 12 of bf16 under AdamW with fp32 masters (ZeRO 1910.02054, section 3.1)', () => {
    const { states } = quick(setupOf({ gradDtype: 'bf16', dtype: 'bf16', optimizer: 'adamw' }));
    assert.ok(states !== null);
    const { weights, gradients, optimizer } = states;
    const total = 8_030_261_248;
    assert.deepEqual([weights / total, gradients / total, optimizer / total], [2, 2, 12]);
    assert.ok((states.activationPerToken ?? 0) > 32 * 4096);
  });
});

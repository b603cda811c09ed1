import assert from 'node:assert/strict';
import { preparedPlan } from '../../../test/fixtures/llama8b';
import { OUT, TIME_PARTS } from './output';
import { roofline, type RooflineOperator } from './roofline';
import { evaluate } from './step';
import { traffic } from './traffic';

function parts({ tables, plan }: ReturnType<typeof preparedPlan>): Record<string, number> {
  const out = new Float64Array(OUT.length);
  evaluate(tables, plan, out);
  return Object.fromEntries(TIME_PARTS.map((part, i) => [part, out[OUT.parts + i]]));
}

describe('the roofline of a plan', () => {
  it('has the shapes of Llama 3 8B: qkv 4096 × 6144, out 4096², mlp 4096 × 28672 and 14336 × 4096', () => {
    const { tables, plan } = preparedPlan({});
    const found = roofline(tables, plan);
    const flops = (name: string) => found?.operators.find(operator => operator.name === name)?.flops;
    assert.equal(flops('qkv'), 2 * 4096 * 4096 * 6144);
    assert.equal(flops('attention out'), 2 * 4096 * 4096 * 4096);
    assert.equal(flops('mlp in'), 2 * 4096 * 4096 * 28672);
    assert.equal(flops('mlp out'), 2 * 4096 * 4096 * 14336);
    const bytes = found?.operators.find(({ name }) => name === 'mlp out')?.bytes;
    assert.equal(bytes, 2 * (4096 * 14336 + 14336 * 4096 + 4096 * 4096));
    // NVIDIA H100 SXM datasheet: 989.4e12 dense in BF16, 3.35e12 bytes/s.
    assert.ok(Math.abs((found?.ridge ?? 0) - 989.4 / 3.35) < 1);
  });

  it('adds up to the forward and backward time of the step', () => {
    for (const changes of [{}, { tp: 4, sp: true }, { attention: 'unfused' as const }, { pp: 2, globalBatch: 4 }]) {
      const setup = preparedPlan(changes);
      const found = roofline(setup.tables, setup.plan);
      assert.ok(found !== null);
      const { globalBatch, microBatch, pp } = setup.plan;
      const m = globalBatch / microBatch;
      const sum = (seconds: (operator: RooflineOperator) => number) =>
        m * found.operators.reduce((all, operator) => all + operator.count * seconds(operator), 0);
      const time = parts(setup);
      // The embedding and the accumulation of gradients are no operators of a layer.
      const [forward, backward] = [sum(operator => operator.seconds), sum(operator => operator.backwardSeconds)];
      const slack = pp === 1 ? 0.01 : 1e-9;
      assert.ok(forward <= time['forward'] * (1 + 1e-9) && forward > time['forward'] * (1 - slack), `${forward}`);
      assert.ok(backward <= time['backward'] && backward > time['backward'] * 0.95, `${backward} ${time['backward']}`);
    }
  });

  it('never lies above the roof', () => {
    const { tables, plan } = preparedPlan({ tp: 8, sp: true });
    const found = roofline(tables, plan);
    assert.ok(found !== null);
    for (const { flops, bytes, seconds, name } of found.operators) {
      const roof = Math.min(found.peakFlopsPerSecond, (flops / bytes) * found.memoryBytesPerSecond);
      assert.ok(flops / seconds <= roof, name);
    }
  });
});

describe('the traffic of a plan', () => {
  const axis = (setup: ReturnType<typeof preparedPlan>, name: string) =>
    traffic(setup.tables, setup.plan)?.axes.find(found => found.axis === name);

  it('of tensor parallelism: four all-reduces a layer of b·s·h in 16 bits (arXiv 1909.08053, section 3)', () => {
    const setup = preparedPlan({ tp: 4, globalBatch: 2, pp: 1 });
    const tensor = 2 * 4096 * 4096;
    const ring = (2 * 3) / 4;
    // And one of the embedding's output.
    assert.equal(axis(setup, 'tp')?.linkBytes, 2 * ring * tensor * (4 * 32 + 1));
    assert.equal(axis(setup, 'tp')?.networkBytes, 0);
  });

  it('of ZeRO-1: gradients scattered and weights gathered, (n − 1)/n of each (arXiv 1910.02054, section 7)', () => {
    const setup = preparedPlan({ dp: 8, globalBatch: 8, sharding: 'zero1', gradDtype: 'bf16' });
    assert.equal(axis(setup, 'dp')?.linkBytes, (7 / 8) * (2 + 2) * 8_030_261_248);
  });

  it('over nodes: each NIC carries its share of the ring, and the slower link binds', () => {
    const setup = preparedPlan({ dp: 32, globalBatch: 32, sharding: 'zero1', gradDtype: 'bf16' });
    const found = axis(setup, 'dp');
    assert.ok(found !== undefined);
    assert.equal(found.networkBytes, found.linkBytes / 8);
    // 8 NICs of 50 GB/s (400 Gb/s) together are slower than one GPU's NVLink of 450 GB/s.
    assert.equal(found.binds, 'network');
    assert.equal(found.crosses, true);
  });

  it('of a pipeline: an activation forward and its gradient back for each micro-batch', () => {
    const setup = preparedPlan({ pp: 2, dp: 8, globalBatch: 32 });
    assert.equal(axis(setup, 'pp')?.networkBytes, 4 * 2 * (2 * 4096 * 4096));
  });
});

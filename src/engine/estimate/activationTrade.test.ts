import assert from 'node:assert/strict';
import { preparedPlan } from '../../../test/fixtures/llama8b';
import type { Plan } from '../plan/keys';
import { activationTrade } from './activationTrade';
import { memoryEstimate } from './memoryEstimate';
import { roofline } from './roofline';

/** Bytes of b·s·h in 16 bits: 2 · 1 · 4096 · 4096. */
const TENSOR = 33_554_432;

function made(changes: Partial<Plan>, gpu: string | null = 'h100-sxm') {
  return preparedPlan({ dp: 8, sharding: 'zero3', ...changes }, { gpu });
}

function ways({ tables, plan }: ReturnType<typeof made>, capacityBytes: number | null = 1e12) {
  const found = activationTrade(tables, plan, capacityBytes);
  assert.ok(found !== null);
  return { ...found, ...Object.fromEntries(found.ways.map(one => [one.way, one])) } as typeof found &
    Record<'keep' | 'recompute' | 'share' | 'offload', (typeof found.ways)[number]>;
}

const near = (a: number, b: number) => assert.ok(Math.abs(a - b) <= 1e-9 * Math.abs(b), `${a} is not ${b}`);

describe('the ways of one layer’s activations to its backward pass', () => {
  it('recompute holds 2·b·s·h and takes what the operators of the layer take forward', () => {
    const setup = made({});
    const { recompute, keep } = ways(setup);
    assert.equal(recompute.heldBytes, TENSOR);
    assert.equal(recompute.linkBytes, 0);
    const operators = roofline(setup.tables, setup.plan)?.operators.filter(({ kind }) => kind === 0) ?? [];
    near(
      recompute.seconds,
      operators.reduce((sum, { seconds }) => sum + seconds, 0),
    );
    assert.deepEqual([keep.seconds, keep.linkBytes], [0, 0]);
  });

  it('recompute under tp repeats the two all-reduces of the forward pass, 2·(t − 1)/t of b·s·h each', () => {
    near(ways(made({ dp: 2, tp: 4 })).recompute.linkBytes, 2 * 2 * (3 / 4) * TENSOR);
  });

  it('share splits what tp ranks hold alike: inputs of two norms and of the two products behind them', () => {
    const setup = made({ dp: 2, tp: 4, stack: 'megatron' });
    const { keep, share } = ways(setup);
    // Korthikanti et al. (arXiv 2205.05198, section 4): what tensor parallelism alone leaves whole.
    near(share.linkBytes, 4 * TENSOR * (3 / 4));
    near(share.heldBytes, keep.heldBytes - share.linkBytes);
    // A ring of 4 on one board: 3 steps.
    const { linkLatencySeconds, linkHopSeconds, linkBytesPerSecond } = setup.tables.rates;
    near(share.seconds, linkLatencySeconds + 3 * linkHopSeconds + share.linkBytes / linkBytesPerSecond);
  });

  it('offload moves all but the input to the host and back at the rate of PCIe', () => {
    const setup = made({});
    const { keep, offload } = ways(setup);
    assert.equal(offload.linkBytes, 2 * (keep.heldBytes - TENSOR));
    near(offload.seconds, offload.linkBytes / (setup.tables.device?.accelerator.pcieBytesPerSecond ?? 0));
  });

  it('has nothing to share without tp or with sp', () => {
    for (const changes of [{}, { dp: 2, tp: 4, sp: true }]) assert.equal(ways(made(changes)).share, undefined);
  });

  it('keeps where there is room, takes the fastest of the rest where there is less, and none where there is none', () => {
    const setup = made({ dp: 2, tp: 4 });
    const { keep, share, recompute, offload } = ways(setup);
    assert.equal(ways(setup).cheapest, 'keep');
    assert.equal(keep.peakBytes, memoryEstimate(setup.tables, setup.plan, null).peakBytes);
    assert.ok(recompute.peakBytes < share.peakBytes && share.peakBytes < keep.peakBytes);
    assert.equal(ways(setup, share.peakBytes).cheapest, 'share');
    const rest = recompute.seconds < offload.seconds ? 'recompute' : 'offload';
    assert.equal(ways(setup, recompute.peakBytes).cheapest, rest);
    assert.equal(ways(setup, recompute.peakBytes - 1).cheapest, null);
    assert.equal(ways(setup, null).cheapest, null);
  });

  it('does not depend on what the plan recomputes now', () => {
    const [none, full] = [made({}), made({ recompute: 'full' })].map(setup => ways(setup));
    assert.deepEqual(full.ways, none.ways);
  });

  it('is unknown without a device', () => {
    const { tables, plan } = made({}, null);
    assert.equal(activationTrade(tables, plan, null), null);
  });
});

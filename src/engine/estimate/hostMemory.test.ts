import assert from 'node:assert/strict';
import { downSeconds, fetchSeconds, hostOptimizerSeconds, hostRates } from './hostMemory';
import type { ReadyPlan } from '../plan/ready';

const plan = (offload: string, offloadDevice = 'cpu') => ({ offload, offloadDevice }) as unknown as ReadyPlan;
const near = (value: number, expected: number) => assert.ok(Math.abs(value / expected - 1) < 1e-9, `${value}`);

describe('what lies in the host', () => {
  const billion = 1e9;
  const alone = hostRates('a100-pcie-80', 24e9, 1);
  const eight = hostRates('a100-pcie-80', 24e9, 8);

  it('is updated there: 10⁹ parameters in about 0.24 s by a whole node (arXiv 2101.06840, table 4)', () => {
    near(hostOptimizerSeconds(plan('optimizer'), alone, billion, 1), 0.25);
    // Eight devices share the cores: 8 · 10⁹ parameters at 4 · 10⁹ a second.
    near(hostOptimizerSeconds(plan('optimizer'), eight, billion, 1), 2);
  });

  it('reads and writes 24 bytes a parameter at 1.6 GB/s where the states are on disk', () => {
    near(hostOptimizerSeconds(plan('optimizer', 'nvme'), eight, billion, 1), 2 + 15);
  });

  it('takes no less than the way up: a light update of 10⁹ parameters waits for 2 GB at 24 GB/s', () => {
    near(hostOptimizerSeconds(plan('optimizer'), alone, billion, 0.1), 2 / 24);
  });

  it('moves 2 bytes a gradient down and 2 a weight up, and nothing that stays', () => {
    near(downSeconds(plan('optimizer+params'), eight, billion), 2 / 24);
    near(fetchSeconds(plan('params'), eight, billion), 2 / 24);
    near(fetchSeconds(plan('params', 'nvme'), eight, billion), 2 / 1.6);
    assert.equal(downSeconds(plan('params'), eight, billion), 0);
    assert.equal(fetchSeconds(plan('optimizer'), eight, billion), 0);
  });

  it('is nearer on a coherent link', () => {
    assert.ok(hostRates('gh200', 24e9, 4).linkBytesPerSecond > 10 * eight.linkBytesPerSecond);
  });
});

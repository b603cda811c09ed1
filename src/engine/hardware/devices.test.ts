import assert from 'node:assert/strict';
import { accelerator, type AcceleratorId } from './accelerators';
import { deviceConstants } from './calibration';
import { clockRatio, powerRatio } from './power';

const near = (value: number, expected: number) => assert.ok(Math.abs(value / expected - 1) < 1e-4, `${value}`);

describe('parts of one chip', () => {
  it('differ by their power once: the higher peak of GB200 is that power again', () => {
    near(powerRatio('gb200', 'blackwell'), 1.2);
    // 148 multiprocessors each: 2250 over 2500 TFLOP/s.
    near(clockRatio('blackwell', 148, 2500e12), 0.9);
    assert.equal(clockRatio('blackwell', 148, 2250e12), 1);
  });

  it('count their multiprocessors: H100 PCIe has 114 of 132, at 756 of 989 TFLOP/s', () => {
    near(clockRatio('hopper', 114, 756e12), (114 / 132) * (989 / 756));
  });
});

describe('devices without runs', () => {
  // torchtune's README (v0.5, "Memory and training speed"): Llama 3.1 8B by LoRA on one RTX 4090, 3,083 tokens/s with
  // checkpoints of every layer: 6 × 8.03e9 FLOP a token are 149 TFLOP/s of the 165 that the card counts.
  it('reach nearly the peak of a GeForce, which is half that of its multiprocessors', () => {
    const ratio = (id: AcceleratorId) => {
      const { architecture, sms, peakFlopsPerSecond } = accelerator(id);
      const { matmulCeiling } = deviceConstants(accelerator(id));
      return matmulCeiling * clockRatio(architecture, sms, peakFlopsPerSecond.fp16 ?? 0);
    };
    for (const id of ['rtx-4090', 'rtx-3090', 'rtx-5090'] as const)
      assert.ok(ratio(id) > (3083 * 6 * 8.03e9) / 165.2e12);
    near(ratio('l40s'), 0.7);
    assert.ok(powerRatio('l4', 'ada') < 0.21);
  });

  it('sustain no more than a share of the best product measured on them: 668.4 of 1300 TFLOP/s on MI300X', () => {
    const { matmulCeiling, evidence } = deviceConstants(accelerator('mi300x'));
    near(matmulCeiling, (0.88 * 668.4) / 1300);
    assert.equal(evidence, 'assumed');
  });

  it('take textbook values where nothing was measured', () => {
    assert.equal(deviceConstants(accelerator('l40s')).matmulCeiling, 0.7);
  });
});

import assert from 'node:assert/strict';
import { batch, classic, mlp, routed, SEED, small, smallPlan } from '../../../test/fixtures/trainer/small';
import type { Network } from './network';
import { initialWeight } from './parameters';
import { Trainer } from './trainer';

/** The loss at the start with one weight moved by `delta`. */
function lossAt(network: Network, name: string, index: number, delta: number): number {
  const initial = () => (spec: Parameters<typeof initialWeight>[0], seed: number, global: number, local: number) =>
    initialWeight(spec, seed, global, local) + (spec.name === name && global === index ? delta : 0);
  const plan = smallPlan(network, { globalBatch: 1, seqLen: 4 });
  return new Trainer({ network, plan, type: 'f64', seed: SEED, batch, initial }).step().loss;
}

describe('the backward passes', () => {
  const networks: [string, Network][] = [
    ['the decoder', { ...small, layers: 1 }],
    ['the classic decoder', { ...classic, layers: 1 }],
    ['the routed decoder', { ...routed, layers: 1 }],
    ['the lecture’s MLP', mlp],
  ];
  for (const [name, network] of networks)
    it(`of ${name} agree with finite differences to 1e-7 of the tensor’s largest gradient`, () => {
      const plan = smallPlan(network, { globalBatch: 1, seqLen: 4 });
      const { gradients } = new Trainer({ network, plan, type: 'f64', seed: SEED, batch }).step();
      const step = 1e-4;
      for (const [tensor, gradient] of gradients.tensors) {
        const largest = gradient.reduce((m, x) => Math.max(m, Math.abs(x)), 0);
        if (largest === 0) continue; // an expert that no token chose
        for (const index of [0, Math.floor(gradient.length / 2), gradient.length - 1]) {
          const at = (k: number) => lossAt(network, tensor, index, k * step);
          // Fourth-order central difference.
          const slope = (8 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12 * step);
          const error = Math.abs(slope - gradient[index]) / largest;
          assert.ok(error <= 1e-7, `${tensor}[${index}]: ${slope} by differences, ${gradient[index]} by backward`);
        }
      }
    });
});

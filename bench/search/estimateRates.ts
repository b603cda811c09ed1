/** How long one estimate takes, and one evaluation, while a user changes a plan. */
import { estimate } from '../../src/engine/estimate/estimate';
import { OUT } from '../../src/engine/estimate/output';
import { preparedOf } from '../../src/engine/estimate/prepared';
import { evaluate } from '../../src/engine/estimate/step';
import { completeSetup } from '../../src/engine/plan/complete';
import { isReady } from '../../src/engine/plan/ready';
import { invariant } from '../../src/engine/problem';
import { CASES } from './cases';
import { setupOf } from './testSetups';

const ROUNDS = 2000;
const PLANS = [1, 2, 4].flatMap(microBatch =>
  [2, 4, 8].map(pp => ({ tp: 8, pp, microBatch, schedule: '1f1b', sharding: 'zero1' })),
);

function microseconds(calls: number, run: () => void): number {
  const samples = Array.from({ length: 7 }, () => {
    const start = performance.now();
    run();
    return ((performance.now() - start) * 1e3) / calls;
  });
  return samples.sort((a, b) => a - b)[3];
}

export function estimateRates(): string[] {
  const setups = PLANS.map(plan => setupOf(plan, CASES['llama-3-70b on 512']));
  const first = performance.now();
  estimate(setups[0]);
  const cold = performance.now() - first;
  const each = microseconds(ROUNDS, () => {
    for (let i = 0; i < ROUNDS; i++) estimate(setups[i % setups.length]);
  });
  const out = new Float64Array(OUT.length);
  const plans = setups.map(setup => {
    const { plan } = completeSetup(setup);
    invariant(isReady(plan), 'a plan of the bench is complete');
    return plan;
  });
  const tables = preparedOf(completeSetup(setups[0]))?.tables;
  invariant(tables !== undefined, 'the model of the bench is known');
  const one = microseconds(100 * ROUNDS, () => {
    for (let i = 0; i < 100 * ROUNDS; i++) evaluate(tables, plans[i % plans.length], out);
  });
  return [
    `estimate of a setup, nine plans in turn: first ${cold.toFixed(1)} ms, then ${each.toFixed(1)} µs (goal: under 100)`,
    `evaluate of one plan with its parts, everything priced: ${(one * 1e3).toFixed(0)} ns, ${(1 / one).toFixed(2)} M a core-second`,
  ];
}

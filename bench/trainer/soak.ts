/**
 * Proves every layout of eight ranks: each factorisation into dp, tp, cp and pp, with each ZeRO stage and each schedule
 * that admits it, dense and routed over experts, five steps in f64. Sequence parallelism, the kind of context
 * parallelism, recomputation, clipping, optimizer and the form of data parallelism take turns.
 */
import { buildOrder, defaultVirtual } from '../../src/engine/pipeline/buildOrder';
import { type Plan, SCHEDULES, type ScheduleName } from '../../src/engine/plan/keys';
import type { DecoderNetwork } from '../../src/engine/trainer/network';
import { classic, routed, runProof, small } from '../../test/fixtures/trainer/small';

const WORLD = 8;
const STEPS = 5;

export interface Case {
  readonly network: DecoderNetwork;
  readonly plan: Partial<Plan>;
  readonly clipNorm: number | null;
}

const divisors = [1, 2, 4, 8];
const SHARDINGS = ['none', 'zero1', 'zero2', 'zero3', 'hsdp'] as const;

function* factorisations(): Generator<{ dp: number; tp: number; cp: number; pp: number }> {
  for (const dp of divisors)
    for (const tp of divisors)
      for (const cp of divisors) {
        const pp = WORLD / (dp * tp * cp);
        if (Number.isInteger(pp)) yield { dp, tp, cp, pp };
      }
}

/** Schedules that admit p stages, with micro-batches enough for the most demanding. */
function schedulesFor(pp: number, microBatches: number): ScheduleName[] {
  if (pp === 1) return ['none'];
  return SCHEDULES.filter(name => name !== 'none').filter(
    name => !('code' in buildOrder(name, { stages: pp, microBatches, virtual: virtualOf(name) })),
  );
}

const virtualOf = (name: ScheduleName) => (name === 'breadth-first' ? 2 : defaultVirtual(name));

export function* cases(): Generator<Case> {
  let turn = 0;
  for (const sizes of factorisations()) {
    const { dp, tp, cp, pp } = sizes;
    const microBatches = Math.max(2, 2 * pp);
    for (const schedule of schedulesFor(pp, microBatches))
      for (const sharding of SHARDINGS)
        for (const isRouted of [false, true]) {
          if (sharding === 'hsdp' && (dp * cp) % 2 !== 0) continue;
          const pick = <T>(...values: readonly T[]): T => values[turn % values.length];
          turn++;
          const eps = divisors.filter(ep => (dp * cp * tp) % ep === 0);
          const base = isRouted ? routed : tp * cp <= 4 ? pick(small, classic) : small;
          const vpp = virtualOf(schedule);
          yield {
            network: { ...base, layers: Math.max(2, pp * Math.max(vpp, schedule.startsWith('dualpipe') ? 2 : 1)) },
            plan: {
              ...sizes,
              schedule,
              vpp,
              sharding,
              shardSize: sharding === 'hsdp' ? 2 : null,
              microBatch: 1,
              globalBatch: dp * microBatches,
              seqLen: 16,
              sp: tp > 1 && pick(true, false, false),
              cpKind: pick('ring', 'all-to-all', 'ring', 'all-gather'),
              recompute: pick('none', 'none', 'full', 'selective', 'none'),
              attention: pick('flash', 'flash', 'unfused'),
              optimizer: pick('adamw', 'sgd', 'adamw'),
              bucketBytes: pick(0, 5000, 1e9),
              ep: isRouted ? eps[turn % eps.length] : 1,
            },
            clipNorm: pick(null, 0.5),
          };
        }
  }
}

/** The plan as the command line writes it, and the experts. */
export function nameOf({ network, plan }: Pick<Case, 'network' | 'plan'>): string {
  const keys = Object.entries({ ...plan, experts: network.experts }).filter(([, value]) => value !== null);
  return keys.map(pair => pair.join('=')).join(',');
}

/** Proves each `every`-th layout and says what fails; returns how many failed. */
export function soakTrainer(say: (line: string) => void, every = 1): number {
  let [tried, failed, index] = [0, 0, 0];
  const worst = { loss: 0, gradient: 0, adamw: 0, sgd: 0 };
  for (const { network, plan, clipNorm } of cases()) {
    if (index++ % every !== 0) continue;
    if (++tried % 100 === 0) say(`${tried} done`);
    const name = nameOf({ network, plan });
    try {
      const proof = runProof(network, plan, { steps: STEPS, clipNorm });
      worst.loss = Math.max(worst.loss, proof.maxLossDifference);
      worst.gradient = Math.max(worst.gradient, proof.maxGradientDifference);
      const optimizer = plan.optimizer === 'sgd' ? 'sgd' : 'adamw';
      worst[optimizer] = Math.max(worst[optimizer], proof.maxWeightDifference);
      if (proof.equal) continue;
      failed++;
      say(`not equal: ${name}: ${JSON.stringify(proof.mismatches)}`);
    } catch (error) {
      failed++;
      say(`failed: ${name}: ${String(error)}`);
    }
  }
  say(`${tried} of ${index} layouts, ${failed} failed; largest differences: ${JSON.stringify(worst)}`);
  return failed;
}

/** The choice that still holds where the network is slower and memory at the model's upper bound. */
import { preparedOf } from '../estimate/prepared';
import type { Framework } from '../plan/frameworks';
import type { TrainingSetup } from '../setup/setup';
import { type Candidate, measure } from './candidate';

export interface RobustChoice {
  readonly candidate: Candidate;
  /** Its step where the network has SLOWER of its rate. */
  readonly slowSeconds: number;
}

/** Share of the network's rate: a neighbour's traffic, a rail that is down. */
export const SLOWER = 0.5;

/** Of the given plans the fastest under the slower network whose upper bound of memory fits; null where none does. */
export function robustChoice(
  setup: TrainingSetup,
  framework: Framework,
  candidates: readonly Candidate[],
): RobustChoice | null {
  const { cluster } = setup;
  const present = preparedOf(setup)?.tables;
  if (present === undefined) return null;
  const nicBytesPerSecond = present.topology.networkBytesPerSecond * SLOWER;
  const slower = preparedOf({ ...setup, cluster: { ...cluster, nicBytesPerSecond } })?.tables ?? present;
  const capacity = cluster.capacityBytes ?? Infinity;
  let best: RobustChoice | null = null;
  for (const candidate of candidates) {
    if (candidate.upperBytes > capacity) continue;
    const slow = measure(slower, framework, candidate.plan);
    if (best === null || slow.tokensPerSecond > rate(best)) best = { candidate, slowSeconds: slow.stepSeconds };
  }
  return best;
}

function rate({ candidate: { plan }, slowSeconds }: RobustChoice): number {
  return (plan.globalBatch * plan.seqLen) / slowSeconds;
}

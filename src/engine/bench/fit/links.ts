/** The cost model's constants of links fitted to measured collectives, through the formulas that the estimate uses. */
import { prepareDevice, prepareTopology, networkRates } from '../../estimate/prepare';
import { allReduceSeconds, gatherSeconds, type Group } from '../../estimate/network';
import { CALIBRATION } from '../../hardware/calibration.generated';
import type { CommonConstants } from '../../hardware/constants';
import type { Cluster } from '../../setup/setup';
import type { CollectiveRecord } from '../records';
import { type Constant, type FittedConstant, leastSquares } from './leastSquares';

/** Spreads as in validation/parameters.ts, a little wider: one machine may be set up otherwise than the published ones. */
const SPREADS = { share: 0.35, latency: 0.7, hop: 0.7 };
const SIGMA = 0.08;
const OPS: readonly CollectiveRecord['op'][] = ['all-reduce', 'all-gather', 'reduce-scatter'];

type CommonKey = keyof CommonConstants;
const INSIDE: readonly CommonKey[] = ['linkLatencySeconds', 'linkHopSeconds'];
const ACROSS: readonly CommonKey[] = ['networkShare', 'networkLatencySeconds', 'ringHopSeconds'];

export interface LinkConstants {
  readonly architecture: string;
  /** `linkShare` is the device's, the others are common. */
  readonly constants: readonly FittedConstant[];
  readonly records: number;
  /** Medians of |error| before and after. */
  readonly beforeError: number;
  readonly afterError: number;
}

/** null where the accelerator is unknown or nothing of use was measured. */
export function fitLinkConstants(records: readonly CollectiveRecord[], cluster: Cluster): LinkConstants | null {
  const device = prepareDevice(cluster, CALIBRATION);
  if (device === null) return null;
  const topology = prepareTopology(cluster, device);
  const used = records.flatMap(one => {
    const group = groupOf(one, topology.domainSize);
    return group === null || !OPS.includes(one.op) ? [] : [{ ...one, group }];
  });
  const inside = used.some(({ group }) => !group.crossesNodes);
  const across = used.some(({ group }) => group.crossesNodes);
  const keys = [...(inside ? INSIDE : []), ...(across ? ACROSS : [])];
  const list: Constant[] = [
    ...(inside ? [{ name: 'linkShare', prior: device.constants.linkShare, spread: SPREADS.share }] : []),
    ...keys.map(name => ({ name, prior: CALIBRATION.common[name], spread: spreadOf(name) })),
  ];
  if (list.length === 0) return null;
  const residualsOf = (values: readonly number[]) => {
    const own = Object.fromEntries(list.map(({ name }, i) => [name, values[i]]));
    const rates = networkRates(topology, own.linkShare ?? device.constants.linkShare, {
      ...CALIBRATION.common,
      ...own,
    });
    return used.map(({ op, bytes, seconds, group }) => {
      const predicted = (op === 'all-reduce' ? allReduceSeconds : gatherSeconds)(group, rates, bytes);
      return Math.log(predicted / seconds);
    });
  };
  const { constants, residuals } = leastSquares(list, residualsOf, SIGMA);
  return {
    architecture: device.rates.architecture,
    constants,
    records: used.length,
    beforeError: medianError(residualsOf(list.map(({ prior }) => prior))),
    afterError: medianError(residuals),
  };
}

function spreadOf(name: CommonKey): number {
  if (name.endsWith('Share')) return SPREADS.share;
  return name.endsWith('HopSeconds') ? SPREADS.hop : SPREADS.latency;
}

function groupOf({ ranks, nodes, seconds, bytes }: CollectiveRecord, domainSize: number): Group | null {
  if (ranks === null || ranks < 2 || !(seconds > 0) || !(bytes > 0)) return null;
  const spans = nodes ?? Math.ceil(ranks / domainSize);
  return { ranks, local: Math.max(1, Math.floor(ranks / spans)), crossesNodes: spans > 1 };
}

function medianError(residuals: readonly number[]): number {
  const errors = residuals.map(r => Math.abs(Math.exp(r) - 1)).sort((a, b) => a - b);
  return errors[errors.length >> 1] ?? 0;
}

/** What prices the stages of a plan. */
import { type PlanContext, pricingOf } from '../estimate/context';
import type { Priced } from '../estimate/stageSeconds';
import { groupsOf } from '../estimate/step';
import { invariant } from '../problem';

/** The tables of the context have a device. */
export function pricedOf(context: PlanContext): Priced {
  const { tables, setting, work } = context;
  const price = pricingOf(tables, setting);
  invariant(price !== null && work.costs !== null && work.endCosts !== null, 'a search without a device');
  const { stack } = setting;
  return {
    context,
    common: tables.common,
    rates: tables.rates,
    bias: stack.bias,
    hostFactor: stack.hostFactor,
    memoryBytesPerSecond: price.memoryBytesPerSecond,
    costs: work.costs,
    ends: work.endCosts,
    ...groupsOf(context),
  };
}

/**
 * A published run made ready for fitting: its work is counted once, so that a prediction under another calibration is
 * arithmetic alone. The same functions price it as in the product.
 */
import { countsOf, planContext, type PlanContext } from '../estimate/context';
import { type LayerCosts, priceEnds, priceLayer, pricing } from '../estimate/layerCosts';
import { OUT } from '../estimate/output';
import { type Counts, networkRates, prepare } from '../estimate/prepare';
import { evaluate, groupsOf, writeTime } from '../estimate/step';
import { biasOn, deviceConstants } from '../hardware/calibration';
import type { Calibration } from '../hardware/constants';
import type { Device } from '../estimate/device';
import { isReady } from '../plan/ready';
import { setupModel } from '../setup/setup';
import type { PublishedRun } from './runs';

export interface RowModel {
  readonly run: PublishedRun;
  readonly architecture: string;
  readonly family: string;
  readonly measured: number;
  readonly context: PlanContext;
  readonly device: Device;
  readonly counts: Counts;
  readonly groups: ReturnType<typeof groupsOf>;
  readonly costs: readonly LayerCosts[];
  /** Share of the device's memory that it fills. */
  readonly fill: number;
}

/** null where the run has no step time or cannot be predicted. */
export function rowModel(run: PublishedRun): RowModel | null {
  const model = setupModel(run.setup);
  const { plan, cluster } = run.setup;
  const { stepSeconds } = run.measured;
  if (run.reason !== null || model === null || stepSeconds === null || !isReady(plan)) return null;
  if (plan.pp * plan.vpp > model.layers) return null;
  const tables = prepare(model, cluster);
  const { device } = tables;
  if (device === null) return null;
  const out = new Float64Array(OUT.length);
  evaluate(tables, plan, out);
  const context = planContext(tables, plan);
  return {
    run,
    architecture: device.rates.architecture,
    family: context.setting.stack.family,
    measured: stepSeconds,
    context,
    device,
    counts: countsOf(tables, plan, context.setting),
    groups: groupsOf(context),
    costs: context.work.layers.map(() => ({ forward: 0, backwardInput: 0, backwardWeight: 0, repeated: 0 })),
    fill: out[OUT.peakBytes] / device.capacityBytes,
  };
}

export const rowOut = new Float64Array(OUT.length);

/** Seconds of a step of the row under a calibration. */
export function rowSeconds(row: RowModel, calibration: Calibration): number {
  const { context, device, counts } = row;
  const { setting, tables } = context;
  const constants = deviceConstants(device.accelerator, calibration);
  const price = pricing(device.rates, constants, calibration.common, setting);
  for (let i = 0; i < counts.layers.length; i++) priceLayer(counts.layers[i], price, setting.rule, row.costs[i]);
  const stack = Object.hasOwn(calibration.stacks, row.family) ? calibration.stacks[row.family] : undefined;
  const priced = {
    context,
    common: calibration.common,
    rates: networkRates(tables.topology, constants.linkShare, calibration.common),
    bias: stack === undefined ? 1 : biasOn(stack, row.architecture),
    hostFactor: stack?.hostFactor ?? context.setting.stack.assumedHostFactor,
    memoryBytesPerSecond: price.memoryBytesPerSecond,
    costs: row.costs,
    ends: priceEnds(counts.ends, price),
    ...row.groups,
  };
  writeTime(priced, row.fill, rowOut);
  return rowOut[OUT.stepSeconds];
}

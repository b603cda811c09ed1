/**
 * One step of a plan: `evaluate` is arithmetic over prepared tables into a Float64Array, for the search as for the
 * estimate that a user reads, so both agree by construction.
 *
 * Legend: p stages, m micro-batches. The parts are those of the stage that is busy longest; they add up to the step.
 */
import { GLOBAL_CONSTANTS as G } from '../hardware/calibration';
import { type ReadyPlan, shardGroup } from '../plan/ready';
import { type CostContext, costContext, localParameters, scheduleShape, type StageView } from './context';
import { allReduceSeconds, gatherSeconds, placeGroup } from './network';
import { HIDDEN_PARTS, OUT, TIME_PARTS } from './output';
import type { Tables } from './prepare';
import { makespanOf } from './schedule';
import { memoryOf } from './stageMemory';
import { busySeconds, stageSeconds } from './stageSeconds';

/** Computes a plan's time and memory into `out` (see OUT). The tables must have a device. */
export function evaluate(tables: Tables, plan: ReadyPlan, out: Float64Array): void {
  const context = costContext(tables, plan);
  if (context === null) return;
  writeTime(context, out);
  let peak = -1;
  for (const view of context.stages) {
    const { total } = memoryOf(context, view);
    if (total > peak) {
      peak = total;
      out[OUT.peakBytes] = total;
      out[OUT.peakStage] = view.stage;
    }
  }
}

function writeTime(context: CostContext, out: Float64Array): void {
  const { plan, m, stages, stack, tables } = context;
  const seconds = stages.map(view => stageSeconds(context, view));
  const busy = seconds.map(busySeconds);
  const slowest = busy.indexOf(Math.max(...busy));
  const stage = seconds[slowest];
  const view = stages[slowest];
  if (stage === undefined || view === undefined) return;
  const shape = scheduleShape(plan);
  const { makespan, spanBubbleFraction } = makespanOf(tables.scheduleMemo, shape, {
    forward: seconds.map(s => s.forwardTotal),
    backwardInput: seconds.map((s, i) => (busy[i] ?? 0) - s.forwardTotal - s.backwardWeight),
    backwardWeight: seconds.map(s => s.backwardWeight),
  });
  const tail = tailSeconds(context, view, m * ((busy[slowest] ?? 0) - stage.forwardTotal));
  const host = m * G.microBatchSeconds * stack.hostFactor + G.stepSeconds * stack.hostFactor;
  const bubble = Math.max(0, makespan - m * (busy[slowest] ?? 0));
  const parts = {
    forward: m * stage.forward,
    backward: m * (stage.backwardInput + stage.backwardWeight),
    recompute: m * stage.recompute,
    launch: m * stage.launch,
    tpExposed: m * stage.tp,
    cpExposed: m * stage.cp,
    epExposed: m * stage.ep,
    ppExposed: m * stage.pp,
    dpExposed: m * stage.dp + tail.dpExposed,
    bubble,
    optimizer: tail.optimizer,
    gradNorm: tail.gradNorm,
    host,
    straggler: 0,
  };
  let sum = 0;
  for (const part of TIME_PARTS) sum += parts[part];
  const nodes = Math.max(1, (plan.dp * plan.tp * plan.cp * plan.pp) / tables.gpusPerNode);
  parts.straggler = sum * G.stragglerPerDoubling * Math.log2(nodes);
  TIME_PARTS.forEach((part, i) => {
    out[OUT.parts + i] = parts[part];
  });
  const hidden = { tp: 0, cp: m * stage.cpHidden, ep: 0, pp: 0, dp: m * stage.dpHidden + tail.dpHidden };
  HIDDEN_PARTS.forEach((part, i) => {
    out[OUT.hidden + i] = hidden[part];
  });
  out[OUT.stepSeconds] = sum + parts.straggler;
  const allBusy = busy.reduce((a, b) => a + b, 0) * m;
  out[OUT.bubbleFraction] = plan.pp === 1 ? 0 : Math.max(0, 1 - allBusy / (plan.pp * makespan));
  out[OUT.spanBubbleFraction] = spanBubbleFraction;
}

/** What follows the last backward pass: the reduction that did not fit under it, norm, clip and optimizer. */
function tailSeconds(context: CostContext, view: StageView, backwardSeconds: number) {
  const { plan, device, dp, experts, tables } = context;
  const { dense, expert } = localParameters(context, view);
  const shardsWeights = plan.sharding === 'zero3' || plan.sharding === 'hsdp';
  const gradient = plan.gradDtype === 'fp32' ? 4 : 2;
  let reduce = 0;
  if (!shardsWeights) {
    const gathers = plan.sharding === 'none' ? [gradient, gradient] : [gradient, 2];
    for (const bytes of gathers) reduce += gatherSeconds(dp, bytes * dense) + gatherSeconds(experts, bytes * expert);
  } else if (plan.sharding === 'hsdp') {
    const group = shardGroup(plan, tables.gpusPerNode);
    const across = placeGroup(context.network, Math.max(1, dp.ranks / group), plan.tp * group);
    reduce = allReduceSeconds(across, (gradient * (dense + expert)) / group);
  }
  const dpHidden = G.dataParallelOverlap * Math.min(reduce, backwardSeconds);
  const sharded = plan.sharding === 'none' ? 1 : shardGroup(plan, tables.gpusPerNode);
  const shard = dense / sharded + expert / (plan.sharding === 'none' ? 1 : experts.ranks);
  const rate = device.accelerator.memoryBytesPerSecond * G.memoryShare;
  const copies = shardsWeights ? 0 : dense + expert;
  return {
    dpExposed: reduce - dpHidden,
    dpHidden,
    optimizer: plan.optimizer === 'none' ? 0 : (shard * G.optimizerBytes) / rate,
    gradNorm: (G.gradientNormBytes * (shardsWeights ? shard : copies)) / rate,
  };
}

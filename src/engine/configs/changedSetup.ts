/** A setup under a change of its plan: what the change leaves open and what depends on it follows. */
import { defaultVirtual } from '../pipeline/buildOrder';
import { completeSetup } from '../plan/complete';
import { frameworkOf } from '../plan/frameworks';
import { PLAN_KEY_NAMES, type Plan, type PlanKey, type PlanValue, type ScheduleName } from '../plan/keys';
import { SetupBuilder, type TrainingSetup } from '../setup/setup';

/** Values of a plan that a user or the search asks for; the rest stays as it is. */
export type PlanChange = Partial<Plan>;

/**
 * dp follows the GPUs where tp, cp or pp change without it; schedule, chunks and stages follow each other; the global
 * batch stays. What the change itself states is never touched.
 */
export function changedSetup(setup: TrainingSetup, change: PlanChange): TrainingSetup {
  const builder = new SetupBuilder(completeSetup(setup));
  for (const key of Object.keys(change) as PlanKey[]) builder.setPlan(key, change[key] ?? null, 'user');
  followWorld(builder, setup, change);
  followTensor(builder, setup, change);
  followPipeline(builder, change);
  followChoices(builder, setup, change);
  return wholeShards(new SetupBuilder(completeSetup(builder.build())));
}

/** Sets a key that the change does not state. */
function follow(builder: SetupBuilder, change: PlanChange, key: PlanKey, value: PlanValue): void {
  if (change[key] === undefined) builder.setPlan(key, value, 'derived');
}

function followWorld(builder: SetupBuilder, setup: TrainingSetup, change: PlanChange): void {
  const degrees: readonly PlanKey[] = ['tp', 'cp', 'pp'];
  if (degrees.some(key => change[key] !== undefined)) follow(builder, change, 'dp', null);
  const gpusFollow = builder.fields.get('cluster.gpus')?.origin === 'derived' && setup.cluster.nodes === null;
  if (change.dp !== undefined && gpusFollow) builder.setCluster('gpus', null, 'derived');
  // The plan holds what was stated: the batch stays, and another dp makes other shards.
  const { replicas } = builder.stated;
  builder.stated = replicas === undefined ? {} : { replicas };
  if (replicas !== undefined) follow(builder, change, 'shardSize', null);
}

/** Sequence parallelism and the split of experts go with tp where the file leaves them to it. */
function followTensor(builder: SetupBuilder, setup: TrainingSetup, change: PlanChange): void {
  const { plan, fields } = builder;
  const { spFollowsTp, spNeedsTp, etpIsTpOrOne } = frameworkOf(setup.kinds);
  const isDerived = (key: 'sp' | 'etp') => fields.get(`plan.${key}`)?.origin === 'derived';
  if (plan.tp === null) return;
  // A file that asks for sequence parallelism at tp = 1 gets it as soon as there are ranks for it.
  if (spFollowsTp || (change.tp !== undefined && isDerived('sp'))) follow(builder, change, 'sp', plan.tp > 1);
  if (spNeedsTp && plan.tp === 1 && plan.sp === true) follow(builder, change, 'sp', false);
  if (change.tp === undefined) return;
  if (isDerived('etp') || (etpIsTpOrOne && plan.etp !== 1)) follow(builder, change, 'etp', plan.tp);
}

/** Schedules of one chunk a stage, and what they become with more. */
const ONE_CHUNK: readonly (ScheduleName | null)[] = [
  'none',
  'naive',
  'gpipe',
  '1f1b',
  'eager-1f1b',
  'zb-h1',
  'zb-h2',
  'zb-1p',
  'zb-2p',
];

function followPipeline(builder: SetupBuilder, change: PlanChange): void {
  const { pp, schedule } = builder.plan;
  if (change.pp === undefined && change.vpp === undefined && change.schedule === undefined) return;
  if (pp === 1) {
    follow(builder, change, 'schedule', 'none');
    follow(builder, change, 'vpp', 1);
  } else if (schedule === 'none') follow(builder, change, 'schedule', null);
  else if (change.schedule === undefined) followChunks(builder, change);
  else if (schedule !== null) {
    const needed = defaultVirtual(schedule);
    if (needed > (builder.plan.vpp ?? 1) || ONE_CHUNK.includes(schedule)) follow(builder, change, 'vpp', needed);
  }
  const { stageLayers, vpp } = builder.plan;
  if (stageLayers !== null && stageLayers.length !== (builder.plan.pp ?? 1) * (vpp ?? 1))
    follow(builder, change, 'stageLayers', null);
}

/** More chunks make 1F1B interleaved, one chunk makes it plain again. */
function followChunks(builder: SetupBuilder, change: PlanChange): void {
  const { schedule } = builder.plan;
  const vpp = builder.plan.vpp ?? 1;
  if (schedule === '1f1b' && vpp > 1) follow(builder, change, 'schedule', 'interleaved-1f1b');
  if (schedule === 'interleaved-1f1b' && vpp === 1) follow(builder, change, 'schedule', '1f1b');
  if (schedule === 'gpipe' && vpp > 1) follow(builder, change, 'schedule', 'breadth-first');
}

/** Details of a choice that is no longer made. */
function followChoices(builder: SetupBuilder, setup: TrainingSetup, change: PlanChange): void {
  const { cp, offload, dtype, adapter, recompute } = builder.plan;
  if (cp === 1) follow(builder, change, 'cpKind', null);
  if (change.offload !== undefined && offload === 'none') follow(builder, change, 'offloadDevice', null);
  if (change.dtype !== undefined && dtype !== 'fp8') follow(builder, change, 'fp8Recipe', null);
  // Gradients that go with bf16 need not go with fp16 or fp32.
  const isOther =
    dtype !== setup.plan.dtype && [dtype, setup.plan.dtype].some(each => each === 'fp16' || each === 'fp32');
  if (change.dtype !== undefined && isOther && builder.fields.get('plan.gradDtype')?.origin === 'derived')
    follow(builder, change, 'gradDtype', null);
  if (change.adapter !== undefined && adapter === 'none') follow(builder, change, 'adapterRank', null);
  if (change.recompute !== undefined) {
    if (recompute !== 'full') follow(builder, change, 'recomputeLayers', null);
    if (recompute !== 'selective') follow(builder, change, 'recomputeOps', null);
  }
}

/** Shards over all replicas are plain ZeRO-3. */
function wholeShards(builder: SetupBuilder): TrainingSetup {
  const { sharding, shardSize, dp, cp } = builder.plan;
  if (sharding === 'hsdp' && dp !== null && shardSize === dp * (cp ?? 1)) {
    builder.setPlan('sharding', 'zero3', 'derived');
    builder.setPlan('shardSize', null, 'derived');
  }
  return builder.build();
}

/** Keys whose values differ, in the order of the table of keys. */
export function changedKeys(before: Plan, after: Plan): PlanKey[] {
  return PLAN_KEY_NAMES.filter(key => String(before[key]) !== String(after[key]));
}

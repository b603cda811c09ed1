/**
 * Fills a setup: what follows from other values (the world rule, the batch), then the defaults. Each filled value says
 * that it is derived or a default; what stays null is unknown.
 *
 * World rule: gpus = dp·tp·cp·pp. ep multiplies nothing.
 */
import { defaultVirtual } from '../pipeline/buildOrder';
import { accelerator, isAcceleratorId } from '../hardware/accelerators';
import { type Cluster, SetupBuilder, type TrainingSetup } from '../setup/setup';
import { PLAN_KEY_NAMES, PLAN_KEYS, type Plan, type PlanKey } from './keys';

export function completeSetup(setup: TrainingSetup): TrainingSetup {
  const builder = new SetupBuilder(setup);
  completeDegrees(builder);
  completeCluster(builder);
  completeWorld(builder);
  completeStated(builder);
  completeChoices(builder);
  return builder.build();
}

function completeDegrees(builder: SetupBuilder): void {
  const { schedule, pp } = builder.plan;
  if (takesDefault(builder, 'vpp') && schedule !== null && pp !== null && pp > 1)
    builder.setPlan('vpp', defaultVirtual(schedule), 'default');
  for (const key of PLAN_KEY_NAMES) {
    const { fallback, type } = PLAN_KEYS[key];
    if (takesDefault(builder, key) && fallback !== null && type === 'integer') {
      builder.setPlan(key, fallback, 'default');
    }
  }
}

/** A key that no file mentions; one that a file leaves to something else stays unknown. */
function takesDefault({ plan, unknown }: SetupBuilder, key: PlanKey): boolean {
  return plan[key] === null && !unknown.has(`plan.${key}`);
}

function completeCluster(builder: SetupBuilder): void {
  const { cluster } = builder;
  if (cluster.gpu !== null && isAcceleratorId(cluster.gpu)) {
    const device = accelerator(cluster.gpu);
    fill(builder, 'gpusPerNode', device.gpusPerNode, 'default');
    fill(builder, 'nicBytesPerSecond', device.nicBytesPerSecond, 'default');
    fill(builder, 'capacityBytes', device.capacityBytes, 'default');
    const domain =
      device.domainSize > device.gpusPerNode
        ? device.domainSize
        : Math.min(device.domainSize, cluster.gpusPerNode ?? 1);
    fill(builder, 'domainSize', domain === device.gpusPerNode ? (cluster.gpusPerNode ?? domain) : domain, 'default');
  }
  if (cluster.nodes !== null && cluster.gpusPerNode !== null)
    fill(builder, 'gpus', cluster.nodes * cluster.gpusPerNode, 'derived');
}

function fill<K extends keyof Cluster>(
  builder: SetupBuilder,
  key: K,
  value: Cluster[K],
  origin: 'derived' | 'default',
): void {
  if (builder.cluster[key] === null && value !== null) builder.setCluster(key, value, origin);
}

/** dp from gpus, else gpus from dp; then the nodes. */
function completeWorld(builder: SetupBuilder): void {
  const { plan, cluster } = builder;
  if (plan.tp === null || plan.cp === null || plan.pp === null) return completeNodes(builder);
  const inner = plan.tp * plan.cp * plan.pp;
  if (plan.dp === null && cluster.gpus !== null && cluster.gpus % inner === 0) {
    builder.setPlan('dp', cluster.gpus / inner, 'derived');
  }
  if (plan.dp !== null) fill(builder, 'gpus', plan.dp * inner, 'derived');
  completeNodes(builder);
}

function completeNodes(builder: SetupBuilder): void {
  const { gpus, gpusPerNode } = builder.cluster;
  if (gpus !== null && gpusPerNode !== null) fill(builder, 'nodes', Math.ceil(gpus / gpusPerNode), 'derived');
}

/** What follows from the numbers that files state beside the plan: batch, micro-batch, shard size. */
function completeStated(builder: SetupBuilder): void {
  const { plan } = builder;
  const { accumulation, replicas } = builder.stated;
  if (accumulation !== undefined && plan.dp !== null) {
    const ranks = accumulation.value * plan.dp;
    if (plan.globalBatch === null && plan.microBatch !== null) {
      builder.setPlan('globalBatch', plan.microBatch * ranks, 'derived', accumulation.source);
    } else if (plan.microBatch === null && plan.globalBatch !== null && plan.globalBatch % ranks === 0) {
      builder.setPlan('microBatch', plan.globalBatch / ranks, 'derived', accumulation.source);
    }
  }
  if (replicas !== undefined && plan.sharding === 'hsdp' && plan.shardSize === null && plan.dp !== null) {
    const shards = (plan.dp * (plan.cp ?? 1)) / replicas.value;
    if (Number.isInteger(shards)) builder.setPlan('shardSize', shards, 'derived', replicas.source);
  }
}

function completeChoices(builder: SetupBuilder): void {
  const { plan } = builder;
  if (takesDefault(builder, 'schedule') && plan.pp !== null)
    builder.setPlan('schedule', defaultSchedule(plan), 'default');
  if (plan.cp !== null && plan.cp > 1 && plan.cpKind === null) builder.setPlan('cpKind', 'ring', 'default');
  for (const key of PLAN_KEY_NAMES) {
    const { fallback } = PLAN_KEYS[key];
    if (takesDefault(builder, key) && fallback !== null) builder.setPlan(key, fallback, 'default');
  }
}

export function defaultSchedule(plan: Pick<Plan, 'pp' | 'vpp'>): Plan['schedule'] {
  if (plan.pp === null || plan.pp === 1) return 'none';
  return plan.vpp !== null && plan.vpp > 1 ? 'interleaved-1f1b' : '1f1b';
}

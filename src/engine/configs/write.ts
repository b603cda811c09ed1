/** Writing a plan into the file that holds it, and asking what that would leave out. */
import { completeSetup } from '../plan/complete';
import { frameworkOf, inexpressible } from '../plan/frameworks';
import { PLAN_KEYS, type Plan, type PlanKey } from '../plan/keys';
import { checkPlan } from '../plan/rules';
import { type Problem, problem, type TextEdit } from '../problem';
import { SetupBuilder, type TrainingSetup } from '../setup/setup';
import { applyEdits } from './edits';
import { readConfig } from './registry';
import { type Target, WRITERS } from './writers';

export function hasWriter(kind: string | null): boolean {
  return kind !== null && Object.hasOwn(WRITERS, kind);
}

/** Values of a plan that a user or the search asks for; the rest stays as it is. */
export type PlanChange = Partial<Plan>;

/**
 * The setup under a change: dp follows the GPUs where tp, cp or pp change without it, the schedule follows pp, the
 * global batch stays.
 */
export function changedSetup(setup: TrainingSetup, change: PlanChange): TrainingSetup {
  const builder = new SetupBuilder(completeSetup(setup));
  for (const key of Object.keys(change) as PlanKey[]) builder.setPlan(key, change[key] ?? null, 'user');
  const degrees: readonly PlanKey[] = ['tp', 'cp', 'pp'];
  if (change.dp === undefined && degrees.some(key => change[key] !== undefined)) builder.setPlan('dp', null, 'derived');
  const gpusFollow = builder.fields.get('cluster.gpus')?.origin === 'derived' && setup.cluster.nodes === null;
  const { tp } = builder.plan;
  if (frameworkOf(setup.kinds).spFollowsTp && change.sp === undefined && tp !== null)
    builder.setPlan('sp', tp > 1, 'derived');
  if (change.dp !== undefined && gpusFollow) builder.setCluster('gpus', null, 'derived');
  if (change.schedule === undefined && change.pp !== undefined) {
    const present = builder.plan.schedule;
    if (change.pp === 1) builder.setPlan('schedule', 'none', 'derived');
    else if (present === 'none') builder.setPlan('schedule', null, 'derived');
  }
  // The plan holds what was stated: the batch stays, and another dp makes other shards.
  const { replicas } = builder.stated;
  builder.stated = replicas === undefined ? {} : { replicas };
  if (replicas !== undefined && change.shardSize === undefined) builder.setPlan('shardSize', null, 'derived');
  if (builder.plan.cp === 1) builder.setPlan('cpKind', null, 'derived');
  return completeSetup(builder.build());
}

/** Edits that write the change into a file of a kind that has a writer; a plan that breaks a rule gives none. */
export function planEdits(
  source: { readonly file: string; readonly text: string; readonly kind: string },
  setup: TrainingSetup,
  change: PlanChange,
): { readonly edits: readonly TextEdit[]; readonly problems: readonly Problem[] } {
  const writer = Object.hasOwn(WRITERS, source.kind) ? WRITERS[source.kind] : undefined;
  const next = changedSetup(setup, change);
  const framework = frameworkOf(setup.kinds);
  const foreign = inexpressible(framework, next.plan).filter(key => change[key] !== undefined);
  const problems = [
    ...checkPlan(next).filter(({ code }) => code !== 'not-expressible'),
    ...foreign.map(key => notExpressible(framework.name, key, next.plan)),
  ];
  const broken = problems.some(({ severity }) => severity === 'error');
  if (writer === undefined || broken) return { edits: [], problems };
  const changed = new Set(changedKeys(completeSetup(setup).plan, next.plan));
  const edits = writer.edits(source, { plan: next.plan, cluster: next.cluster, changed });
  const lost = lostKeys(source, edits, next, change, changed);
  problems.push(...lost.map(key => notExpressible(framework.name, key, next.plan)));
  return { edits: lost.length === 0 ? edits : [], problems };
}

function notExpressible(framework: string, key: PlanKey, plan: Plan): Problem {
  return problem('not-expressible', { framework, key, value: String(plan[key]) }, { severity: 'error' });
}

/** Keys of the change that the edited file does not say when it is read again, in the place of the old one. */
function lostKeys(
  { file, text }: Target,
  edits: readonly TextEdit[],
  next: TrainingSetup,
  change: PlanChange,
  changed: ReadonlySet<PlanKey>,
): PlanKey[] {
  const reading = readConfig(file, applyEdits(text, edits));
  if (reading.setup === null) return Object.keys(change) as PlanKey[];
  const builder = new SetupBuilder(reading.setup);
  Object.assign(builder.cluster, next.cluster);
  const again = completeSetup(builder.build()).plan;
  const asked = (Object.keys(change) as PlanKey[]).filter(key => changed.has(key));
  const batch: readonly PlanKey[] = ['globalBatch', 'microBatch'];
  const kept = batch.filter(key => again[key] !== null && next.plan[key] !== null);
  return [...new Set([...asked, ...kept])].filter(key => String(again[key]) !== String(next.plan[key]));
}

/** Keys whose values differ, in the order of the table of keys. */
export function changedKeys(before: Plan, after: Plan): PlanKey[] {
  return (Object.keys(PLAN_KEYS) as PlanKey[]).filter(key => String(before[key]) !== String(after[key]));
}

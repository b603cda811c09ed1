/** Writing a plan into the file that holds it, and asking what that would leave out. */
import { completeSetup } from '../plan/complete';
import { frameworkOf, inexpressible } from '../plan/frameworks';
import { PLAN_KEYS, type Plan, type PlanKey } from '../plan/keys';
import { checkPlan } from '../plan/rules';
import { type Problem, problem, type TextEdit } from '../problem';
import { SetupBuilder, type TrainingSetup } from '../setup/setup';
import { type JsonDialect, parseJson } from './json';
import { writePicotron } from './picotron/write';
import type { ConfigNode } from './tree';

interface Writer {
  readonly dialect?: JsonDialect;
  readonly write: (file: string, text: string, root: ConfigNode, plan: Plan) => TextEdit[];
}

const WRITERS: Readonly<Record<string, Writer>> = { picotron: { write: writePicotron } };

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
  const writer = WRITERS[source.kind];
  const next = changedSetup(setup, change);
  const framework = frameworkOf(setup.kinds);
  const foreign = inexpressible(framework, next.plan).filter(key => change[key] !== undefined);
  const problems = [
    ...checkPlan(next).filter(({ code }) => code !== 'not-expressible'),
    ...foreign.map(key =>
      problem(
        'not-expressible',
        { framework: framework.name, key, value: String(next.plan[key]) },
        { severity: 'error' },
      ),
    ),
  ];
  const { root } = parseJson(source.file, source.text, writer?.dialect);
  const broken = problems.some(({ severity }) => severity === 'error');
  if (writer === undefined || root === null || broken) return { edits: [], problems };
  return { edits: writer.write(source.file, source.text, root, next.plan), problems };
}

/** Keys whose values differ, in the order of the table of keys. */
export function changedKeys(before: Plan, after: Plan): PlanKey[] {
  return (Object.keys(PLAN_KEYS) as PlanKey[]).filter(key => String(before[key]) !== String(after[key]));
}

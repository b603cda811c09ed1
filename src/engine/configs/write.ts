/** Writing a plan into the file that holds it, and asking what that would leave out. */
import { completeSetup } from '../plan/complete';
import { frameworkOf, inexpressible } from '../plan/frameworks';
import { PLAN_KEYS, type Plan, type PlanKey } from '../plan/keys';
import { checkPlan } from '../plan/rules';
import { type Problem, problem, type TextEdit } from '../problem';
import { SetupBuilder, type TrainingSetup } from '../setup/setup';
import { changedKeys, changedSetup, type PlanChange } from './changedSetup';
import type { TextFile } from './beside';
import { editedFiles } from './edits';
import type { Target } from './placeChanges';
import { readConfig } from './registry';
import { WRITERS } from './writers';

export function hasWriter(kind: string | null): boolean {
  return kind !== null && Object.hasOwn(WRITERS, kind);
}

/** Edits that write the change into a file of a kind that has a writer; a plan that breaks a rule gives none. */
export function planEdits(
  source: Target & { readonly kind: string },
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
  const present = completeSetup(setup);
  const changed = new Set(changedKeys(present.plan, next.plan));
  const edits = writer.edits(source, { plan: next.plan, cluster: next.cluster, changed });
  const lost = lostKeys(source, edits, present, next, change, changed);
  problems.push(...lost.map(key => notExpressible(framework.name, key, next.plan)));
  return { edits: lost.length === 0 ? edits : [], problems };
}

function notExpressible(framework: string, key: PlanKey, plan: Plan): Problem {
  return problem('not-expressible', { framework, key, value: String(plan[key]) }, { severity: 'error' });
}

/** Keys of the change that the edited file does not say when it is read again, in the place of the old one. */
function lostKeys(
  { file, text, beside = [] }: Target,
  edits: readonly TextEdit[],
  present: TrainingSetup,
  next: TrainingSetup,
  change: PlanChange,
  changed: ReadonlySet<PlanKey>,
): PlanKey[] {
  const before = readAgain(file, text, beside, present.cluster);
  const [own, ...others] = editedFiles([{ file, text }, ...beside], edits);
  const after = readAgain(file, own.text, others, next.cluster);
  if (before === null || after === null) return Object.keys(change) as PlanKey[];
  return (Object.keys(PLAN_KEYS) as PlanKey[]).filter(key => {
    const was = before.plan[key];
    const asked = change[key] !== undefined && changed.has(key) && !(key === 'globalBatch' && was === null);
    const isSaid = was !== null && before.fields.get(`plan.${key}`)?.origin !== 'default';
    // What the file said before must still be so, unless the new plan says otherwise.
    const kept = isSaid && next.plan[key] !== null && String(was) === String(present.plan[key]);
    return (asked || kept) && String(after.plan[key]) !== String(next.plan[key]);
  });
}

/** What a text says with the files beside it on a cluster. */
function readAgain(
  file: string,
  text: string,
  beside: readonly TextFile[],
  cluster: TrainingSetup['cluster'],
): TrainingSetup | null {
  const { setup } = readConfig(file, text, beside);
  if (setup === null) return null;
  const builder = new SetupBuilder(setup);
  Object.assign(builder.cluster, cluster);
  return completeSetup(builder.build());
}

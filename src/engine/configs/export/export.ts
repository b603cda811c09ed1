/**
 * A setup as a new config of another framework: a skeleton with the model's sizes, into which that framework's own
 * writer puts the plan. What its files cannot say is named, with what they say instead. The result is read again before
 * it is given, so that what is not named has been carried over.
 */
import { countParameters } from '../../model/parameters';
import { MODEL_KEYS, type ModelKey } from '../../model/sizes';
import { completeSetup } from '../../plan/complete';
import { type Framework, frameworkOf, inexpressible } from '../../plan/frameworks';
import { type Plan, PLAN_KEY_NAMES, type PlanKey, type PlanValue } from '../../plan/keys';
import type { Problem } from '../../problem';
import { SetupBuilder, setupModel, type TrainingSetup } from '../../setup/setup';
import type { PlanChange } from '../changedSetup';
import { applyEdits } from '../edits';
import { mergeReadings } from '../merge';
import { readAll, readConfig } from '../registry';
import { planEdits } from '../write';
import type { ExportedFile } from './files';
import { type ExportSource, exportSource } from './source';
import { type ExportKind, type OpenItem, type Target, TARGETS } from './targets';

/** What the new config does not say as the setup does. */
export interface Loss {
  readonly key: PlanKey | `model.${ModelKey}` | 'model' | 'parameters';
  readonly value: string;
  /** What it says instead; null where it says nothing. */
  readonly became: string | null;
}

export interface Exported {
  readonly kind: ExportKind;
  /** The config first; a model's config.json beside it where the format names a folder. None where a rule refuses. */
  readonly files: readonly ExportedFile[];
  readonly losses: readonly Loss[];
  /** What is left for the user to fill in. */
  readonly open: readonly OpenItem[];
  readonly problems: readonly Problem[];
}

/** Keys that follow from others or that no file means by itself. */
const FOLLOWING: readonly PlanKey[] = [
  'stack',
  'kernels',
  'order',
  'bucketBytes',
  'gradDtype',
  'expertImbalance',
  'recomputeOps',
  'recomputeLayers',
  'offloadDevice',
  'fp8Recipe',
];

/** The nearest in meaning, the first that a framework has. */
const SUBSTITUTES: Partial<Record<PlanKey, Readonly<Record<string, readonly PlanValue[]>>>> = {
  sharding: {
    zero1: ['zero2', 'zero3', 'none'],
    zero2: ['zero3', 'zero1', 'none'],
    zero3: ['zero2', 'zero1', 'none'],
    hsdp: ['zero3', 'zero2', 'zero1', 'none'],
  },
  recompute: { selective: ['full', 'none'], full: ['selective', 'none'] },
  dtype: { nvfp4: ['fp8', 'bf16'], fp8: ['bf16'], fp16: ['bf16'] },
  adapter: { qlora: ['lora', 'none'], lora: ['none'] },
  offload: { optimizer: ['optimizer+params', 'none'], 'optimizer+params': ['optimizer', 'none'], params: ['none'] },
};

/** Keys that only make sense together: what is refused among them is given up from the end. */
const TOGETHER: readonly PlanKey[] = [
  'dp',
  'tp',
  'pp',
  'cp',
  'microBatch',
  'globalBatch',
  'seqLen',
  'sp',
  'cpKind',
  'ep',
  'etp',
  'vpp',
  'schedule',
  'stageLayers',
];

export function exportSetup(given: TrainingSetup, kind: ExportKind): Exported {
  const setup = completeSetup(given);
  const target = TARGETS[kind];
  const source = exportSource(setup);
  const text = target.skeleton(source);
  const base = readBase(target, text, setup);
  const attempt = (change: PlanChange) => planEdits({ file: target.file, text, kind }, base, change);
  const errorsOf = (change: PlanChange) => attempt(change).problems.filter(({ severity }) => severity === 'error');
  const change = largestChange(setup, base, target.elsewhere ?? [], change => errorsOf(change).length === 0);
  if (change !== null) return finished(kind, source, setup, applyEdits(text, attempt(change).edits));
  const problems = errorsOf(degreesOf(setup, base, target.elsewhere ?? []));
  return { kind, files: [], losses: [], open: [], problems };
}

type Passes = (change: PlanChange) => boolean;

/** As much of the setup's plan as the format takes: degrees and batch, then one key after the other. */
function largestChange(
  setup: TrainingSetup,
  base: TrainingSetup,
  elsewhere: readonly PlanKey[],
  passes: Passes,
): PlanChange | null {
  const framework = frameworkOf(base.kinds);
  let change = withDegrees(setup, base, framework, elsewhere, passes);
  if (change === null) return null;
  const others = PLAN_KEY_NAMES.filter(
    key => ![...TOGETHER, ...FOLLOWING, ...elsewhere].includes(key) && setup.plan[key] !== null,
  );
  for (const key of others) {
    if (String(setup.plan[key]) === String(base.plan[key]) || hangsOn(key, change, setup)) continue;
    const allowed = framework.allows[key] as readonly PlanValue[] | undefined;
    const nearest = SUBSTITUTES[key]?.[String(setup.plan[key])] ?? [];
    for (const value of [setup.plan[key], ...nearest]) {
      if (allowed?.includes(value) === false) continue;
      const next: PlanChange = { ...change, [key]: value };
      // Shards have their size with them.
      if (value === 'hsdp') next.shardSize = setup.plan.shardSize;
      if (!passes(next)) continue;
      change = next;
      break;
    }
  }
  return change;
}

/** What belongs to a choice that the file does not make. */
function hangsOn(key: PlanKey, change: PlanChange, { plan }: TrainingSetup): boolean {
  if (key === 'shardSize') return true;
  return key === 'adapterRank' && change.adapter !== undefined && change.adapter !== plan.adapter;
}

function degreesOf(setup: TrainingSetup, base: TrainingSetup, elsewhere: readonly PlanKey[]): PlanChange {
  const keys = TOGETHER.filter(
    key => !elsewhere.includes(key) && setup.plan[key] !== null && String(setup.plan[key]) !== String(base.plan[key]),
  );
  return Object.fromEntries(keys.map(key => [key, setup.plan[key]]));
}

function withDegrees(
  setup: TrainingSetup,
  base: TrainingSetup,
  framework: Framework,
  elsewhere: readonly PlanKey[],
  passes: Passes,
): PlanChange | null {
  const wanted = degreesOf(setup, base, elsewhere);
  const lost = inexpressible(framework, { ...base.plan, ...wanted }).filter(key => TOGETHER.includes(key));
  let change = consistent(omit(wanted, lost), lost, setup);
  while (!passes(change)) {
    const stated = TOGETHER.filter(key => change[key] !== undefined && !ESSENTIAL.includes(key)).toReversed();
    const [last] = stated;
    if (last === undefined) return null;
    // The one key whose absence mends it, else the least of them.
    const culprit = stated.find(key => passes(consistent(omit(change, [key]), [...lost, key], setup))) ?? last;
    lost.push(culprit);
    change = consistent(omit(change, [culprit]), lost, setup);
  }
  return change;
}

/** Without these a run is another run. */
const ESSENTIAL: readonly PlanKey[] = ['dp', 'microBatch', 'globalBatch'];

const omit = (change: PlanChange, keys: readonly PlanKey[]): PlanChange =>
  Object.fromEntries(Object.entries(change).filter(([key]) => !keys.includes(key as PlanKey)));

/** dp fills the world where another degree is given up; what belongs to a degree goes with it. */
function consistent(change: PlanChange, lost: readonly PlanKey[], { plan, cluster }: TrainingSetup): PlanChange {
  const gone = Object.entries(WITH).flatMap(([key, leader]) => (lost.includes(leader) ? [key as PlanKey] : []));
  const next = omit(change, gone);
  if (!(['tp', 'cp', 'pp'] as const).some(key => lost.includes(key)) || cluster.gpus === null) return next;
  const inner = (['tp', 'cp', 'pp'] as const).reduce((n, key) => n * (lost.includes(key) ? 1 : (plan[key] ?? 1)), 1);
  next.dp = cluster.gpus / inner;
  const unit = (plan.microBatch ?? 1) * next.dp;
  // The batch as near as so many ranks come to it.
  if (plan.globalBatch !== null && plan.globalBatch % unit !== 0)
    next.globalBatch = Math.max(1, Math.round(plan.globalBatch / unit)) * unit;
  return next;
}

/** What the files say together on the same machine. */
function readWhole(files: readonly ExportedFile[], { cluster }: TrainingSetup): TrainingSetup {
  const { setup } = mergeReadings(readAll(files.map(({ name, text }) => ({ file: name, text }))));
  const builder = new SetupBuilder(setup);
  Object.assign(builder.cluster, cluster);
  return completeSetup(builder.build());
}

/** The skeleton as a whole run on the same machine. */
function readBase(target: Target, text: string, { cluster }: TrainingSetup): TrainingSetup {
  const { setup } = readConfig(target.file, text);
  const builder = new SetupBuilder(setup ?? undefined);
  Object.assign(builder.cluster, cluster);
  return completeSetup(builder.build());
}

function finished(kind: ExportKind, source: ExportSource, setup: TrainingSetup, text: string): Exported {
  const target = TARGETS[kind];
  const beside = target.beside?.(source) ?? [];
  const again = readWhole([{ name: target.file, text }, ...beside], setup);
  return {
    kind,
    files: [{ name: target.file, text }, ...beside],
    losses: [...planLosses(setup, again), ...(target.states === 'sizes' ? modelLosses(setup, again) : [])],
    open: target.open(source),
    problems: [],
  };
}

/** Keys that go with another: where that one is lost, they are no loss of their own. */
const WITH: Partial<Record<PlanKey, PlanKey>> = {
  schedule: 'pp',
  vpp: 'pp',
  stageLayers: 'pp',
  cpKind: 'cp',
  sp: 'tp',
  etp: 'ep',
  adapterRank: 'adapter',
  shardSize: 'sharding',
};

function planLosses({ plan }: TrainingSetup, again: TrainingSetup): Loss[] {
  const same = (key: PlanKey) => sayable(key, plan) === sayable(key, again.plan);
  const lost = PLAN_KEY_NAMES.filter(key => !FOLLOWING.includes(key) && plan[key] !== null && !same(key));
  const own = lost.filter(key => {
    const leader = WITH[key];
    return leader === undefined || !lost.includes(leader);
  });
  return own.map(key => ({
    key,
    value: String(plan[key]),
    became: again.plan[key] === null ? null : String(again.plan[key]),
  }));
}

/** A value as far as it means something beside the others of its plan. */
function sayable(key: PlanKey, plan: Plan): string {
  if (key === 'cpKind' && plan.cp === 1) return '';
  if (key === 'sp' && plan.tp === 1) return 'false';
  if (key === 'etp' && plan.ep === 1) return '';
  if (key === 'compiled' || key === 'tpOverlap') return String(plan[key] ?? false);
  return String(plan[key]);
}

function modelLosses(setup: TrainingSetup, again: TrainingSetup): Loss[] {
  const keys = MODEL_KEYS.filter(key => key !== 'name' && key !== 'maxSeqLen' && setup.sizes[key] !== null);
  const lost = keys.filter(
    key => setup.sizes[key] !== again.sizes[key] && !(setup.sizes[key] === 0 && again.sizes[key] === null),
  );
  // A model that the format cannot state at all is one loss.
  if (lost.includes('layers')) return [{ key: 'model', value: setup.sizes.name ?? '?', became: null }];
  if (lost.length > 0)
    return lost.map(key => ({
      key: `model.${key}`,
      value: String(setup.sizes[key]),
      became: again.sizes[key] === null ? null : String(again.sizes[key]),
    }));
  const [before, after] = [setup, again].map(each => {
    const model = setupModel(each);
    return model === null ? null : countParameters(model).total;
  });
  if (before === null || before === undefined || before === after) return [];
  return [{ key: 'parameters', value: String(before), became: after == null ? null : String(after) }];
}

/**
 * A training setup: model, plan and cluster as they were read, each value with its origin. Values that no file, user
 * or default gives are null: unknown, never guessed.
 */
import { buildModel, type Model } from '../model/architecture';
import { emptySizes, MODEL_KEYS, type ModelKey, type ModelSizes } from '../model/sizes';
import { LLAMA_TRAITS, type Traits } from '../model/traits';
import type { Profile } from '../hardware/profile';
import { emptyPlan, isPlanKey, type Plan, type PlanKey } from '../plan/keys';
import type { Problem, SourceRange } from '../problem';

export interface Cluster {
  gpu: string | null;
  gpus: number | null;
  nodes: number | null;
  gpusPerNode: number | null;
  /** Per GPU and direction. */
  nicBytesPerSecond: number | null;
  /** GPUs that one fast-link domain joins (72 in an NVL72 rack). */
  domainSize: number | null;
  capacityBytes: number | null;
}

export type ClusterKey = keyof Cluster;

export const CLUSTER_KEYS = [
  'gpu',
  'gpus',
  'nodes',
  'gpusPerNode',
  'nicBytesPerSecond',
  'domainSize',
  'capacityBytes',
] as const satisfies readonly ClusterKey[];

export function emptyCluster(): Cluster {
  return {
    gpu: null,
    gpus: null,
    nodes: null,
    gpusPerNode: null,
    nicBytesPerSecond: null,
    domainSize: null,
    capacityBytes: null,
  };
}

/** Where a value comes from; `zoo` is the table of known models. */
export type Origin = 'file' | 'derived' | 'default' | 'zoo' | 'user';

export type FieldPath = `model.${ModelKey}` | `plan.${PlanKey}` | `cluster.${ClusterKey}`;

export interface FieldOrigin {
  readonly origin: Origin;
  /** The value's range in its file; null where it is in none. */
  readonly source: SourceRange | null;
}

/** Numbers that files state and no key of the plan holds; `completeSetup` derives plan keys from them. */
export type StatedKey = 'accumulation' | 'replicas' | 'rankBatch';

/**
 * accumulation: micro-batches that a data-parallel rank runs a step, so globalBatch = microBatch · accumulation · dp.
 * replicas: copies of the sharded states, so shardSize = dp · cp / replicas.
 * rankBatch: sequences that a data-parallel rank takes at once, in micro-batches: globalBatch divides by rankBatch · dp.
 */
export type StatedValues = {
  readonly [K in StatedKey]?: { readonly value: number; readonly source: SourceRange | null };
};

export interface TrainingSetup {
  readonly sizes: ModelSizes;
  readonly traits: Traits;
  readonly plan: Plan;
  readonly cluster: Cluster;
  readonly fields: ReadonlyMap<FieldPath, FieldOrigin>;
  /** Frameworks of the files that were merged, the one that holds the plan first. */
  readonly kinds: readonly string[];
  readonly stated?: StatedValues;
  /** Keys that a file sets to what cannot be known from it: they take no default. */
  readonly unknown?: ReadonlySet<FieldPath>;
  /** Constants from the user's own measurements, over the shipped ones. */
  readonly profile?: Profile | null;
}

/** What one file says: the part of a setup that its reader found, with its problems. */
export interface FileReading {
  readonly file: string;
  /** null: a file of no supported kind. */
  readonly kind: string | null;
  readonly setup: TrainingSetup | null;
  readonly problems: readonly Problem[];
  /** Files that this one names, as it writes them: a DeepSpeed config, a file that it extends. */
  readonly refers?: readonly string[];
  /** Files whose text counts as a part of this one (sourced scripts, imported modules): the paths where each may lie. */
  readonly includes?: readonly (readonly string[])[];
  /** The text does not parse; what was read is what is left of it. */
  readonly damaged: boolean;
}

export function emptySetup(): TrainingSetup {
  return {
    sizes: emptySizes(),
    traits: LLAMA_TRAITS,
    plan: emptyPlan(),
    cluster: emptyCluster(),
    fields: new Map(),
    kinds: [],
  };
}

/** The architecture of a setup, or null where a size is unknown. */
export function setupModel(setup: TrainingSetup): Model | null {
  return buildModel(setup.sizes, setup.traits);
}

/** Collects values with their origin while a reader or a merge works. */
export class SetupBuilder {
  readonly sizes: ModelSizes;
  readonly plan: Plan;
  readonly cluster: Cluster;
  readonly fields: Map<FieldPath, FieldOrigin>;
  traits: Traits;
  kinds: string[];
  stated: StatedValues;
  readonly unknown: Set<FieldPath>;
  profile: Profile | null;

  constructor(from: TrainingSetup = emptySetup()) {
    this.sizes = { ...from.sizes };
    this.plan = { ...from.plan };
    this.cluster = { ...from.cluster };
    this.fields = new Map(from.fields);
    this.profile = from.profile ?? null;
    this.traits = from.traits;
    this.kinds = [...from.kinds];
    this.stated = from.stated ?? {};
    this.unknown = new Set(from.unknown ?? []);
  }

  /** Keeps a number from which `completeSetup` derives keys of the plan. */
  state(key: StatedKey, value: number, source: SourceRange | null): void {
    this.stated = { ...this.stated, [key]: { value, source } };
  }

  setModel<K extends ModelKey>(key: K, value: ModelSizes[K], origin: Origin, source: SourceRange | null = null): void {
    this.sizes[key] = value;
    this.note(`model.${key}`, value, origin, source);
  }

  setPlan<K extends PlanKey>(key: K, value: Plan[K], origin: Origin, source: SourceRange | null = null): void {
    this.plan[key] = value;
    this.note(`plan.${key}`, value, origin, source);
  }

  setCluster<K extends ClusterKey>(key: K, value: Cluster[K], origin: Origin, source: SourceRange | null = null): void {
    this.cluster[key] = value;
    this.note(`cluster.${key}`, value, origin, source);
  }

  private note(path: FieldPath, value: unknown, origin: Origin, source: SourceRange | null): void {
    if (value !== null) this.unknown.delete(path);
    if (value === null) this.fields.delete(path);
    else this.fields.set(path, { origin, source });
  }

  build(): TrainingSetup {
    const { sizes, plan, cluster, fields, traits, kinds, stated, unknown, profile } = this;
    return { sizes, plan, cluster, fields, traits, kinds, stated, unknown, profile };
  }
}

/** Whether a text is the path of a field. */
export function isFieldPath(path: string): path is FieldPath {
  const [part, key = '', ...rest] = path.split('.');
  if (rest.length > 0) return false;
  if (part === 'plan') return isPlanKey(key);
  return part === 'model' ? isModelKey(key) : part === 'cluster' && isClusterKey(key);
}

/** The value behind a path, for listings. */
export function fieldValue(setup: TrainingSetup, path: FieldPath): unknown {
  const [part, key] = path.split('.') as [string, string];
  if (part === 'model') return setup.sizes[key as ModelKey];
  if (part === 'plan') return setup.plan[key as PlanKey];
  return setup.cluster[key as ClusterKey];
}

export function isModelKey(name: string): name is ModelKey {
  return (MODEL_KEYS as readonly string[]).includes(name);
}

export function isClusterKey(name: string): name is ClusterKey {
  return (CLUSTER_KEYS as readonly string[]).includes(name);
}

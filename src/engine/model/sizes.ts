/** A model’s flat sizes: what config files state and users override. */

/** The keys of a model as files and the command line spell them; null is unknown. */
export interface ModelSizes {
  name: string | null;
  layers: number | null;
  hidden: number | null;
  ffn: number | null;
  heads: number | null;
  kvHeads: number | null;
  headDim: number | null;
  vocab: number | null;
  maxSeqLen: number | null;
  tied: boolean | null;
  gatedMlp: boolean | null;
  experts: number | null;
  topK: number | null;
  expertFfn: number | null;
  sharedExperts: number | null;
}

export type ModelKey = keyof ModelSizes;

export const MODEL_KEYS = [
  'name',
  'layers',
  'hidden',
  'ffn',
  'heads',
  'kvHeads',
  'headDim',
  'vocab',
  'maxSeqLen',
  'tied',
  'gatedMlp',
  'experts',
  'topK',
  'expertFfn',
  'sharedExperts',
] as const satisfies readonly ModelKey[];

/** Sizes past these are not models but mistakes or attacks; readers refuse them, so that counting never runs away. */
export const SIZE_LIMITS: Readonly<Record<Exclude<ModelKey, 'name' | 'tied' | 'gatedMlp'>, number>> = {
  layers: 10_000,
  hidden: 10_000_000,
  ffn: 100_000_000,
  heads: 1_000_000,
  kvHeads: 1_000_000,
  headDim: 1_000_000,
  vocab: 100_000_000,
  maxSeqLen: 10_000_000_000,
  experts: 1_000_000,
  topK: 1_000_000,
  expertFfn: 100_000_000,
  sharedExperts: 10_000,
};

export function emptySizes(): ModelSizes {
  return Object.fromEntries(MODEL_KEYS.map(key => [key, null])) as unknown as ModelSizes;
}

/** The sizes without which no model can be built, in the order in which a user would look for them. */
const REQUIRED = ['layers', 'hidden', 'ffn', 'heads', 'kvHeads', 'headDim', 'vocab', 'tied', 'gatedMlp'] as const;

/** The model's keys that are still unknown; empty where `buildModel` gives a model. */
export function missingSizes(sizes: ModelSizes): ModelKey[] {
  const missing: ModelKey[] = REQUIRED.filter(key => sizes[key] === null);
  if (sizes.experts !== null && sizes.experts > 0) {
    for (const key of ['topK', 'expertFfn'] as const) if (sizes[key] === null) missing.push(key);
  }
  return missing;
}

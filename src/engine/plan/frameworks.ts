/**
 * What each framework can express and what it demands: data. The search stays inside it, the rules check it, the
 * writers refuse what is outside.
 */
import type { Plan, PlanKey } from './keys';

export interface Framework {
  readonly name: string;
  /** Allowed values by key; a key that is not listed may take any value. */
  readonly allows: Partial<{ readonly [K in PlanKey]: readonly Plan[K][] }>;
  /** kv heads must be divisible by tp; else tp may also be a multiple of them (they are replicated). */
  readonly kvHeadsDivideByTp: boolean;
  /** The vocabulary must be divisible by tp; else it is padded. */
  readonly vocabDividesByTp: boolean;
  /** Layers must divide over stages and chunks; else the first stages hold one more. */
  readonly layersDivideByPp: boolean;
  /** The sequence must divide by this times cp. */
  readonly sequenceChunksPerCp: 1 | 2;
  readonly source: string;
}

const ANY: Framework = {
  name: 'any',
  allows: {},
  kvHeadsDivideByTp: false,
  vocabDividesByTp: false,
  layersDivideByPp: false,
  sequenceChunksPerCp: 1,
  source: 'rules of the mathematics alone',
};

export const FRAMEWORKS: Readonly<Record<string, Framework>> = {
  picotron: {
    name: 'picotron',
    allows: {
      sp: [false],
      cpKind: ['ring', null],
      vpp: [1],
      ep: [1],
      etp: [1],
      sharding: ['none'],
      recompute: ['none'],
      offload: ['none'],
      adapter: ['none'],
      tpOverlap: [false],
      schedule: ['none', '1f1b', 'gpipe'],
      dtype: ['bf16'],
    },
    kvHeadsDivideByTp: true,
    vocabDividesByTp: true,
    layersDivideByPp: false,
    sequenceChunksPerCp: 1,
    source:
      'huggingface/picotron: picotron/model.py, picotron/tensor_parallel, train.py, picotron/process_group_manager.py',
  },
};

/** The framework of a setup's training file, or the one without demands of its own. */
export function frameworkOf(kinds: readonly string[]): Framework {
  const kind = kinds.find(name => Object.hasOwn(FRAMEWORKS, name));
  return kind === undefined ? ANY : (FRAMEWORKS[kind] as Framework);
}

/** The keys of a plan that the framework cannot express. */
export function inexpressible(framework: Framework, plan: Plan): PlanKey[] {
  return (Object.keys(framework.allows) as PlanKey[]).filter(key => {
    const allowed = framework.allows[key] as readonly unknown[] | undefined;
    return plan[key] !== null && allowed !== undefined && !allowed.includes(plan[key]);
  });
}

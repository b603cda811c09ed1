/**
 * The documents that the command line prints with --json, that the worker answers with and that the dashboard draws:
 * one shape for all (schemas/*.schema.json). Unknown is null, never absent. SI units, fractions from 0 to 1, indices
 * from 0, lines and columns from 1.
 */
import type { Cluster, Origin } from '../engine/setup/setup';
import type { HiddenPart, TimePart } from '../engine/estimate/output';
import type { ActivationTrade } from '../engine/estimate/activationTrade';
import type { StageTimes } from '../engine/estimate/stageTimes';
import type { StageMemory } from '../engine/estimate/memory';
import type { Estimate, StateMemory, Throughput } from '../engine/estimate/estimate';
import type { PlanRule } from '../engine/estimate/planRules';
import type { ModelSizes } from '../engine/model/sizes';
import type { Parameters } from '../engine/model/parameters';
import type { Plan } from '../engine/plan/keys';
import type { Footprint } from '../engine/search/footprint';
import type { Scale, Training } from '../engine/search/objective';
import type { LargestBatch } from '../engine/search/whatIf';
import type { Args, ProblemCode, Severity, TextEdit } from '../engine/problem';

export const SCHEMA = 'meshlens/1';

interface FixDocument {
  readonly title: string;
  readonly edits: readonly TextEdit[];
}

export interface ProblemDocument {
  readonly code: ProblemCode;
  readonly severity: Severity;
  readonly message: string;
  readonly args: Args;
  readonly file: string | null;
  readonly line: number | null;
  readonly column: number | null;
  readonly endLine: number | null;
  readonly endColumn: number | null;
  readonly fix: FixDocument | null;
  /** Where the framework enforces what is broken: repository@commit file:line, or a paper. */
  readonly rule: string | null;
}

export interface SetupDocument {
  readonly model: ModelSizes;
  readonly plan: Plan;
  readonly cluster: Cluster;
}

export interface FieldDocument {
  readonly path: string;
  readonly value: unknown;
  readonly origin: Origin;
  readonly file: string | null;
  readonly line: number | null;
  readonly column: number | null;
  readonly endLine: number | null;
  readonly endColumn: number | null;
}

export interface ReadDocument {
  readonly schema: typeof SCHEMA;
  readonly command: 'read';
  readonly files: readonly {
    readonly file: string;
    readonly kind: string | null;
    readonly problems: readonly ProblemDocument[];
  }[];
  readonly setup: SetupDocument;
  readonly fields: readonly FieldDocument[];
  readonly parameters: Parameters | null;
}

export interface MemoryDocument {
  readonly capacityBytes: number | null;
  readonly peakBytes: number | null;
  readonly allocatedBytes: number | null;
  readonly reservedBytes: number | null;
  readonly lowerBytes: number | null;
  readonly upperBytes: number | null;
  readonly peakStage: number | null;
  readonly fits: boolean | null;
  readonly uncertain: boolean | null;
  readonly hostBytes: number | null;
  readonly stages: readonly StageMemory[];
}

interface PipelineDocument {
  readonly schedule: string | null;
  readonly stages: number | null;
  readonly microBatches: number | null;
  readonly bubbleFraction: number | null;
  readonly spanBubbleFraction: number | null;
  readonly virtual: number | null;
  /** Of one micro-batch, by stage. */
  readonly stageSeconds: StageTimes | null;
}

interface AssumptionDocument {
  readonly code: string;
  readonly message: string;
  readonly args: Args;
}

type NullableRecord<T> = { readonly [K in keyof T]: T[K] | null };

export interface EstimateDocument {
  readonly schema: typeof SCHEMA;
  readonly command: 'estimate';
  readonly setup: SetupDocument;
  readonly parameters: Parameters | null;
  /** What the whole model's states need, whatever the batch. */
  readonly states: StateMemory | null;
  readonly throughput: NullableRecord<Throughput>;
  /** MFU under each convention of reports. */
  readonly mfus: Estimate['mfus'];
  readonly bounds: {
    readonly lowerSeconds: number | null;
    readonly upperSeconds: number | null;
    readonly coverage: number | null;
  };
  readonly time: Readonly<Record<TimePart, number | null>>;
  readonly hidden: Readonly<Record<HiddenPart, number | null>>;
  readonly memory: MemoryDocument;
  /** Ways of one layer's activations to its backward pass, with bytes and seconds. */
  readonly activationTrade: ActivationTrade | null;
  readonly pipeline: PipelineDocument;
  readonly evidence: Estimate['evidence'];
  /** Rules of thumb with the plan's numbers, in words. */
  readonly rules: readonly (PlanRule & { readonly message: string })[];
  readonly assumptions: readonly AssumptionDocument[];
  readonly problems: readonly ProblemDocument[];
}

/** A part of the step that a change makes longer or shorter. */
export interface PartChange {
  readonly part: TimePart;
  readonly beforeSeconds: number;
  readonly afterSeconds: number;
}

export interface CandidateDocument {
  readonly plan: Plan;
  readonly planString: string;
  readonly throughput: Throughput;
  readonly memory: {
    readonly peakBytes: number;
    readonly upperBytes: number;
    readonly capacityBytes: number | null;
    readonly fits: boolean | null;
    /** It fits, but the likely range of its memory reaches over the capacity. */
    readonly uncertain: boolean | null;
  };
  readonly bubbleFraction: number;
  /** Keys of the framework that it changes, and those that the open file's framework cannot express. */
  readonly changes: readonly { readonly key: string; readonly before: string | null; readonly after: string | null }[];
  readonly applicable: boolean;
  readonly notApplicable: readonly string[];
  /** Present step over this one; null where there is no present step to compare with. */
  readonly speedup: number | null;
  /** Parts of the step, the largest change first. */
  readonly parts: readonly PartChange[];
  /** One sentence: why it beats the present plan. */
  readonly reason: string;
  /** What the change breaks besides: checkpoints, the learning rate. */
  readonly warnings: readonly string[];
  /** Time and cost of the whole training; null where tokens, price or deadline are not stated. */
  readonly training: Training;
}

/** One change alone, evaluated anew; gains of several do not add up. */
export interface WhatIfDocument {
  readonly changes: CandidateDocument['changes'];
  readonly planString: string;
  readonly stepSeconds: number;
  /** Tokens a second over those of the present plan. */
  readonly speedup: number;
  readonly peakBytes: number;
  readonly fits: boolean;
  /** The framework of the open file can express it. */
  readonly applicable: boolean;
  readonly message: string;
}

export interface ScalePointDocument {
  readonly gpus: number;
  readonly globalBatch: number;
  readonly planString: string | null;
  readonly stepSeconds: number | null;
  readonly tokensPerSecond: number | null;
  readonly efficiency: number | null;
  readonly trainingSeconds: number | null;
  readonly cost: number | null;
  readonly costPerMillionTokens: number | null;
}

/** The batch as a resource: what it is in tokens, and what the pipeline makes of it. */
export interface BatchDocument {
  readonly globalBatch: number;
  readonly tokensPerStep: number;
  readonly criticalTokens: number | null;
  readonly beyondCritical: boolean | null;
  readonly microBatches: number;
  /** (p − 1)/m: the idle time over the busy time of 1F1B with equal stages. */
  readonly idlePerBusy: number;
  /** (p − 1)/(m + p − 1): the idle share of the step. */
  readonly idealBubbleFraction: number;
}

export interface LayoutDocument {
  readonly planString: string;
  readonly stepSeconds: number;
  readonly tokensPerSecond: number;
  readonly peakBytes: number;
  readonly uncertain: boolean | null;
  readonly bubbleFraction: number;
  /** The framework of the open file can express it. */
  readonly applicable: boolean;
  /** Parts of its step, in seconds. */
  readonly time: Readonly<Record<TimePart, number>>;
}

export interface RejectionDocument {
  readonly code: string;
  readonly count: number;
  readonly example: { readonly planString: string; readonly message: string };
}

export interface SearchDocument {
  readonly schema: typeof SCHEMA;
  readonly command: 'search';
  readonly setup: SetupDocument;
  readonly space: {
    readonly candidates: number;
    readonly evaluated: number;
    readonly feasible: number;
    /** Of these, points whose lower bound of time was enough: their schedule was not simulated. */
    readonly bounded: number;
    readonly seconds: number;
  };
  readonly current: {
    readonly plan: Plan;
    readonly planString: string;
    readonly throughput: NullableRecord<Throughput>;
    readonly memory: {
      readonly peakBytes: number | null;
      readonly capacityBytes: number | null;
      readonly fits: boolean | null;
    };
    readonly bubbleFraction: number | null;
    /** Of the feasible plans, those that are faster. */
    readonly fasterPlans: number | null;
  };
  readonly best: readonly CandidateDocument[];
  /**
   * What to run: the first of `best`, unless that fits only closely and the fastest plan that surely fits is slower by
   * no more than the interval of a step.
   */
  readonly recommended: CandidateDocument | null;
  /** Faster layouts that the open file's framework cannot express. */
  readonly elsewhere: readonly CandidateDocument[];
  readonly pareto: readonly CandidateDocument[];
  /** The best plan of each layout (tp, cp, pp, ep, sharding), the fastest first. */
  readonly layouts: readonly LayoutDocument[];
  readonly whatIfs: readonly WhatIfDocument[];
  readonly batch: BatchDocument | null;
  /** The fastest that still fits at the upper bound of memory, under half of the network's rate. */
  readonly robust: (LayoutDocument & { readonly slowSeconds: number; readonly upperBytes: number }) | null;
  readonly largestBatch: LargestBatch | null;
  readonly fewestGpus: ScalePointDocument | null;
  readonly scale: {
    readonly scale: Scale;
    readonly kneeGpus: number | null;
    readonly points: readonly ScalePointDocument[];
  } | null;
  /** Of the whole training under the recommended plan, from the user's own factors. */
  readonly footprint: Footprint | null;
  readonly rejections: readonly RejectionDocument[];
  readonly problems: readonly ProblemDocument[];
}

export interface ApplyDocument {
  readonly schema: typeof SCHEMA;
  readonly command: 'apply';
  readonly edits: readonly TextEdit[];
  readonly problems: readonly ProblemDocument[];
}

export interface ExportDocument {
  readonly schema: typeof SCHEMA;
  readonly command: 'export';
  readonly kind: string;
  /** The config first, then what lies beside it; none where a rule of the framework refuses the plan. */
  readonly files: readonly { readonly name: string; readonly text: string }[];
  /** `became` null: the new files say nothing of it. */
  readonly notCarried: readonly {
    readonly key: string;
    readonly value: string;
    readonly became: string | null;
    readonly message: string;
  }[];
  /** What the user must still fill in. */
  readonly open: readonly { readonly code: string; readonly message: string }[];
  readonly problems: readonly ProblemDocument[];
}

export interface CheckDocument {
  readonly schema: typeof SCHEMA;
  readonly command: 'check';
  readonly problems: readonly ProblemDocument[];
}

export interface ErrorDocument {
  readonly schema: typeof SCHEMA;
  readonly command: string;
  readonly error: { readonly code: string; readonly message: string };
}

/** What a search makes best, and what a plan costs in the user's own units. */

export const OBJECTIVES = ['throughput', 'memory', 'cost', 'time-to-train'] as const;
export type Objective = (typeof OBJECTIVES)[number];

/** On more or fewer GPUs: strong keeps the batch, weak lets it grow with them. */
export const SCALES = ['strong', 'weak'] as const;
export type Scale = (typeof SCALES)[number];

/** What a user may state beside the setup; null is unknown, and what depends on it stays null. */
export interface Goal {
  readonly objective: Objective;
  /** Tokens to train on. */
  readonly tokens: number | null;
  /** Price of a GPU-hour. */
  readonly price: number | null;
  /** Seconds in which the training must be done. */
  readonly deadline: number | null;
  /** Tokens a step past which a larger batch brings little (arXiv 1812.06162, section 2). */
  readonly criticalBatch: number | null;
}

export const NO_GOAL: Goal = {
  objective: 'throughput',
  tokens: null,
  price: null,
  deadline: null,
  criticalBatch: null,
};

export interface Training {
  readonly trainingSeconds: number | null;
  readonly cost: number | null;
  readonly costPerMillionTokens: number | null;
  readonly meetsDeadline: boolean | null;
}

/**
 * Time and cost of a training at `tokensPerSecond` on `gpus`. With a critical batch B_c, a batch of B tokens needs
 * 1 + B/B_c times the tokens of the smallest batches (arXiv 1812.06162, equation 2.11, at its E_min).
 */
export function trainingOf(goal: Goal, tokensPerSecond: number, gpus: number, tokensPerStep: number): Training {
  const { tokens, price, deadline, criticalBatch } = goal;
  const excess = criticalBatch === null ? 1 : 1 + tokensPerStep / criticalBatch;
  const trainingSeconds = tokens === null ? null : (tokens * excess) / tokensPerSecond;
  const perSecond = price === null ? null : (price * gpus) / 3600;
  return {
    trainingSeconds,
    cost: trainingSeconds === null || perSecond === null ? null : trainingSeconds * perSecond,
    costPerMillionTokens: perSecond === null ? null : (1e6 * perSecond) / tokensPerSecond,
    meetsDeadline: trainingSeconds === null || deadline === null ? null : trainingSeconds <= deadline,
  };
}

/** Seconds a sequence, with the excess of a batch past the critical one: what the search makes least. */
export function excessOf({ criticalBatch }: Goal, tokensPerStep: number): number {
  return criticalBatch === null ? 1 : 1 + tokensPerStep / criticalBatch;
}

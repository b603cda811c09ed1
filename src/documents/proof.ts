/**
 * "Prove this plan": a plan of the user's setup, run on the scaled-down twin of the model beside the serial run, as a
 * document with its sentences. A plan that cannot be proved is a document with problems, never an exception.
 */
import { estimate } from '../engine/estimate/estimate';
import { emptyPlan, formatPlan, isPlanKey, parsePlanValue } from '../engine/plan/keys';
import { type Problem, problem } from '../engine/problem';
import { SetupBuilder, type TrainingSetup } from '../engine/setup/setup';
import { emptyText } from '../engine/trainer/data';
import type { BytesByKind } from '../engine/trainer/heap';
import type { DecoderNetwork } from '../engine/trainer/network';
import type { PredictedMemory } from '../engine/trainer/predictMemory';
import type { AxisTraffic, Mismatch, Progress, Proof, Tolerance } from '../engine/trainer/prove';
import { microBatchesOf } from '../engine/trainer/trainPlan';
import { proveTwin, type Twin, type TwinChange, twinOf } from '../engine/trainer/twin';
import { type ProofSentences, mismatchMessage, proofSentences } from '../words/proof';
import { problemDocument } from './build';
import { type ProblemDocument, SCHEMA } from './types';

interface TwinDocument {
  readonly planString: string;
  readonly ranks: number;
  readonly microBatches: number;
  readonly network: DecoderNetwork;
}

/** What was counted; all of it null where the plan was refused. */
export interface ProofResult {
  readonly lossByDataRank: readonly (readonly number[])[];
  readonly losses: readonly number[];
  readonly serialLosses: readonly number[];
  readonly maxLossDifference: number;
  /** Relative to the tensor's largest gradient. */
  readonly maxGradientDifference: number;
  readonly maxWeightDifference: number;
  readonly tolerance: Tolerance;
  readonly equal: boolean;
  readonly mismatches: readonly (Mismatch & { readonly message: string })[];
  /** Over all steps. */
  readonly traffic: readonly AxisTraffic[];
  /** Peaks by rank in the last step. */
  readonly memory: readonly BytesByKind[];
  readonly predictedMemory: readonly PredictedMemory[];
  readonly virtualSeconds: number;
  readonly bubbleFraction: number;
  readonly predictedBubbleFraction: number;
}

export interface ProofDocument {
  readonly schema: typeof SCHEMA;
  readonly command: 'prove';
  /** The plan that was asked for, with what follows from it. */
  readonly planString: string;
  readonly steps: number;
  readonly twin: TwinDocument | null;
  /** What the twin has smaller than the setup. */
  readonly changes: readonly TwinChange[];
  readonly result: ProofResult | null;
  readonly sentences: ProofSentences;
  /** Why the plan was refused. */
  readonly problems: readonly ProblemDocument[];
}

/**
 * Proves the setup's plan, or in its place the plan that `planString` spells out whole; yields after each step.
 * `problems` are those of the files; `text` is what the twin learns, null for the trainer's own.
 */
export function* proofDocument(
  setup: TrainingSetup,
  problems: readonly Problem[],
  planString: string | null,
  steps: number,
  text: Uint8Array | null = null,
): Generator<Progress, ProofDocument> {
  const asked = planString === null ? setup : withPlan(setup, planString);
  const checked = estimate(asked, problems);
  const plan = checked.setup.plan;
  const common = { schema: SCHEMA, command: 'prove', planString: formatPlan(plan), steps } as const;
  const refused = (found: readonly Problem[]): ProofDocument => ({
    ...common,
    twin: null,
    changes: [],
    result: null,
    sentences: proofSentences(null),
    problems: found.map(problemDocument),
  });
  // A run that does not fit is as right or wrong as one that does; what else is an error stops every framework.
  const errors = checked.problems.filter(({ code, severity }) => severity === 'error' && code !== 'out-of-memory');
  if (errors.length > 0) return refused(errors);
  if (plan.dp === null) return refused([problem('value-unknown', { key: 'plan.dp' }, { severity: 'error' })]);
  if (text?.length === 0) return refused([emptyText()]);
  const twin = twinOf(checked.setup);
  if ('code' in twin) return refused([twin]);
  const proof = yield* proveTwin(twin, steps, text);
  const result = resultOf(proof);
  const described = twinDocument(twin);
  return {
    ...common,
    twin: described,
    changes: twin.changes,
    result,
    sentences: proofSentences({ plan, twin: described, changes: twin.changes, result, steps }),
    problems: [],
  };
}

/** A whole plan in the place of the setup's; what is no key or value of a plan is left out. */
function withPlan(setup: TrainingSetup, planString: string): TrainingSetup {
  const builder = new SetupBuilder({ ...setup, plan: emptyPlan() });
  for (const pair of planString.split(',')) {
    const at = pair.indexOf('=');
    const key = pair.slice(0, at);
    const value = isPlanKey(key) ? parsePlanValue(key, pair.slice(at + 1)) : undefined;
    if (isPlanKey(key) && value !== undefined) builder.setPlan(key, value, 'user');
  }
  return builder.build();
}

function twinDocument({ network, plan }: Twin): TwinDocument {
  const { dp, tp, cp, pp } = plan;
  return {
    planString: formatPlan({ ...emptyPlan(), ...plan }),
    ranks: dp * tp * cp * pp,
    microBatches: microBatchesOf(plan),
    network,
  };
}

function resultOf(proof: Proof): ProofResult {
  return { ...proof, mismatches: proof.mismatches.map(found => ({ ...found, message: mismatchMessage(found) })) };
}

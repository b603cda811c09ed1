/** A proof in words: what it shows, what it does not, and what its twin has smaller than the run. */
import type { Plan } from '../engine/plan/keys';
import type { AxisTraffic, Mismatch, Tolerance } from '../engine/trainer/prove';
import type { TwinChange } from '../engine/trainer/twin';
import { formatInteger, formatPercent } from './format';

export interface ProofSentences {
  readonly verdict: string;
  readonly proved: readonly string[];
  readonly notProved: readonly string[];
  readonly scaled: readonly string[];
}

/** Of a proof document, what its sentences need. */
interface Proved {
  readonly plan: Plan;
  readonly twin: { readonly ranks: number; readonly microBatches: number };
  readonly changes: readonly TwinChange[];
  readonly steps: number;
  readonly result: {
    readonly equal: boolean;
    readonly maxLossDifference: number;
    readonly maxGradientDifference: number;
    readonly maxWeightDifference: number;
    readonly tolerance: Tolerance;
    readonly mismatches: readonly { readonly what: Mismatch['what']; readonly message: string }[];
    readonly traffic: readonly AxisTraffic[];
    readonly bubbleFraction: number;
    readonly predictedBubbleFraction: number;
  };
}

/** null: the plan was refused. */
export function proofSentences(proved: Proved | null): ProofSentences {
  if (proved === null)
    return { verdict: 'This plan was not run: see why below.', proved: [], notProved: [], scaled: [] };
  const { result, steps, twin } = proved;
  return {
    verdict: result.equal
      ? `Proved: over ${formatInteger(steps)} steps on ${formatInteger(twin.ranks)} simulated ranks this layout of our program equals the serial run.`
      : `Not proved: this layout of our program parts from the serial run or from its prediction. ${result.mismatches[0]?.message ?? ''}`,
    proved: provedSentences(proved),
    notProved: NOT_PROVED,
    scaled: scaledSentences(proved),
  };
}

/** `1.2e-15`, and `0` for bit-equal. */
const difference = (value: number) => (value === 0 ? '0' : value.toExponential(1));

function provedSentences({ result, twin }: Proved): string[] {
  const { tolerance, traffic } = result;
  const held = (what: Mismatch['what']) => !result.mismatches.some(found => found.what === what);
  const sentences: [Mismatch['what'], string][] = [
    [
      'loss',
      `Loss: at most ${difference(result.maxLossDifference)} from the serial run; ${difference(tolerance.loss)} is allowed.`,
    ],
    [
      'gradient',
      `Gradients: at most ${difference(result.maxGradientDifference)} of their tensor’s largest from the serial run; ${difference(tolerance.gradient)} is allowed.`,
    ],
    [
      'weight',
      `Weights after the step: at most ${difference(result.maxWeightDifference)} from the serial run; ${difference(tolerance.weight)} is allowed.`,
    ],
    ['replica', 'Copies of a weight on different ranks have the same bits.'],
    [
      'traffic',
      traffic.length === 0
        ? 'No rank sends anything, as predicted.'
        : `Traffic: the bytes that each of the ${formatInteger(twin.ranks)} ranks sends on each axis are those predicted, to the byte.`,
    ],
    [
      'memory',
      'Memory: the live bytes of weights, gradients, optimizer and activations at each rank’s peak are those predicted, to the byte.',
    ],
    [
      'bubble',
      `Bubble: ${formatPercent(result.bubbleFraction)} of the ranks’ virtual time, and ${formatPercent(result.predictedBubbleFraction)} predicted.`,
    ],
  ];
  return sentences.filter(([what]) => held(what)).map(([, sentence]) => sentence);
}

const NOT_PROVED = [
  'Your framework’s code: what ran is our own program of the same layout.',
  'Your widths, and with them your numbers: the twin has small widths and a short sequence, and computes in double precision.',
  'Details of your model’s layers: the twin’s are decoder layers with norms, grouped attention and a feed-forward part or experts.',
  'Your hardware: ranks were simulated in one thread, and the bubble is that of equal passes without communication time.',
];

const KEY_WORDS: Readonly<Record<string, string>> = {
  dp: 'data-parallel ranks (dp)',
  tp: 'tensor-parallel ranks (tp)',
  cp: 'context-parallel ranks (cp)',
  pp: 'pipeline stages (pp)',
  vpp: 'chunks a stage (vpp)',
  ep: 'expert-parallel ranks (ep)',
  shardSize: 'ranks that share a copy (shardSize)',
  microBatch: 'micro-batch (microBatch)',
  globalBatch: 'global batch (globalBatch)',
  seqLen: 'sequence (seqLen)',
};

const DEGREES: ReadonlySet<string> = new Set(['dp', 'tp', 'cp', 'pp', 'vpp', 'ep', 'shardSize']);

function scaledSentences({ plan, twin, changes }: Proved): string[] {
  const { dp, tp, cp, pp } = plan;
  const ranks = [dp, tp, cp, pp].reduce<number>((product, degree) => product * (degree ?? 1), 1);
  const step = ({ key, from, to }: TwinChange) =>
    `${KEY_WORDS[key] ?? key} ${formatInteger(from)} → ${formatInteger(to)}`;
  const degrees = changes.filter(({ key }) => DEGREES.has(key));
  const sizes = changes.filter(({ key }) => !DEGREES.has(key));
  const kept = (['dp', 'tp', 'cp', 'pp', 'ep'] as const).filter(
    key => (plan[key] ?? 1) > 1 && !degrees.some(change => change.key === key),
  );
  const rest = kept.length === 0 ? '' : ` Kept as they are: ${kept.map(key => `${key} ${plan[key] ?? 1}`).join(', ')}.`;
  return [
    degrees.length === 0
      ? `Every degree of the plan is kept: ${formatInteger(twin.ranks)} ranks.`
      : `The plan’s ${formatInteger(ranks)} ranks became ${formatInteger(twin.ranks)}: ${degrees.map(step).join(', ')}.${rest}`,
    ...(plan.globalBatch === null || plan.microBatch === null
      ? [
          `The batch is not known: the twin has ${formatInteger(twin.microBatches)} micro-batch${twin.microBatches === 1 ? '' : 'es'} a pipeline.`,
        ]
      : []),
    ...fewerMicroBatches(plan, twin.microBatches),
    ...(sizes.length === 0 ? [] : [`Sizes of the twin: ${sizes.map(step).join(', ')}.`]),
  ];
}

/** The bubble depends on them, so fewer are told apart from the other sizes. */
function fewerMicroBatches({ globalBatch, microBatch, dp, pp }: Plan, microBatches: number): string[] {
  if (globalBatch === null || microBatch === null || dp === null || pp === 1) return [];
  const asked = globalBatch / (microBatch * dp);
  if (asked === microBatches) return [];
  return [
    `Micro-batches of a pipeline ${formatInteger(asked)} → ${formatInteger(microBatches)}: the bubble here is the twin’s, not that of your run.`,
  ];
}

const WHAT: Readonly<Record<Mismatch['what'], string>> = {
  loss: 'the loss',
  gradient: 'the gradient',
  weight: 'the weight',
  replica: 'a copy of the weight',
  traffic: 'the traffic',
  memory: 'the memory',
  bubble: 'the bubble',
};

/** Where two runs part, in words. */
export function mismatchMessage({ what, step, where, index, rank, value, expected }: Mismatch): string {
  const place = [
    ...(where === what || where === 'timeline' ? [] : [` of ${where}`]),
    ...(index === null ? [] : [` at element ${formatInteger(index)}`]),
    ...(rank === null ? [] : [` on rank ${formatInteger(rank)}`]),
  ].join('');
  return `In step ${formatInteger(step + 1)} ${WHAT[what]}${place} is ${value} where ${expected} is expected.`;
}

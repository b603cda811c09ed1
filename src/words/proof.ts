/** A proof in words: what it shows, what it does not, and what its twin has smaller than the run. */
import type { Plan } from '../engine/plan/keys';
import type { AxisTraffic, Mismatch, Tolerance } from '../engine/trainer/prove';
import type { TwinChange } from '../engine/trainer/twin';
import { formatExact, formatExponent, formatInteger, formatPercent } from './format';
import { plural, translated } from './language';
import { SLOVAK, SLOVAK_KEYS, SLOVAK_WHAT } from './proof.sk';

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

const ENGLISH = {
  refused: 'This plan was not run: see why below.',
  proved: (steps: number, ranks: number): string =>
    `Proved: over ${formatInteger(steps)} ${plural(steps, 'step', 'steps')} on ${formatInteger(ranks)} simulated ${plural(ranks, 'rank', 'ranks')} this layout of our program equals the serial run.`,
  parts: (first: string): string =>
    `Not proved: this layout of our program parts from the serial run or from its prediction. ${first}`,
  loss: (found: string, allowed: string): string =>
    `Loss: at most ${found} from the serial run; ${allowed} is allowed.`,
  gradient: (found: string, allowed: string): string =>
    `Gradients: at most ${found} of their tensor’s largest from the serial run; ${allowed} is allowed.`,
  weight: (found: string, allowed: string): string =>
    `Weights after the step: at most ${found} from the serial run; ${allowed} is allowed.`,
  replica: 'Copies of a weight on different ranks have the same bits.',
  silent: 'No rank sends anything, as predicted.',
  traffic: (ranks: number): string =>
    `Traffic: the bytes that each of the ${formatInteger(ranks)} ranks sends on each axis are those predicted, to the byte.`,
  memory:
    'Memory: the live bytes of weights, gradients, optimizer and activations at each rank’s peak are those predicted, to the byte.',
  bubble: (found: string, predicted: string): string =>
    `Bubble: ${found} of the ranks’ virtual time, and ${predicted} predicted.`,
  notProved: [
    'Your framework’s code: what ran is our own program of the same layout.',
    'Your widths, and with them your numbers: the twin has small widths and a short sequence, and computes in double precision.',
    'Details of your model’s layers: the twin’s are decoder layers with norms, grouped attention and a feed-forward part or experts.',
    'Your hardware: ranks were simulated in one thread, and the bubble is that of equal passes without communication time.',
  ],
  whole: (ranks: number): string =>
    `Every degree of the plan is kept: ${formatInteger(ranks)} ${plural(ranks, 'rank', 'ranks')}.`,
  fewer: (ranks: number, twin: number, changes: string): string =>
    `The plan’s ${formatInteger(ranks)} ranks became ${formatInteger(twin)}: ${changes}.`,
  kept: (degrees: string): string => `Kept as they are: ${degrees}.`,
  batchUnknown: (count: number): string =>
    `The batch is not known: the twin has ${formatInteger(count)} ${plural(count, 'micro-batch', 'micro-batches')} a pipeline.`,
  sizes: (changes: string): string => `Sizes of the twin: ${changes}.`,
  microBatches: (asked: number, run: number): string =>
    `Micro-batches of a pipeline ${formatInteger(asked)} → ${formatInteger(run)}: the bubble here is the twin’s, not that of your run.`,
  ofTensor: (name: string): string => `of ${name}`,
  atElement: (index: number): string => `at element ${formatInteger(index)}`,
  onRank: (rank: number): string => `on rank ${formatInteger(rank)}`,
  mismatch: (step: number, what: string, value: string, expected: string): string =>
    `In step ${formatInteger(step)} ${what} is ${value} where ${expected} is expected.`,
};

const WORDS = translated(ENGLISH, SLOVAK);

/** null: the plan was refused. */
export function proofSentences(proved: Proved | null): ProofSentences {
  if (proved === null) return { verdict: WORDS.refused, proved: [], notProved: [], scaled: [] };
  const { result, steps, twin } = proved;
  return {
    verdict: result.equal ? WORDS.proved(steps, twin.ranks) : WORDS.parts(result.mismatches[0]?.message ?? ''),
    proved: provedSentences(proved),
    notProved: WORDS.notProved,
    scaled: scaledSentences(proved),
  };
}

function provedSentences({ result, twin }: Proved): string[] {
  const { tolerance, traffic } = result;
  const held = (what: Mismatch['what']) => !result.mismatches.some(found => found.what === what);
  const sentences: [Mismatch['what'], string][] = [
    ['loss', WORDS.loss(formatExponent(result.maxLossDifference), formatExponent(tolerance.loss))],
    ['gradient', WORDS.gradient(formatExponent(result.maxGradientDifference), formatExponent(tolerance.gradient))],
    ['weight', WORDS.weight(formatExponent(result.maxWeightDifference), formatExponent(tolerance.weight))],
    ['replica', WORDS.replica],
    ['traffic', traffic.length === 0 ? WORDS.silent : WORDS.traffic(twin.ranks)],
    ['memory', WORDS.memory],
    ['bubble', WORDS.bubble(formatPercent(result.bubbleFraction), formatPercent(result.predictedBubbleFraction))],
  ];
  return sentences.filter(([what]) => held(what)).map(([, sentence]) => sentence);
}

const ENGLISH_KEYS = {
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

const KEY_WORDS: Readonly<Record<string, string>> = translated(ENGLISH_KEYS, SLOVAK_KEYS);

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
  const rest = kept.length === 0 ? '' : ` ${WORDS.kept(kept.map(key => `${key} ${plan[key] ?? 1}`).join(', '))}`;
  return [
    degrees.length === 0
      ? WORDS.whole(twin.ranks)
      : `${WORDS.fewer(ranks, twin.ranks, degrees.map(step).join(', '))}${rest}`,
    ...(plan.globalBatch === null || plan.microBatch === null ? [WORDS.batchUnknown(twin.microBatches)] : []),
    ...fewerMicroBatches(plan, twin.microBatches),
    ...(sizes.length === 0 ? [] : [WORDS.sizes(sizes.map(step).join(', '))]),
  ];
}

/** The bubble depends on them, so fewer are told apart from the other sizes. */
function fewerMicroBatches({ globalBatch, microBatch, dp, pp }: Plan, microBatches: number): string[] {
  if (globalBatch === null || microBatch === null || dp === null || pp === 1) return [];
  const asked = globalBatch / (microBatch * dp);
  if (asked === microBatches) return [];
  return [WORDS.microBatches(asked, microBatches)];
}

const ENGLISH_WHAT: Readonly<Record<Mismatch['what'], string>> = {
  loss: 'the loss',
  gradient: 'the gradient',
  weight: 'the weight',
  replica: 'a copy of the weight',
  traffic: 'the traffic',
  memory: 'the memory',
  bubble: 'the bubble',
};

const WHAT = translated(ENGLISH_WHAT, SLOVAK_WHAT);

/** Where two runs part, in words. */
export function mismatchMessage({ what, step, where, index, rank, value, expected }: Mismatch): string {
  const place = [
    ...(where === what || where === 'timeline' ? [] : [` ${WORDS.ofTensor(where)}`]),
    ...(index === null ? [] : [` ${WORDS.atElement(index)}`]),
    ...(rank === null ? [] : [` ${WORDS.onRank(rank)}`]),
  ].join('');
  return WORDS.mismatch(step + 1, `${WHAT[what]}${place}`, formatExact(value), formatExact(expected));
}

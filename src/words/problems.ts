/** Problems in words: what is wrong, with the numbers in it, and what mends it. One entry a code. */
import type { Args, Fix, FixCode, Problem, ProblemCode } from '../engine/problem';
import { PITFALLS } from './pitfalls';
import { bytes, int, type Sentence, text } from './args';
import { expectedText } from './expected';
import { keyName } from './keys';
import { translated } from './language';
import { SLOVAK_ABSENT, SLOVAK_NOT_MODELLED, SLOVAK_PROBLEMS, SLOVAK_UNKNOWN } from './problems.sk';

const ENGLISH_NOT_MODELLED = {
  'model-type': ({ name }) =>
    name === ''
      ? 'The file states no model_type: it is counted as a Llama-like decoder, which may be wrong.'
      : `The model type “${text(name)}” is not in the table of architectures: it is counted as a Llama-like decoder, which may be wrong.`,
  'model-option': ({ name }) =>
    `${text(name)} makes a model of another kind: it is counted as one stack of decoder layers, which may be wrong.`,
  'remote-code': ({ name }) =>
    `The class of “${text(name)}” is not part of transformers: its parameters are counted from the sizes and may differ.`,
  'text-only': ({ name }) => `Of “${text(name)}” the text model alone is counted.`,
  'layer-parts': ({ name }) =>
    `The layers' own parts (${text(name)}) count as parameters; their time and activations are not modelled.`,
  beside: ({ name }) => `Beside the decoder (${text(name)}): parameters count, time and activations are not modelled.`,
  diffusion: ({ name }) => `${text(name)} is no language model: its time and memory are not modelled.`,
  hpz: ({ name }) => `The second copy of the weights in a node (${text(name)}) is not modelled.`,
  'pipeline-layout': ({ name }) => `${text(name)}: the layers of each stage are taken to be alike.`,
  'multi-token-prediction': ({ name }) => `The layers of multi-token prediction (${text(name)}) are not counted.`,
  'several-configs': ({ name, count }) => `The file has ${int(count)} configs; this is ${text(name)}.`,
  'script-size': () => 'The script is too large to be read to its end.',
  word: ({ key, name }) => `${text(key)}: “${text(name)}” is not modelled; the usual value is taken.`,
  optimizer: ({ name }) => `The optimizer ${text(name)} is not modelled: AdamW is taken.`,
  finetuning: ({ name }) => `Fine-tuning by ${text(name)} is not modelled: all weights are taken to be trained.`,
  cpu: ({ name }) => `Training on CPUs (${text(name)}) is not modelled: the estimate is for accelerators.`,
} satisfies Readonly<Record<string, Sentence>>;

export const NOT_MODELLED: Readonly<Record<string, Sentence>> = translated(ENGLISH_NOT_MODELLED, SLOVAK_NOT_MODELLED);

const ENGLISH_UNKNOWN = {
  environment: ({ key, name }) => `${text(key)} comes from ${text(name)}, a variable of the environment.`,
  argument: ({ key, name }) => `${text(key)} comes from ${text(name)}, an argument of the script.`,
  command: ({ key, name }) => `${text(key)} comes from the output of ${text(name)}, which is not run.`,
  branch: ({ key, name }) => `${text(key)} depends on ${text(name)}.`,
  loop: ({ key, name }) => `${text(key)} takes several values in the loop over ${text(name)}.`,
  expression: ({ key, name }) => `${text(key)} is an expression that is not evaluated: ${text(name)}.`,
  size: ({ key }) => `${text(key)} is too long to be read.`,
  tokenizer: () => 'The vocabulary is the tokenizer’s, and no table knows that one.',
  file: ({ key, name }) => `${text(key)} stands in another file: ${text(name)}.`,
  absent: ({ key }) => `${keyName(text(key))} is missing: neither the file nor its defaults give it.`,
  choices: ({ key }) => `${text(key)} is a list of choices to be tuned, so it is not known here.`,
  zoo: ({ name }) => `The sizes of ${text(name)} are not known here: open its config.json beside this file.`,
  flavor: ({ name }) => `The sizes of the flavor ${text(name)} are not known here.`,
  auto: ({ key }) => `${text(key)} is “auto”: the trainer fills it, so it is not known here.`,
  'cut-off': ({ key }) => `The ${text(key)} ends within a line, which is left out.`,
  missing: ({ key, name }) => `${text(key)} depends on ${text(name)}, which this file does not set.`,
} satisfies Readonly<Record<string, Sentence>>;

export const UNKNOWN: Readonly<Record<string, Sentence>> = translated(ENGLISH_UNKNOWN, SLOVAK_UNKNOWN);

/** Codes with many sentences, each by its reason. */
type SortedCode = 'value-unknown' | 'pitfall' | 'not-modelled';

const ENGLISH: Readonly<Record<Exclude<ProblemCode, SortedCode>, Sentence>> = {
  syntax: ({ format, reason }) => `This is not valid ${text(format)}: ${text(reason)}.`,
  'too-deep': ({ limit }) => `The file nests deeper than ${int(limit)} levels and is not read.`,
  'too-large': ({ length, limit }) => `The file has ${int(length)} characters; files over ${int(limit)} are not read.`,
  'duplicate-key': ({ key, framework }) =>
    framework === undefined
      ? `${text(key)} is written twice; the last one counts.`
      : `${text(key)} is written twice, which ${text(framework)} refuses.`,
  'value-invalid': ({ key, expected, value }) =>
    `${text(key)} must be ${expectedText(text(expected))}, not ${text(value)}.`,
  'missing-key': ({ key, value }) =>
    `${text(key)} is missing; ${text(value)} is assumed here, the framework itself stops without it.`,
  'environment-default': ({ name, value }) =>
    `${text(name)} is a variable of the environment; its default ${text(value)} is taken.`,
  'cluster-unknown': ({ what }) =>
    what === 'gpus'
      ? 'The number of GPUs is not known, so there is no step time.'
      : 'The accelerator is not known, so there is no step time and no capacity to fit in.',
  'world-size': ({ dp, tp, cp, pp, product, gpus }) =>
    dp === null
      ? `tp ${int(tp)} · cp ${int(cp)} · pp ${int(pp)} = ${int(product)} does not divide ${int(gpus)} GPUs.`
      : `dp ${int(dp)} · tp ${int(tp)} · cp ${int(cp)} · pp ${int(pp)} = ${int(product)}, but the cluster has ${int(gpus)} GPUs.`,
  'heads-tp': ({ heads, tp }) => `${int(heads)} attention heads do not divide over tp ${int(tp)}.`,
  'heads-cp': ({ heads, tp, cp }) =>
    `${int(heads)} attention heads do not divide over tp ${int(tp)} · cp ${int(cp)}, which all-to-all context parallelism requires.`,
  'kv-heads-tp': ({ kvHeads, tp, framework }) =>
    framework === 'any'
      ? `${int(kvHeads)} kv heads neither divide over tp ${int(tp)} nor divide it.`
      : `${int(kvHeads)} kv heads do not divide over tp ${int(tp)}, which ${text(framework)} requires.`,
  'heads-kv-heads': ({ heads, kvHeads }) =>
    `${int(heads)} attention heads do not divide over ${int(kvHeads)} kv heads.`,
  'hidden-tp': ({ hidden, tp, framework }) =>
    `The hidden size ${int(hidden)} does not divide over tp ${int(tp)}, which ${text(framework)} requires.`,
  'hidden-heads': ({ hidden, heads }) => `The hidden size ${int(hidden)} does not divide into ${int(heads)} heads.`,
  'vocab-tp': ({ vocab, tp, framework }) =>
    `A vocabulary of ${int(vocab)} does not divide over tp ${int(tp)}, which ${text(framework)} requires.`,
  'layers-pp': ({ layers, pp, stages, sum }) =>
    sum === layers
      ? `${int(layers)} layers cannot be split over pp ${int(pp)} (${int(stages)} chunks).`
      : `The stages hold ${int(sum)} layers in ${int(stages)} parts, but the model has ${int(layers)} layers on pp ${int(pp)}.`,
  'layers-vpp': ({ layers, pp, vpp }) =>
    `${int(layers)} layers do not divide into pp ${int(pp)} · vpp ${int(vpp)} chunks.`,
  'sequence-cp': ({ seqLen, cp, tp, divisor }) =>
    tp === undefined
      ? `A sequence of ${int(seqLen)} does not divide by ${int(divisor)}, which cp ${int(cp)} requires.`
      : `A sequence of ${int(seqLen)} does not divide by ${int(divisor)}, which tp ${int(tp)} and cp ${int(cp)} require.`,
  'sequence-sp': ({ seqLen, tp, cp }) =>
    `Sequence parallelism needs a sequence that divides over tp ${int(tp)} · cp ${int(cp)}; ${int(seqLen)} does not.`,
  'experts-ep': ({ experts, ep }) => `${int(experts)} experts do not divide over ep ${int(ep)}.`,
  'expert-ranks': ({ ranks, ep, etp }) =>
    `dp·cp·tp = ${int(ranks)} ranks do not divide by ep ${int(ep)} · etp ${int(etp)}.`,
  'batch-identity': ({ globalBatch, microBatch, dp, steps, product }) =>
    steps !== undefined
      ? `The global batch ${int(globalBatch)} is not micro-batch ${int(microBatch)} · accumulation ${int(steps)} · dp ${int(dp)} = ${int(product)}.`
      : `The global batch ${int(globalBatch)} is no multiple of micro-batch ${int(microBatch)} · dp ${int(dp)}.`,
  'not-divisible': ({ key, value, divisor, framework }) =>
    `${text(key)} ${int(value)} does not divide by ${int(divisor)}, which ${text(framework)} requires.`,
  'options-incompatible': ({ key, other, framework }) =>
    `${text(framework)} does not allow ${text(key)} together with ${text(other)}.`,
  'option-ignored': ({ key, because, framework, missing }) =>
    missing === true
      ? `${text(framework)} ignores ${text(key)} without ${text(because)}.`
      : `${text(framework)} ignores ${text(key)} because of ${text(because)}.`,
  'option-deprecated': ({ key, instead, framework }) =>
    `${text(key)} is deprecated in ${text(framework)}; ${text(instead)} replaces it.`,
  'schedule-shape': ({ schedule, rule, stages, microBatches, virtual, required }) =>
    `The schedule ${text(schedule)} does not admit ${int(stages)} stages, ${int(microBatches)} micro-batches and ${int(virtual)} chunks a stage (rule ${text(rule)}${required === undefined ? '' : `, required ${int(required)}`}).`,
  'dtype-device': ({ dtype, gpu }) => `The ${text(gpu)} has no units that multiply in ${text(dtype)}.`,
  'out-of-memory': ({ peakBytes, lowerBytes, upperBytes, capacityBytes, stage }) =>
    `Out of memory: stage ${int(stage)} needs ${bytes(peakBytes)} a GPU (${bytes(lowerBytes)} to ${bytes(upperBytes)}), and the GPU has ${bytes(capacityBytes)}.`,
  'memory-uncertain': ({ peakBytes, upperBytes, capacityBytes, stage }) =>
    `Close to the limit: stage ${int(stage)} needs ${bytes(peakBytes)} a GPU and may need ${bytes(upperBytes)} of ${bytes(capacityBytes)}.`,
  contradiction: ({ key, value, other, file, line }) =>
    `${text(key)} is ${text(value)} here and ${text(other)} in ${text(file)}:${int(line)}; this file's value counts.`,
  'not-expressible': ({ framework, key, value }) => `${text(framework)} cannot express ${text(key)} = ${text(value)}.`,
};

export const SENTENCES = translated(ENGLISH, SLOVAK_PROBLEMS);

/** Where no sentence knows the reason. */
const ABSENT = translated(
  {
    unknown: (name: string): string => `The ${name} is not known: no file states it.`,
    pitfall: (what: string): string => `${what} spoils the measurement.`,
    notModelled: (what: string): string => `${what} is not modelled.`,
  },
  SLOVAK_ABSENT,
);

const SORTED: Readonly<Record<SortedCode, Sentence>> = {
  'value-unknown': args => UNKNOWN[text(args.reason)]?.(args) ?? ABSENT.unknown(keyName(text(args.key))),
  pitfall: args => PITFALLS[text(args.what)]?.(args) ?? ABSENT.pitfall(text(args.what)),
  'not-modelled': args => NOT_MODELLED[text(args.what)]?.(args) ?? ABSENT.notModelled(subject(args)),
};

const isSorted = (code: ProblemCode): code is SortedCode => code in SORTED;

/** What is not modelled: by name, by what it is, or as the value of a key. */
function subject({ name, what, key, value }: Args): string {
  if (key !== undefined) return `${text(key)} = ${text(value)}`;
  return text(name ?? what);
}

export function problemMessage({ code, args }: Pick<Problem, 'code' | 'args'>): string {
  return (isSorted(code) ? SORTED[code] : SENTENCES[code])(args);
}

const FIXES: Readonly<Record<FixCode, Sentence>> = {
  'set-value': ({ key, value }) => `${text(key)} = ${text(value)}`,
};

export function fixTitle({ code, args }: Pick<Fix, 'code' | 'args'>): string {
  return FIXES[code](args);
}

/** Rules of thumb in words, with their numbers. */
import type { PlanRule } from '../engine/estimate/planRules';
import { formatBytes, formatInteger, formatNumber } from './format';
import { translated } from './language';
import { SLOVAK } from './rules.sk';

const ENGLISH: Readonly<Record<PlanRule['code'], (rule: PlanRule) => string>> = {
  'data-parallel': ({ left, right, holds }) =>
    `Data parallelism hides under the compute from ${formatInteger(right)} tokens a GPU; this run has ${formatInteger(left)}: ${holds ? 'enough' : 'too few'}.`,
  'tensor-parallel': ({ left, right, holds }) =>
    `Tensor parallelism over the fast link hides up to tp ${formatNumber(left, 2)}; this run has ${formatInteger(right)}: ${holds ? 'within it' : 'beyond it'}.`,
  'across-nodes': ({ left, right, holds }) =>
    `Across nodes data parallelism hides under the compute from ${formatInteger(right)} tokens a node; this run has ${formatInteger(left)}: ${holds ? 'enough' : 'too few'}.`,
  buckets: ({ left, right, holds }) =>
    `Buckets of gradients hide best at ${formatBytes(right)}; this run has ${formatBytes(left)}: ${holds ? 'near it' : left < right ? 'many small calls' : 'the last one stays visible'}.`,
};

const SENTENCES = translated(ENGLISH, SLOVAK);

export function ruleMessage(rule: PlanRule): string {
  return SENTENCES[rule.code](rule);
}

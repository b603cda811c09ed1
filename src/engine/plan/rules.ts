/**
 * What cannot work: divisibility, the world's size, the batch identity. Each rule gives a problem at the key that
 * causes it, with the numbers in it. Frameworks add or relax rules by their entry in frameworks.ts.
 */
import type { ModelSizes } from '../model/architecture';
import { type Args, type Problem, type ProblemCode, problem } from '../problem';
import type { FieldPath, TrainingSetup } from '../setup/setup';
import { type Framework, frameworkOf, inexpressible } from './frameworks';
import type { Plan, PlanKey } from './keys';

/** A rule that a plan breaks, without a place: what the search counts. */
export interface Violation {
  readonly code: ProblemCode;
  readonly args: Args;
  /** The keys to blame, the likeliest first. */
  readonly keys: readonly PlanKey[];
}

/** Everything that the plan of a completed setup breaks, cheapest rules first. */
export function violations(plan: Plan, sizes: ModelSizes, gpus: number | null, framework: Framework): Violation[] {
  return [
    ...worldRule(plan, gpus),
    ...tensorRules(plan, sizes, framework),
    ...pipelineRules(plan, sizes, framework),
    ...sequenceRules(plan, framework),
    ...expertRules(plan, sizes),
    ...batchRule(plan),
  ];
}

/** The violations as problems at the keys in the user's files. */
export function checkPlan(setup: TrainingSetup): Problem[] {
  const framework = frameworkOf(setup.kinds);
  const found = violations(setup.plan, setup.sizes, setup.cluster.gpus, framework);
  const foreign = inexpressible(framework, setup.plan)
    .filter(key => setup.fields.get(`plan.${key}`)?.origin !== 'default')
    .map(key => ({
      code: 'not-expressible' as const,
      args: { framework: framework.name, key, value: String(setup.plan[key]) },
      keys: [key],
    }));
  return [...found, ...foreign].map(({ code, args, keys }) => problem(code, args, { source: placeOf(setup, keys) }));
}

function placeOf(setup: TrainingSetup, keys: readonly PlanKey[]) {
  for (const key of keys) {
    const source = setup.fields.get(`plan.${key}` as FieldPath)?.source;
    if (source !== undefined && source !== null) return source;
  }
  return null;
}

function worldRule(plan: Plan, gpus: number | null): Violation[] {
  const { tp, cp, pp, dp } = plan;
  if (gpus === null) return [];
  const inner = (tp ?? 1) * (cp ?? 1) * (pp ?? 1);
  if (dp === null && gpus % inner === 0) return [];
  const product = inner * (dp ?? 1);
  if (dp !== null && product === gpus) return [];
  return [
    {
      code: 'world-size',
      args: { dp, tp: tp ?? 1, cp: cp ?? 1, pp: pp ?? 1, product, gpus },
      keys: ['dp', 'pp', 'cp', 'tp'],
    },
  ];
}

function tensorRules(plan: Plan, sizes: ModelSizes, framework: Framework): Violation[] {
  const { tp } = plan;
  const { heads, kvHeads, vocab } = sizes;
  if (tp === null || tp === 1) return [];
  const found: Violation[] = [];
  if (heads !== null && heads % tp !== 0) found.push({ code: 'heads-tp', args: { heads, tp }, keys: ['tp'] });
  if (kvHeads !== null && kvHeads % tp !== 0 && (framework.kvHeadsDivideByTp || tp % kvHeads !== 0)) {
    found.push({ code: 'kv-heads-tp', args: { kvHeads, tp, framework: framework.name }, keys: ['tp'] });
  }
  if (framework.vocabDividesByTp && vocab !== null && vocab % tp !== 0) {
    found.push({ code: 'vocab-tp', args: { vocab, tp, framework: framework.name }, keys: ['tp'] });
  }
  return found;
}

function pipelineRules(plan: Plan, sizes: ModelSizes, framework: Framework): Violation[] {
  const { pp, vpp, stageLayers } = plan;
  const { layers } = sizes;
  if (pp === null || layers === null) return [];
  const chunks = pp * (vpp ?? 1);
  if (stageLayers !== null) {
    const sum = stageLayers.reduce((a, b) => a + b, 0);
    if (sum === layers && stageLayers.length === chunks) return [];
    return [{ code: 'layers-pp', args: { layers, pp, stages: stageLayers.length, sum }, keys: ['stageLayers', 'pp'] }];
  }
  if (layers < chunks || (framework.layersDivideByPp && layers % pp !== 0)) {
    return [{ code: 'layers-pp', args: { layers, pp, stages: chunks, sum: layers }, keys: ['pp'] }];
  }
  if (vpp !== null && vpp > 1 && layers % chunks !== 0)
    return [{ code: 'layers-vpp', args: { layers, pp, vpp }, keys: ['vpp', 'pp'] }];
  return [];
}

function sequenceRules(plan: Plan, framework: Framework): Violation[] {
  const { cp, tp, sp, seqLen } = plan;
  if (seqLen === null) return [];
  const found: Violation[] = [];
  const chunks = (cp ?? 1) * framework.sequenceChunksPerCp;
  if (cp !== null && cp > 1 && seqLen % chunks !== 0)
    found.push({ code: 'sequence-cp', args: { seqLen, cp, divisor: chunks }, keys: ['cp', 'seqLen'] });
  if (sp === true && tp !== null && (seqLen / (cp ?? 1)) % tp !== 0)
    found.push({ code: 'sequence-sp', args: { seqLen, tp, cp: cp ?? 1 }, keys: ['sp', 'tp'] });
  return found;
}

function expertRules(plan: Plan, sizes: ModelSizes): Violation[] {
  const { ep, etp, dp, cp, tp } = plan;
  if (ep === null || ep === 1) return [];
  const experts = sizes.experts ?? 0;
  if (experts === 0 || experts % ep !== 0) return [{ code: 'experts-ep', args: { experts, ep }, keys: ['ep'] }];
  const ranks = (dp ?? 0) * (cp ?? 1) * (tp ?? 1);
  if (dp !== null && ranks % (ep * (etp ?? 1)) !== 0)
    return [{ code: 'expert-ranks', args: { ranks, ep, etp: etp ?? 1 }, keys: ['ep', 'etp'] }];
  return [];
}

function batchRule(plan: Plan): Violation[] {
  const { microBatch, globalBatch, dp } = plan;
  if (microBatch === null || globalBatch === null || dp === null) return [];
  if (globalBatch % (microBatch * dp) === 0) return [];
  return [{ code: 'batch-identity', args: { globalBatch, microBatch, dp }, keys: ['globalBatch', 'microBatch', 'dp'] }];
}

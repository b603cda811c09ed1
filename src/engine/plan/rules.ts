/**
 * What cannot work: divisibility, the world's size, the batch identity. Each rule gives a problem at the key that
 * causes it, with the numbers in it. Frameworks add or relax rules by their entry in frameworks.ts.
 */
import { ACCELERATORS, isAcceleratorId, multiplies } from '../hardware/accelerators';
import type { ModelSizes } from '../model/sizes';
import { type Args, type Fix, type Problem, type ProblemCode, problem, type SourceRange } from '../problem';
import type { FieldPath, TrainingSetup } from '../setup/setup';
import { excludedKeys, type Framework, frameworkOf, inexpressible } from './frameworks';
import type { Plan, PlanKey } from './keys';

/** A rule that a plan breaks, without a place: what the search counts. */
export interface Violation {
  readonly code: ProblemCode;
  readonly args: Args;
  /** The keys to blame, the likeliest first. */
  readonly keys: readonly PlanKey[];
  /** The rule's source where it is not that of its code. */
  readonly rule?: string;
}

/** Everything that the plan of a completed setup breaks, cheapest rules first. */
export function violations(plan: Plan, sizes: ModelSizes, gpus: number | null, framework: Framework): Violation[] {
  return [
    ...worldRule(plan, gpus),
    ...tensorRules(plan, sizes, framework),
    ...pipelineRules(plan, sizes, framework),
    ...headsOfContext(plan, sizes),
    ...sequenceRules(plan, framework),
    ...expertRules(plan, sizes, framework),
    ...batchRule(plan),
    ...exclusions(plan, sizes, framework),
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
      rule: framework.source,
    }));
  const all: Violation[] = [...found, ...statedBatch(setup), ...foreign];
  const problems = all.map(violation => {
    const { code, args, keys, rule = framework.rules[code] ?? null } = violation;
    return problem(code, args, { source: placeOf(setup, keys), fix: fixOf(setup, violation, framework), rule });
  });
  return [...problems, ...headGroups(setup, framework), ...deviceTypes(setup)];
}

/** Query heads share kv heads in equal groups (arXiv 2305.13245, section 2.2). */
function headGroups({ sizes, fields }: TrainingSetup, framework: Framework): Problem[] {
  const { heads, kvHeads } = sizes;
  if (heads === null || kvHeads === null || kvHeads === 0 || heads % kvHeads === 0) return [];
  const source = fields.get('model.kvHeads')?.source ?? fields.get('model.heads')?.source ?? null;
  const rule = framework.rules['heads-kv-heads'] ?? 'arXiv 2305.13245, section 2.2';
  return [problem('heads-kv-heads', { heads, kvHeads }, { source, rule })];
}

/** Numbers that the device has no units for: an error in 8 and 4 bits, and slow (emulated) in bf16. */
function deviceTypes({ plan, cluster, fields }: TrainingSetup): Problem[] {
  const { gpu } = cluster;
  const field = fields.get('plan.dtype');
  if (gpu === null || !isAcceleratorId(gpu) || field?.origin === 'default') return [];
  const device = ACCELERATORS[gpu];
  const isEmulated = plan.dtype === 'bf16' && device.peakFlopsPerSecond.bf16 === null;
  if (multiplies(device, plan) && !isEmulated) return [];
  const dtype = plan.dtype === 'fp8' && plan.fp8Recipe === 'mxfp8' ? 'mxfp8' : plan.dtype;
  const severity = isEmulated ? 'warning' : 'error';
  return [problem('dtype-device', { dtype, gpu }, { source: field?.source ?? null, severity })];
}

/**
 * Accumulation that a file states beside both batches must agree with them (DeepSpeed asserts it), and the batch of a
 * rank must divide the whole one (torchtitan does).
 */
function statedBatch({ plan, stated }: TrainingSetup): Violation[] {
  const { microBatch, globalBatch, dp } = plan;
  const rankBatch = stated?.rankBatch?.value;
  if (rankBatch !== undefined && globalBatch !== null && dp !== null && globalBatch % (rankBatch * dp) !== 0) {
    const args = { globalBatch, microBatch: rankBatch, dp };
    return [{ code: 'batch-identity', args, keys: ['globalBatch', 'microBatch', 'dp'] }];
  }
  const steps = stated?.accumulation?.value;
  if (steps === undefined || microBatch === null || globalBatch === null || dp === null) return [];
  if (globalBatch % (microBatch * dp) !== 0 || globalBatch === microBatch * steps * dp) return [];
  const args = { globalBatch, microBatch, dp, steps, product: microBatch * steps * dp };
  return [{ code: 'batch-identity', args, keys: ['globalBatch', 'microBatch', 'dp'] }];
}

/** A change of one number in the file that mends the plan: the nearest that is allowed. */
function fixOf(setup: TrainingSetup, { code, args }: Violation, framework: Framework): Fix | null {
  const { plan, sizes } = setup;
  const breaks = (change: Partial<Plan>) =>
    violations({ ...plan, ...change }, sizes, setup.cluster.gpus, framework).some(found => found.code === code);
  switch (code) {
    case 'heads-tp':
    case 'kv-heads-tp':
    case 'vocab-tp':
    case 'hidden-tp':
      return nearest(
        setup,
        'tp',
        value => !breaks({ tp: value }) && !TP_CODES.some(other => breaksCode(setup, framework, other, value)),
      );
    case 'experts-ep':
      return nearest(setup, 'ep', value => !breaks({ ep: value }));
    case 'layers-pp':
      return nearest(setup, 'pp', value => !breaks({ pp: value }));
    case 'world-size': {
      const inner = (plan.tp ?? 1) * (plan.cp ?? 1) * (plan.pp ?? 1);
      const dp = (setup.cluster.gpus ?? 0) / inner;
      return Number.isInteger(dp) && dp >= 1 ? replacement(setup, 'dp', dp) : null;
    }
    case 'batch-identity': {
      const unit = (typeof args.microBatch === 'number' ? args.microBatch : 1) * (plan.dp ?? 1);
      const next =
        typeof args.product === 'number' ? args.product : Math.ceil((plan.globalBatch ?? unit) / unit) * unit;
      return replacement(setup, 'globalBatch', next);
    }
    default:
      return null;
  }
}

const TP_CODES = ['heads-tp', 'kv-heads-tp', 'vocab-tp', 'hidden-tp'] as const;

function breaksCode({ plan, sizes }: TrainingSetup, framework: Framework, code: ProblemCode, tp: number): boolean {
  return tensorRules({ ...plan, tp }, sizes, framework).some(found => found.code === code);
}

/** Degrees that a search for the nearest looks at. */
const FARTHEST = 4096;

/** The value nearest to the present one that passes, the smaller of two; written where the file has the present one. */
function nearest(setup: TrainingSetup, key: 'tp' | 'ep' | 'pp', passes: (value: number) => boolean): Fix | null {
  const present = setup.plan[key] ?? 1;
  if (numberPlace(setup, key) === null) return null;
  for (let step = 1; step < Math.min(FARTHEST, 2 * present); step++) {
    const value = [present - step, present + step].find(candidate => candidate >= 1 && passes(candidate));
    if (value !== undefined) return replacement(setup, key, value);
  }
  return null;
}

function replacement(setup: TrainingSetup, key: PlanKey, value: number): Fix | null {
  const source = numberPlace(setup, key);
  return source === null
    ? null
    : { code: 'set-value', args: { key, value }, edits: [{ ...source, newText: String(value) }] };
}

/** Where a file holds exactly the number of a key, so that another number may stand in its place. */
function numberPlace({ plan, fields }: TrainingSetup, key: PlanKey): SourceRange | null {
  const field = fields.get(`plan.${key}`);
  const { source } = field ?? { source: null };
  if (field?.origin !== 'file' || source === null || source.line !== source.endLine) return null;
  return source.endColumn - source.column === String(plan[key]).length ? source : null;
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
  const { heads, hidden, kvHeads, vocab } = sizes;
  if (tp === null || tp === 1) return [];
  const found: Violation[] = [];
  if (heads !== null && heads % tp !== 0) found.push({ code: 'heads-tp', args: { heads, tp }, keys: ['tp'] });
  if (kvHeads !== null && kvHeads % tp !== 0 && (framework.kvHeadsDivideByTp || tp % kvHeads !== 0)) {
    found.push({ code: 'kv-heads-tp', args: { kvHeads, tp, framework: framework.name }, keys: ['tp'] });
  }
  if (framework.vocabDividesByTp && vocab !== null && vocab % tp !== 0) {
    found.push({ code: 'vocab-tp', args: { vocab, tp, framework: framework.name }, keys: ['tp'] });
  }
  if (framework.hiddenDividesByTp && hidden !== null && hidden % tp !== 0) {
    found.push({ code: 'hidden-tp', args: { hidden, tp, framework: framework.name }, keys: ['tp'] });
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
  const ends = framework.endsCountAsLayers ? [0, 1, 2] : [0];
  const divides = (parts: number) => ends.some(extra => (layers + extra) % parts === 0);
  if (layers + Math.max(...ends) < chunks || (framework.layersDivideByPp && !divides(pp))) {
    return [{ code: 'layers-pp', args: { layers, pp, stages: chunks, sum: layers }, keys: ['pp'] }];
  }
  if (vpp !== null && vpp > 1 && !framework.unevenChunks && !divides(chunks))
    return [{ code: 'layers-vpp', args: { layers, pp, vpp }, keys: ['vpp', 'pp'] }];
  return [];
}

/** Ulysses deals heads to the ranks of the context group (arXiv 2309.14509, section 3). */
function headsOfContext({ cp, cpKind, tp }: Plan, { heads }: ModelSizes): Violation[] {
  if (cpKind !== 'all-to-all' || cp === null || heads === null || heads % ((tp ?? 1) * cp) === 0) return [];
  return [{ code: 'heads-cp', args: { heads, tp: tp ?? 1, cp }, keys: ['cp', 'cpKind'] }];
}

function sequenceRules(plan: Plan, framework: Framework): Violation[] {
  const { cp, tp, sp, seqLen } = plan;
  if (seqLen === null) return [];
  const found: Violation[] = [];
  const all = 2 * (tp ?? 1) * (cp ?? 1);
  if (framework.sequenceDividesByTpCp && seqLen % all !== 0)
    return [
      {
        code: 'sequence-cp',
        args: { seqLen, cp: cp ?? 1, tp: tp ?? 1, divisor: all },
        keys: ['seqLen', 'tp', 'cp'],
      },
    ];
  const chunks = (cp ?? 1) * framework.sequenceChunksPerCp;
  if (cp !== null && cp > 1 && seqLen % chunks !== 0)
    found.push({ code: 'sequence-cp', args: { seqLen, cp, divisor: chunks }, keys: ['cp', 'seqLen'] });
  if (sp === true && tp !== null && (seqLen / (cp ?? 1)) % tp !== 0)
    found.push({ code: 'sequence-sp', args: { seqLen, tp, cp: cp ?? 1 }, keys: ['sp', 'tp'] });
  return found;
}

function expertRules(plan: Plan, sizes: ModelSizes, framework: Framework): Violation[] {
  const { ep, etp, dp, cp, tp } = plan;
  if (ep === null || ep === 1) return [];
  // A model that is not known may have experts.
  if (sizes.experts === null && sizes.hidden === null) return [];
  const experts = sizes.experts ?? 0;
  if (experts === 0 || experts % ep !== 0) return [{ code: 'experts-ep', args: { experts, ep }, keys: ['ep'] }];
  if (framework.etpIsTpOrOne && etp !== null && etp !== 1 && etp !== tp) {
    const args = { key: `etp=${etp}`, other: `tp=${tp ?? 1}`, framework: framework.name };
    return [{ code: 'options-incompatible', args, keys: ['etp', 'tp'] }];
  }
  const { sharding, shardSize } = plan;
  const isInside = framework.expertsInsideShards && sharding === 'hsdp' && shardSize !== null;
  const ranks = (isInside ? shardSize : (dp ?? 0) * (cp ?? 1)) * (tp ?? 1);
  if (dp !== null && ranks % (ep * (etp ?? 1)) !== 0)
    return [{ code: 'expert-ranks', args: { ranks, ep, etp: etp ?? 1 }, keys: ['ep', 'etp'] }];
  return [];
}

/** Keys that the framework does not allow together. */
function exclusions(plan: Plan, sizes: ModelSizes, framework: Framework): Violation[] {
  const found: Violation[] = [];
  const { tp, sp } = plan;
  if (framework.spFollowsTp && sp === false && tp !== null && tp > 1) {
    found.push({
      code: 'options-incompatible',
      args: { key: 'sp=false', other: `tp=${tp}`, framework: framework.name },
      keys: ['sp', 'tp'],
    });
  }
  for (const exclusion of framework.excludes) {
    const keys = excludedKeys(exclusion, plan, sizes.experts);
    if (keys === null) continue;
    const [first, second] = keys.map(key => `${key}=${String(plan[key])}`);
    const args = { key: first ?? '', other: second ?? '', framework: framework.name };
    found.push({ code: 'options-incompatible', args, keys, rule: exclusion.source });
  }
  return found;
}

function batchRule(plan: Plan): Violation[] {
  const { microBatch, globalBatch, dp } = plan;
  if (microBatch === null || globalBatch === null || dp === null) return [];
  if (globalBatch % (microBatch * dp) === 0) return [];
  return [{ code: 'batch-identity', args: { globalBatch, microBatch, dp }, keys: ['globalBatch', 'microBatch', 'dp'] }];
}

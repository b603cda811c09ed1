/**
 * What Megatron refuses or ignores, beyond the rules that all frameworks share. Sources are files of NVIDIA/Megatron-LM
 * at d98e8a64.
 */
import { type Fix, type Problem, problem, type SourceRange } from '../../problem';
import type { TrainingSetup } from '../../setup/setup';
import type { MegatronArgs } from './args';
import { isDeepSpeed } from './model';

/** An option that does nothing without another. */
interface Ignored {
  readonly flag: string;
  readonly needs: string;
  readonly source: string;
  /** What it needs can be put before it. */
  readonly fixed?: true;
}

const IGNORED: readonly Ignored[] = [
  {
    flag: 'num-query-groups',
    needs: 'group-query-attention',
    source: 'megatron/training/argument_utils.py:331',
    fixed: true,
  },
  { flag: 'q-lora-rank', needs: 'multi-latent-attention', source: 'megatron/training/arguments.py', fixed: true },
  { flag: 'kv-lora-rank', needs: 'multi-latent-attention', source: 'megatron/training/arguments.py', fixed: true },
  { flag: 'moe-ffn-hidden-size', needs: 'num-experts', source: 'megatron/training/arguments.py:1650' },
  { flag: 'moe-layer-freq', needs: 'num-experts', source: 'megatron/core/models/gpt/gpt_layer_specs.py' },
  {
    flag: 'data-parallel-sharding-strategy',
    needs: 'use-megatron-fsdp',
    source: 'megatron/training/arguments.py:1154',
  },
];

/** Options that Megatron no longer takes, and what stands for them today. */
interface Deprecated {
  readonly flag: string;
  readonly instead: string;
  readonly line: number;
  /** Megatron-DeepSpeed, which branched off before, still takes it. */
  readonly branch?: true;
}

const DEPRECATED: readonly Deprecated[] = [
  { flag: 'batch-size', instead: '--micro-batch-size', line: 591 },
  { flag: 'model-parallel-size', instead: '--tensor-model-parallel-size', line: 591 },
  {
    flag: 'checkpoint-activations',
    instead: '--recompute-granularity full --recompute-method uniform',
    line: 601,
    branch: true,
  },
  { flag: 'use-custom-fsdp', instead: '--use-megatron-fsdp', line: 1119 },
];

const SOURCE = 'NVIDIA/Megatron-LM@d98e8a64';

export function megatronProblems(args: MegatronArgs, setup: TrainingSetup): Problem[] {
  return [
    ...deprecatedOptions(args),
    ...ignoredOptions(args),
    ...pipelineRules(args, setup),
    ...sequenceRules(args, setup),
    ...expertRules(args, setup),
    ...recomputeRules(args),
  ];
}

function deprecatedOptions(args: MegatronArgs): Problem[] {
  const branched = isDeepSpeed(args);
  return args.command.flags.flatMap(({ name, source, launcher }) => {
    const found = DEPRECATED.find(({ flag, branch }) => flag === name && !(branch === true && branched));
    if (found === undefined || launcher) return [];
    const { instead, line } = found;
    const named = { key: `--${name}`, instead, framework: 'megatron' };
    const fix = renamed(source, `--${name}`, instead);
    const rule = `${SOURCE} megatron/training/arguments.py:${line}`;
    return [problem('option-deprecated', named, { source, fix, rule })];
  });
}

/** Another option in the place of a flag's own word. */
function renamed(source: SourceRange, present: string, instead: string): Fix | null {
  const isWord = source.line === source.endLine && source.endColumn - source.column === present.length;
  return isWord
    ? { code: 'set-value', args: { key: present, value: instead }, edits: [{ ...source, newText: instead }] }
    : null;
}

function ignoredOptions(args: MegatronArgs): Problem[] {
  const found = IGNORED.filter(
    ({ flag, needs }) => args.has(flag) && args.on(needs) === false && !isNeutral(args, flag),
  );
  const unneeded = found.map(({ flag, needs, source, fixed }) => {
    const place = args.place(flag);
    const joined = fixed === true && place !== null ? renamed(place, `--${flag}`, `--${needs} --${flag}`) : null;
    return ignored(args, flag, needs, source, joined);
  });
  // Megatron-Core's configs for many layouts state it beside tp 1, so it is told and no more.
  const alone = args.integer('tensor-model-parallel-size')?.value === 1 || !args.has('tensor-model-parallel-size');
  if (alone && args.on('sequence-parallel') === true) {
    const needs = 'tensor-model-parallel-size above 1';
    unneeded.push({
      ...ignored(args, 'sequence-parallel', needs, 'megatron/training/arguments.py:1436', null),
      severity: 'information',
    });
  }
  return unneeded;
}

/** A value that asks for nothing. */
function isNeutral(args: MegatronArgs, flag: string): boolean {
  return flag === 'data-parallel-sharding-strategy' && args.text(flag)?.value === 'no_shard';
}

function ignored(args: MegatronArgs, flag: string, needs: string, where: string, fix: Fix | null): Problem {
  const named = { key: `--${flag}`, because: `--${needs}`, framework: 'megatron', missing: true };
  return problem('option-ignored', named, { source: args.place(flag), fix, rule: `${SOURCE} ${where}` });
}

/** Without overlapped transfers, chunks need more than two stages: each pair would exchange twice in a batch of calls. */
function pipelineRules(args: MegatronArgs, { plan }: TrainingSetup): Problem[] {
  const { pp, vpp } = plan;
  if (pp === null || vpp === null || vpp === 1 || pp > 2 || args.on('no-overlap-p2p-communication') !== true) return [];
  const found = { key: `vpp=${vpp}`, other: `--no-overlap-p2p-communication, pp=${pp}`, framework: 'megatron' };
  const rule = `${SOURCE} megatron/training/arguments.py:1006`;
  return [problem('options-incompatible', found, { source: args.place('no-overlap-p2p-communication'), rule })];
}

function invalid(args: MegatronArgs, flag: string, expected: string, value: string | number, where: string): Problem {
  const rule = `${SOURCE} ${where}`;
  return problem('value-invalid', { key: args.written(flag), expected, value }, { source: args.place(flag), rule });
}

/** max_position_embeddings must reach the sequence (arguments.py); tp overlap needs sp (arguments.py:1442). */
function sequenceRules(args: MegatronArgs, { sizes, plan, fields }: TrainingSetup): Problem[] {
  const found: Problem[] = [];
  const { maxSeqLen } = sizes;
  const { seqLen, tp } = plan;
  if (maxSeqLen !== null && seqLen !== null && maxSeqLen < seqLen && args.has('seq-length')) {
    const source = fields.get('model.maxSeqLen')?.source ?? null;
    const expected = `at least the sequence length ${seqLen}`;
    const rule = `${SOURCE} megatron/training/arguments.py:1354`;
    found.push(
      problem('value-invalid', { key: '--max-position-embeddings', expected, value: maxSeqLen }, { source, rule }),
    );
  }
  if (args.on('tp-comm-overlap') === true && args.on('sequence-parallel') === false && (tp ?? 1) > 1) {
    found.push(
      invalid(
        args,
        'tp-comm-overlap',
        'used together with --sequence-parallel',
        'alone',
        'megatron/training/arguments.py:1442',
      ),
    );
  }
  return found;
}

/** arguments.py:1974; transformer_config.py:2683. */
function expertRules(args: MegatronArgs, { sizes }: TrainingSetup): Problem[] {
  const found: Problem[] = [];
  const { experts } = sizes;
  if (args.on('multi-latent-attention') === true && args.on('group-query-attention') === true) {
    found.push(
      invalid(
        args,
        'group-query-attention',
        'absent with --multi-latent-attention',
        'given',
        'megatron/training/arguments.py:1974',
      ),
    );
  }
  const groups = args.integer('moe-router-num-groups')?.value;
  if (experts !== null && groups !== undefined && experts % groups !== 0) {
    found.push(
      invalid(
        args,
        'moe-router-num-groups',
        `a divisor of ${experts} experts`,
        groups,
        'megatron/core/transformer/transformer_config.py:2683',
      ),
    );
  }
  return found;
}

/** transformer_config.py: full recomputation needs a method, selective takes none (arguments.py:1425). */
function recomputeRules(args: MegatronArgs): Problem[] {
  const granularity = args.all('recompute-granularity').length === 1 ? args.text('recompute-granularity') : null;
  if (granularity === null || args.on('recompute-activations') !== false) return [];
  const method = args.has('recompute-method');
  if (granularity.value === 'full' && !method) {
    return [
      invalid(
        args,
        'recompute-granularity',
        'joined by --recompute-method',
        'full',
        'megatron/core/transformer/transformer_config.py:1915',
      ),
    ];
  }
  if (granularity.value === 'selective' && args.text('recompute-method') !== null) {
    return [
      invalid(
        args,
        'recompute-method',
        'absent with selective recomputation',
        'given',
        'megatron/training/arguments.py:1426',
      ),
    ];
  }
  return [];
}

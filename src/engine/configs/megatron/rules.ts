/**
 * What Megatron refuses or ignores, beyond the rules that all frameworks share. Sources are files of NVIDIA/Megatron-LM
 * at d98e8a64.
 */
import { type Problem, problem } from '../../problem';
import type { TrainingSetup } from '../../setup/setup';
import type { MegatronArgs } from './args';

/** An option that does nothing without another. */
interface Ignored {
  readonly flag: string;
  readonly needs: string;
  readonly source: string;
}

const IGNORED: readonly Ignored[] = [
  { flag: 'num-query-groups', needs: 'group-query-attention', source: 'megatron/training/argument_utils.py:331' },
  { flag: 'q-lora-rank', needs: 'multi-latent-attention', source: 'megatron/training/arguments.py, MLA group' },
  { flag: 'kv-lora-rank', needs: 'multi-latent-attention', source: 'megatron/training/arguments.py, MLA group' },
  { flag: 'moe-ffn-hidden-size', needs: 'num-experts', source: 'megatron/training/arguments.py:1650' },
  { flag: 'moe-layer-freq', needs: 'num-experts', source: 'megatron/core/models/gpt/gpt_layer_specs.py' },
  {
    flag: 'data-parallel-sharding-strategy',
    needs: 'use-megatron-fsdp',
    source: 'megatron/training/arguments.py:1154',
  },
];

export function megatronProblems(args: MegatronArgs, setup: TrainingSetup): Problem[] {
  return [...ignoredOptions(args), ...sequenceRules(args, setup), ...expertRules(args, setup), ...recomputeRules(args)];
}

function ignoredOptions(args: MegatronArgs): Problem[] {
  const found = IGNORED.filter(
    ({ flag, needs }) => args.has(flag) && args.on(needs) === false && !isNeutral(args, flag),
  );
  const unneeded = found.map(({ flag, needs }) => ignored(args, flag, needs));
  // arguments.py:1436
  const alone = args.integer('tensor-model-parallel-size')?.value === 1 || !args.has('tensor-model-parallel-size');
  if (alone && args.on('sequence-parallel') === true) {
    unneeded.push(ignored(args, 'sequence-parallel', 'tensor-model-parallel-size above 1'));
  }
  return unneeded;
}

/** A value that asks for nothing. */
function isNeutral(args: MegatronArgs, flag: string): boolean {
  return flag === 'data-parallel-sharding-strategy' && args.text(flag)?.value === 'no_shard';
}

function ignored(args: MegatronArgs, flag: string, needs: string): Problem {
  const named = { what: 'ignored-option', name: `--${flag}`, needs: `--${needs}` };
  return problem('not-modelled', named, { source: args.place(flag) });
}

function invalid(args: MegatronArgs, flag: string, expected: string, value: string | number): Problem {
  return problem('value-invalid', { key: `--${flag}`, expected, value }, { source: args.place(flag) });
}

/** max_position_embeddings must reach the sequence (arguments.py); tp overlap needs sp (arguments.py:1442). */
function sequenceRules(args: MegatronArgs, { sizes, plan, fields }: TrainingSetup): Problem[] {
  const found: Problem[] = [];
  const { maxSeqLen } = sizes;
  const { seqLen, tp } = plan;
  if (maxSeqLen !== null && seqLen !== null && maxSeqLen < seqLen && args.has('seq-length')) {
    const source = fields.get('model.maxSeqLen')?.source ?? null;
    const expected = `at least the sequence length ${seqLen}`;
    found.push(problem('value-invalid', { key: '--max-position-embeddings', expected, value: maxSeqLen }, { source }));
  }
  if (args.on('tp-comm-overlap') === true && args.on('sequence-parallel') === false && (tp ?? 1) > 1) {
    found.push(invalid(args, 'tp-comm-overlap', 'used together with --sequence-parallel', 'alone'));
  }
  return found;
}

/** arguments.py:1974; transformer_config.py:2683. */
function expertRules(args: MegatronArgs, { sizes }: TrainingSetup): Problem[] {
  const found: Problem[] = [];
  const { experts } = sizes;
  if (args.on('multi-latent-attention') === true && args.on('group-query-attention') === true) {
    found.push(invalid(args, 'group-query-attention', 'absent with --multi-latent-attention', 'given'));
  }
  const groups = args.integer('moe-router-num-groups')?.value;
  if (experts !== null && groups !== undefined && experts % groups !== 0) {
    found.push(invalid(args, 'moe-router-num-groups', `a divisor of ${experts} experts`, groups));
  }
  return found;
}

/** transformer_config.py: full recomputation needs a method, selective takes none (arguments.py:1425). */
function recomputeRules(args: MegatronArgs): Problem[] {
  const granularity = args.all('recompute-granularity').length === 1 ? args.text('recompute-granularity') : null;
  if (granularity === null || args.on('recompute-activations') !== false) return [];
  const method = args.has('recompute-method');
  if (granularity.value === 'full' && !method) {
    return [invalid(args, 'recompute-granularity', 'joined by --recompute-method', 'full')];
  }
  if (granularity.value === 'selective' && args.text('recompute-method') !== null) {
    return [invalid(args, 'recompute-method', 'absent with selective recomputation', 'given')];
  }
  return [];
}

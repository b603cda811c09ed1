/**
 * Where each framework enforces its rules, so that a user can read what will stop the run: repository, commit, file and
 * line, by the code of the problem. Data; a framework that runs another's checks takes that one's entry.
 */
import type { ProblemCode } from '../problem';

export type RuleSources = Readonly<Partial<Record<ProblemCode, string>>>;

const at = (repository: string, rules: RuleSources): RuleSources =>
  Object.fromEntries(Object.entries(rules).map(([code, place]) => [code, `${repository} ${place}`]));

/** Rules of no framework: what the mathematics asks for. */
export const COMMON_SOURCES: RuleSources = { 'heads-cp': 'arXiv 2309.14509, section 3' };

const MEGATRON = at('NVIDIA/Megatron-LM@d98e8a64', {
  'world-size': 'megatron/training/arguments.py:432',
  'heads-tp': 'megatron/core/transformer/transformer_config.py:1446',
  'kv-heads-tp': 'megatron/core/transformer/transformer_config.py:1462',
  'hidden-heads': 'megatron/training/arguments.py:1331',
  'layers-pp': 'megatron/training/arguments.py:995',
  'layers-vpp': 'megatron/training/arguments.py:971',
  'sequence-cp': 'megatron/training/arguments.py:1335',
  'experts-ep': 'megatron/training/arguments.py:1657',
  'expert-ranks': 'megatron/core/parallel_state.py:883',
  'batch-identity': 'megatron/core/num_microbatches_calculator.py:382',
  'schedule-shape': 'megatron/core/pipeline_parallel/schedules.py:1160',
});

export const RULE_SOURCES: Readonly<Record<string, RuleSources>> = {
  megatron: MEGATRON,
  picotron: at('huggingface/picotron@59714b1b', {
    'world-size': 'picotron/process_group_manager.py:11',
    'heads-tp': 'picotron/model.py:95',
    'kv-heads-tp': 'picotron/model.py:96',
    'hidden-heads': 'picotron/model.py:257',
    'heads-kv-heads': 'picotron/model.py:258',
    'hidden-tp': 'picotron/tensor_parallel/tensor_parallel.py:81',
    'vocab-tp': 'picotron/tensor_parallel/tensor_parallel.py:226',
    'sequence-cp': 'train.py:85',
  }),
  torchtitan: at('pytorch/torchtitan@238fa995', {
    'world-size': 'torchtitan/distributed/parallel_dims.py:53',
    'batch-identity': 'torchtitan/train.py:201',
    'sequence-sp': 'torchtitan/models/llama3/infra/parallelize.py:69',
    'sequence-cp': 'torchtitan/models/llama3/infra/parallelize.py:69',
    'options-incompatible': 'torchtitan/distributed/parallel_dims.py:59',
    'expert-ranks': 'torchtitan/distributed/parallel_dims.py:138',
    'not-divisible': 'torchtitan/distributed/pipeline_parallel.py:188',
    'layers-pp': 'torchtitan/distributed/pipeline_parallel.py:83',
    'layers-vpp': 'torchtitan/distributed/pipeline_parallel.py:83',
  }),
  deepspeed: at('deepspeedai/DeepSpeed@edaa7221', {
    'world-size': 'deepspeed/runtime/config.py:721',
    'batch-identity': 'deepspeed/runtime/config.py:937',
  }),
  accelerate: at('huggingface/accelerate@16cb6eb8', {
    'world-size': 'src/accelerate/parallelism_config.py:373',
  }),
  nanotron: at('huggingface/nanotron@2411b022', {
    'world-size': 'src/nanotron/parallel/context.py:26',
    'heads-tp': 'src/nanotron/config/config.py:536',
    'heads-kv-heads': 'src/nanotron/config/config.py:545',
    'kv-heads-tp': 'src/nanotron/models/llama.py:363',
  }),
  axolotl: at('axolotl-ai-cloud/axolotl@067b021c', { 'world-size': 'src/axolotl/utils/distributed.py:377' }),
  'llm-foundry': at('mosaicml/llm-foundry@8c8dd48f', {
    'not-divisible': 'llmfoundry/utils/config_utils.py:437',
  }),
  litgpt: at('Lightning-AI/litgpt@26857050', { 'batch-identity': 'litgpt/args.py:59' }),
  levanter: at('stanford-crfm/levanter@9263f81e', {
    'world-size': 'src/levanter/trainer.py:911',
    'batch-identity': 'src/levanter/trainer.py:948',
  }),
  olmo: at('allenai/OLMo@59a53e3f', { 'not-divisible': 'scripts/train.py:81' }),
  torchtune: at('pytorch/torchtune@bd2a0fc7', {
    'heads-tp': 'torchtune/training/_distributed.py:757',
    'kv-heads-tp': 'torchtune/training/_distributed.py:762',
    'hidden-tp': 'torchtune/training/_distributed.py:767',
    'sequence-sp': 'torchtune/training/_distributed.py:167',
    'sequence-cp': 'torchtune/training/_distributed.py:167',
  }),
  verl: at('volcengine/verl@b178a3cd', {
    'world-size': 'verl/utils/config.py:96',
    'not-divisible': 'verl/utils/config.py:110',
    'batch-identity': 'verl/workers/config/actor.py:212',
  }),
  maxtext: at('AI-Hypercomputer/maxtext@e591f30c', {
    'world-size': 'src/maxtext/utils/max_utils.py:479',
    'options-incompatible': 'src/maxtext/utils/max_utils.py:464',
    'layers-pp': 'src/maxtext/configs/types.py:3580',
    'not-divisible': 'src/maxtext/configs/types.py:3458',
  }),
  internevo: at('InternLM/InternEvo@c628a8c8', {
    'world-size': 'internlm/core/context/parallel_context.py:426',
    'value-invalid': 'internlm/initialize/launch.py:372',
    'options-incompatible': 'internlm/initialize/launch.py:107',
  }),
  colossalai: at('hpcaitech/ColossalAI@4f9953be', {
    'world-size': 'colossalai/legacy/context/parallel_context.py:409',
    'not-divisible': 'colossalai/legacy/engine/schedule/_pipeline_schedule.py:141',
  }),
  'gpt-neox': at('EleutherAI/gpt-neox@ea7aefd8', {
    'world-size': 'megatron/neox_arguments/arguments.py:927',
    'batch-identity': 'megatron/neox_arguments/arguments.py:879',
    'heads-kv-heads': 'megatron/neox_arguments/arguments.py:1134',
    'kv-heads-tp': 'megatron/neox_arguments/arguments.py:1147',
    'hidden-heads': 'megatron/neox_arguments/arguments.py:1245',
  }),
};

/** The address of a rule's source, or null where it is no place in a public repository. */
export function ruleAddress(rule: string): string | null {
  const [, repository, commit, path, line] = /^([\w.-]+\/[\w.-]+)@(\w+) (\S+?)(?::(\d+))?$/.exec(rule) ?? [];
  if (repository === undefined || commit === undefined || path === undefined) return null;
  return `https://github.com/${repository}/blob/${commit}/${path}${line === undefined ? '' : `#L${line}`}`;
}

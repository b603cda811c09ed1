/**
 * Words of which at least one stands in every file that MeshLens reads, by the ending of the file's name. They keep the
 * engine asleep in files that are not ours; the readers decide.
 */
const JSON_SIGNS = [
  'model_type',
  'distributed',
  'zero_optimization',
  'train_batch_size',
  'train_micro_batch',
  'fp16',
  'bf16',
];
const YAML_SIGNS = [
  'parallel',
  'distributed_type',
  'batch_size',
  'base_model',
  'model_name_or_path',
  'pipe-parallel',
  'megatron',
  'verl',
  'actor_rollout_ref',
  'merge_file',
  'base_emb_dim',
  'merge-file',
  'hidden-size',
  'hidden_size',
];

const SHELL_SIGNS = ['parallel', 'verl', 'openrlhf', 'pretrain', 'torchrun', 'num-layers', 'num_layers'];

const SIGNS: Readonly<Record<string, readonly string[]>> = {
  json: JSON_SIGNS,
  yaml: YAML_SIGNS,
  yml: [...YAML_SIGNS, ...JSON_SIGNS],
  toml: ['[training]', '[parallelism]', 'training.'],
  sh: SHELL_SIGNS,
  bash: SHELL_SIGNS,
  slurm: SHELL_SIGNS,
  sbatch: SHELL_SIGNS,
  py: [
    'ParallelismConfig',
    'tensor_model_parallel_size',
    'tensor_parallelism',
    'Trainer.Config',
    'run.Partial',
    'ConfigContainer',
    'parallel = dict',
    'parallel=dict',
    'mlp_ratio',
  ],
};

/** Endings of the names of files that MeshLens reads. */
export const ENDINGS = Object.keys(SIGNS);

/** The same as a document selector. */
export const CONFIG_FILES = { pattern: `**/*.{${ENDINGS.join(',')}}` };

/** Characters above which a file is not looked at. */
const LARGEST = 5_000_000;

export function mayBeConfig(path: string, text: string): boolean {
  const signs = SIGNS[endingOf(path)];
  return signs !== undefined && text.length <= LARGEST && signs.some(sign => text.includes(sign));
}

function endingOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1).toLowerCase();
}

/** Whether a Python text times collectives: only then is it looked at for what spoils a measurement. */
export function measuresCollectives(text: string): boolean {
  return text.length <= LARGEST && /\b(?:dist|distributed)\b/.test(text) && /\btorch\b/.test(text) && TIMES.test(text);
}

const TIMES = /perf_counter|time\.time|default_timer|cuda\.Event|manual_seed|range\(/;

/** Wrong usage: what the command line answers with exit code 2. */

export class UsageError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

export const HELP = `meshlens: does the run fit, how fast does it go, what to change

  meshlens read FILE…                      what the files say, and the parameters
  meshlens estimate FILE… [options]        time, memory, throughput
  meshlens search FILE… [options]          the best layouts for the same GPUs and batch
  meshlens apply FILE… --plan k=v,…        the edits that write a plan into the file
  meshlens export FILE… --to KIND          a new config in another framework's own keys, with what it cannot say
  meshlens check FILE… | FOLDER [options]  problems alone; of a folder, those of every config in it
  meshlens train --plan k=v,… --steps K    run a plan on a simulated mesh beside the serial run
                                           [--preset mlp|tiny-llama|tiny-moe] [--config FILE] [--data FILE]
                                           [--dtype f32|f64] [--backend simulated|threads]
  meshlens prove FILE… [--plan k=v,…] [--steps K] [--data TEXTFILE]   the plan of the files on a small twin of their model
  meshlens mcp                             a server of the Model Context Protocol on standard input and output
  meshlens lecture DEMO                    collectives | benchmark | data-parallel | tensor-parallel | pipeline-parallel
  meshlens exercise NAME [FILE]            tensor-backward | pipeline-backward | alternate-ring | bucket-size:
                                           the text to fill in, or what is wrong with a solution
  meshlens validate [--runs CSV]           published runs beside what is predicted
  meshlens collective OP --ranks N --bytes B [--gpu ID]
  meshlens pipeline --schedule NAME --stages P --micro-batches M
  meshlens bench host|collectives [--ranks N] [--out FILE]   measures this machine’s CPU, and never calibrates a GPU
  meshlens bench cluster --script FILE [CONFIG…]   writes a benchmark for PyTorch on your own cluster
  meshlens bench import FILE…              nccl-tests, OSU, profiler, nvidia-smi, training logs; configs beside them
  meshlens bench fit FILE… [CONFIG…] [--gpu ID] [--out FILE]   a hardware profile from what was measured
  meshlens bench check FILE…               what spoils a measurement: in a benchmark's script, or in its output
  meshlens bench compare-run CONFIG… --log LOG | --run LOG=CONFIG,…   the step that was predicted beside the logged one, and causes of a gap
  meshlens bench compare BEFORE AFTER      two kept results, thing by thing

Options
  --json                       one JSON document on stdout
  --gpu ID                     accelerator (h100-sxm, a100-80, b200, …; --gpu list prints them)
  --gpus N  --nodes N  --gpus-per-node N  --nic BYTES_PER_SECOND  --domain N
  --hardware FILE              JSON with the same keys of the cluster
  --set key=value[,key=value]  a key of the plan, the model or the cluster
  --fix key=values             search: fix a key (tp=2), a range (tp=1..8) or a choice (tp=2|4)
  --global-batch N  --top K  --objective throughput|memory|cost|time-to-train
  --tokens N  --price P        search: tokens of the training, price of a GPU-hour
  --deadline S                 search: seconds to train in; gives the fewest GPUs that meet it
  --critical-batch N           search: tokens a step past which a larger batch brings little
  --scale strong|weak          search: the best layout on 8 to 65,536 GPUs
  --watts N --pue N --co2 N --water N   search: watts a GPU, site over machines, grams and litres a kWh
  --ranks N  --sizes BYTES,…   bench: threads that take part, sizes to measure
  --samples N  --seconds S     bench: samples of a collective, longest time at one thing
  --out FILE                   bench: keeps the result as JSON; export: the folder for the new files
  --to KIND                    export: torchtitan|megatron|deepspeed|accelerate|nanotron|nemo|gpt-neox|axolotl|llama-factory
  --write                      apply: write the edits into the file
`;

/** Options of all commands, for node:util's parseArgs. */
export const OPTIONS = {
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  gpu: { type: 'string' },
  gpus: { type: 'string' },
  nodes: { type: 'string' },
  'gpus-per-node': { type: 'string' },
  nic: { type: 'string' },
  domain: { type: 'string' },
  hardware: { type: 'string' },
  set: { type: 'string', multiple: true },
  fix: { type: 'string', multiple: true },
  'global-batch': { type: 'string' },
  top: { type: 'string' },
  objective: { type: 'string' },
  tokens: { type: 'string' },
  price: { type: 'string' },
  deadline: { type: 'string' },
  'critical-batch': { type: 'string' },
  scale: { type: 'string' },
  watts: { type: 'string' },
  pue: { type: 'string' },
  co2: { type: 'string' },
  water: { type: 'string' },
  plan: { type: 'string' },
  to: { type: 'string' },
  write: { type: 'boolean' },
  schedule: { type: 'string' },
  stages: { type: 'string' },
  'micro-batches': { type: 'string' },
  virtual: { type: 'string' },
  forward: { type: 'string' },
  'backward-input': { type: 'string' },
  'backward-weight': { type: 'string' },
  p2p: { type: 'string' },
  ranks: { type: 'string' },
  bytes: { type: 'string' },
  sizes: { type: 'string' },
  samples: { type: 'string' },
  seconds: { type: 'string' },
  out: { type: 'string' },
  script: { type: 'string' },
  log: { type: 'string', multiple: true },
  run: { type: 'string', multiple: true },
  algorithm: { type: 'string' },
  runs: { type: 'string' },
  preset: { type: 'string' },
  config: { type: 'string' },
  data: { type: 'string' },
  steps: { type: 'string' },
  dtype: { type: 'string' },
  backend: { type: 'string' },
} as const;

export interface Options {
  readonly json: boolean;
  readonly write: boolean;
  readonly text: Readonly<Record<string, string>>;
  readonly set: readonly string[];
  readonly fix: readonly string[];
  readonly log: readonly string[];
  readonly run: readonly string[];
}

/** A positive integer option, or null where it is not given. */
export function integerOption(options: Options, name: string): number | null {
  const text = options.text[name];
  if (text === undefined) return null;
  const value = Number(text);
  if (text.trim() === '' || !Number.isInteger(value) || value < 1)
    throw new UsageError('unknown-value', `--${name} needs a positive integer, not “${text}”.`);
  return value;
}

/** A positive number, or null where it is not given. */
export function numberOption(options: Options, name: string): number | null {
  const text = options.text[name];
  if (text === undefined) return null;
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value <= 0)
    throw new UsageError('unknown-value', `--${name} needs a positive number, not “${text}”.`);
  return value;
}

/** `a=1,b=2` as pairs; the members of a list are joined by `/`, so commas only separate pairs. */
export function pairs(texts: readonly string[], option: string): [key: string, value: string][] {
  return texts.flatMap(text =>
    text.split(',').map((pair): [string, string] => {
      const at = pair.indexOf('=');
      if (at < 1) throw new UsageError('usage', `${option} takes key=value, not “${pair}”.`);
      return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
    }),
  );
}

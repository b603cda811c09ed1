/**
 * picotron's JSON: degrees, batch and the overrides of a hub model. picotron always runs RMSNorm layers with an untied
 * head and head dimension h/a (picotron/model.py); it needs world size = tp·cp·pp·dp exactly (process_group_manager.py).
 */
import { type Problem, problem } from '../../problem';
import type { FileReading } from '../../setup/setup';
import { deriveHeadDim } from '../headDim';
import { ConfigReader } from '../reader';
import { type ConfigNode, entryAt, nodeAt } from '../tree';
import { readZooModel } from '../zooModel';

/** Where each degree stands in the file. */
export const DEGREE_KEYS = {
  tp: ['distributed', 'tp_size'],
  cp: ['distributed', 'cp_size'],
  pp: ['distributed', 'pp_size'],
  dp: ['distributed', 'dp_size'],
} as const;

export const ENGINES = { '1f1b': '1f1b', afab: 'gpipe' } as const;

const MODEL_OVERRIDES = {
  layers: 'num_hidden_layers',
  heads: 'num_attention_heads',
  kvHeads: 'num_key_value_heads',
} as const;

export function isPicotronConfig(root: ConfigNode): boolean {
  const degrees = Object.values(DEGREE_KEYS).filter(path => nodeAt(root, ...path) !== null);
  return degrees.length >= 2 && (nodeAt(root, 'training')?.kind === 'map' || nodeAt(root, 'model')?.kind === 'map');
}

export function readPicotron(file: string, root: ConfigNode, problems: readonly Problem[]): FileReading {
  const reader = new ConfigReader(file, 'picotron', root, problems);
  readModel(reader);
  readDegrees(reader);
  readBatch(reader);
  readPrecision(reader);
  return reader.finish();
}

function readModel(reader: ConfigReader): void {
  const { builder } = reader;
  const name = reader.text(['model', 'name']);
  if (name !== null) {
    readZooModel(reader, name.value, name.source);
  }
  for (const [key, written] of Object.entries(MODEL_OVERRIDES) as [keyof typeof MODEL_OVERRIDES, string][]) {
    const read = reader.integer(['model', written], 1, 10_000);
    if (read !== null) builder.setModel(key, read.value, 'file', read.source);
  }
  deriveHeadDim(reader);
  builder.setModel('tied', false, 'default');
}

function readDegrees(reader: ConfigReader): void {
  const { builder } = reader;
  for (const [key, path] of Object.entries(DEGREE_KEYS) as [keyof typeof DEGREE_KEYS, readonly string[]][]) {
    const read = reader.integer(path, 1, 2 ** 20);
    if (read !== null) builder.setPlan(key, read.value, 'file', read.source);
    else if (!reader.has(...path)) {
      builder.setPlan(key, 1, 'default');
      const source = entryAt(reader.root, 'distributed')?.key ?? null;
      reader.problems.push(problem('missing-key', { key: path.join('.'), value: 1 }, { source }));
    }
  }
  if (builder.plan.cp !== null && builder.plan.cp > 1) builder.setPlan('cpKind', 'ring', 'default');
  const engine = reader.text(['distributed', 'pp_engine']);
  if (engine !== null && !Object.hasOwn(ENGINES, engine.value)) {
    const expected = Object.keys(ENGINES).join(' | ');
    const args = { key: 'distributed.pp_engine', expected, value: engine.value.slice(0, 60) };
    reader.problems.push(problem('value-invalid', args, { source: engine.source }));
  } else if (engine !== null && builder.plan.pp !== null && builder.plan.pp > 1) {
    builder.setPlan('schedule', ENGINES[engine.value as keyof typeof ENGINES], 'file', engine.source);
  }
}

function readBatch(reader: ConfigReader): void {
  const { builder } = reader;
  const seqLen = reader.integer(['training', 'seq_length'], 1, 2 ** 32);
  if (seqLen !== null) builder.setPlan('seqLen', seqLen.value, 'file', seqLen.source);
  const microBatch = reader.integer(['training', 'micro_batch_size'], 1, 2 ** 32);
  if (microBatch !== null) builder.setPlan('microBatch', microBatch.value, 'file', microBatch.source);
  const accumulation = reader.integer(['training', 'gradient_accumulation_steps'], 1, 2 ** 32);
  const { dp } = builder.plan;
  if (microBatch !== null && accumulation !== null && dp !== null) {
    builder.setPlan('globalBatch', microBatch.value * accumulation.value * dp, 'derived', accumulation.source);
  }
}

/** Weights and AdamW states are bfloat16 without a master copy; data parallelism keeps its gradients in fp32. */
function readPrecision(reader: ConfigReader): void {
  const { builder } = reader;
  const cpu = reader.boolean(['distributed', 'use_cpu']);
  if (cpu?.value === true)
    reader.problems.push(problem('not-modelled', { what: 'cpu', name: 'use_cpu' }, { source: cpu.source }));
  builder.setPlan('dtype', 'bf16', 'default');
  builder.setPlan('gradDtype', (builder.plan.dp ?? 1) > 1 ? 'fp32' : 'bf16', 'default');
  builder.setPlan('optimizer', 'adamw', 'default');
  builder.setPlan('stack', 'picotron', 'derived');
  const environment = reader.text(['environment', 'FLASH_ATTEN']);
  const flag = reader.boolean(['model', 'use_flash_attention']);
  if (environment !== null)
    builder.setPlan('attention', environment.value === '1' ? 'flash' : 'unfused', 'file', environment.source);
  else if (flag !== null) builder.setPlan('attention', flag.value ? 'flash' : 'unfused', 'file', flag.source);
}

/**
 * DeepSpeed's JSON: batch, ZeRO stage, offload, precision. It holds no model. train_batch_size =
 * train_micro_batch_size_per_gpu · gradient_accumulation_steps · dp, of which any one follows from the others
 * (deepspeed/runtime/config.py). What it calls auto is filled by the trainer.
 */
import { type Fix, type Problem, problem } from '../../problem';
import type { FileReading } from '../../setup/setup';
import { pathOf, readPlaces } from '../places';
import { ConfigReader, type Read } from '../reader';
import { type ConfigNode, entryAt, nodeAt } from '../tree';
import {
  BATCH,
  BF16,
  CHOICES,
  DEGREES,
  FP16,
  HPZ,
  MICS,
  OFFLOAD_LEGACY,
  OFFLOAD_OPTIMIZER,
  OFFLOAD_PARAM,
  STAGE,
  STAGES,
} from './keys';

const COMPANIONS = ['optimizer', 'gradient_accumulation_steps', 'steps_per_print', 'gradient_clipping', 'scheduler'];

export function isDeepSpeed(root: ConfigNode): boolean {
  const has = (...path: string[]) => nodeAt(root, ...path) !== null;
  if (nodeAt(root, 'zero_optimization')?.kind === 'map' || has(BATCH.microBatch)) return true;
  if (['fp16', 'bf16', 'bfloat16'].some(key => has(key, 'enabled'))) return true;
  return has(BATCH.globalBatch) && COMPANIONS.some(key => has(key));
}

export function readDeepSpeed(file: string, root: ConfigNode, problems: readonly Problem[]): FileReading {
  const reader = new ConfigReader(file, 'deepspeed', root, problems.map(refuseRepeats));
  readDeepSpeedKeys(reader, []);
  reader.builder.setPlan('stack', 'deepspeed', 'derived');
  return reader.finish();
}

/** Where JSON takes the last of two keys, DeepSpeed stops. */
function refuseRepeats(found: Problem): Problem {
  if (found.code !== 'duplicate-key') return found;
  const rule = 'deepspeedai/DeepSpeed@edaa7221 deepspeed/runtime/config_utils.py:211';
  return { ...found, args: { ...found.args, framework: 'deepspeed' }, rule };
}

/** Reads the keys of a DeepSpeed config that is the file itself or a map inside of another. */
export function readDeepSpeedKeys(reader: ConfigReader, prefix: readonly string[]): void {
  const inside = new DeepSpeedKeys(reader, prefix);
  inside.read();
}

/** Fields that keys outside of the tables of places fill. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  'plan.globalBatch': [BATCH.globalBatch, BATCH.accumulation],
  'plan.microBatch': [BATCH.microBatch],
  'plan.dtype': [...BF16, FP16],
  'plan.sharding': [STAGE],
};

class DeepSpeedKeys {
  constructor(
    private readonly reader: ConfigReader,
    private readonly prefix: readonly string[],
  ) {}

  read(): void {
    const { reader, prefix } = this;
    const { builder } = reader;
    reader.autoIsUnknown = true;
    const under = (dotted: string) => [...prefix, dotted].join('.');
    readPlaces(
      reader,
      [...DEGREES, ...CHOICES].map(place => ({ ...place, at: place.at.map(under) })),
    );
    if ((builder.plan.cp ?? 1) > 1) builder.setPlan('cpKind', 'all-to-all', 'derived');
    for (const [field, keys] of Object.entries(FIELDS)) {
      for (const key of keys) reader.fields.set(under(key), field);
    }
    this.batch();
    this.precision();
    const stage = this.sharding();
    this.offload(stage);
    reader.autoIsUnknown = false;
  }

  private batch(): void {
    const { builder } = this.reader;
    const global = this.integer(BATCH.globalBatch);
    const micro = this.integer(BATCH.microBatch);
    const steps = this.integer(BATCH.accumulation);
    if (global !== null) builder.setPlan('globalBatch', global.value, 'file', global.source);
    if (micro !== null) builder.setPlan('microBatch', micro.value, 'file', micro.source);
    if (steps !== null) builder.state('accumulation', steps.value, steps.source);
    // Without a word on accumulation there is none, unless both batches say otherwise.
    else if (!this.has(BATCH.accumulation) && (global === null) !== (micro === null) && !this.bothWritten())
      builder.state('accumulation', 1, null);
  }

  private bothWritten(): boolean {
    return this.has(BATCH.globalBatch) && this.has(BATCH.microBatch);
  }

  private precision(): void {
    const { reader } = this;
    const bf16 = BF16.map(key => this.boolean(key)).find(read => read !== null) ?? null;
    const fp16 = this.boolean(FP16);
    if (bf16?.value === true && fp16?.value === true) this.clash('bf16.enabled', 'fp16.enabled', fp16);
    if (bf16?.value === true) reader.builder.setPlan('dtype', 'bf16', 'file', bf16.source);
    else if (fp16?.value === true) reader.builder.setPlan('dtype', 'fp16', 'file', fp16.source);
    else if (bf16 !== null || fp16 !== null) {
      // One that is off leaves fp32, unless the trainer fills the other.
      if (!reader.builder.unknown.has('plan.dtype'))
        reader.builder.setPlan('dtype', 'fp32', 'file', (bf16 ?? fp16)?.source ?? null);
    } else if (![...BF16, FP16].some(key => this.has(key)) && this.prefix.length === 0)
      reader.builder.setPlan('dtype', 'fp32', 'default');
  }

  private sharding(): number | null {
    const { builder } = this.reader;
    const stage = this.integer(STAGE, 0, 3);
    if (stage === null) {
      if (!this.has(STAGE)) builder.setPlan('sharding', 'none', 'default');
      return this.has(STAGE) ? null : 0;
    }
    const mics = this.integer(MICS, -1);
    builder.setPlan('sharding', STAGES[stage.value as 0 | 1 | 2 | 3], 'file', stage.source);
    if (stage.value === 3 && mics !== null && mics.value > 1) {
      builder.setPlan('sharding', 'hsdp', 'file', mics.source);
      builder.setPlan('shardSize', mics.value, 'file', mics.source);
    }
    const hpz = this.integer(HPZ);
    if (hpz !== null && hpz.value > 1) {
      const args = { what: 'hpz', name: 'zero_hpz_partition_size' };
      this.reader.problems.push(problem('not-modelled', args, { source: hpz.source }));
    }
    const stages = this.integer('pipeline.stages');
    if (stages !== null) builder.setPlan('pp', stages.value, 'file', stages.source);
    return stage.value;
  }

  private offload(stage: number | null): void {
    const { reader } = this;
    const optimizer = this.device(OFFLOAD_OPTIMIZER);
    const params = this.device(OFFLOAD_PARAM);
    const legacy = this.boolean(OFFLOAD_LEGACY);
    if (legacy !== null) {
      const args = { key: OFFLOAD_LEGACY, instead: 'zero_optimization.offload_optimizer', framework: 'deepspeed' };
      const fix = this.modernOffload(legacy.value);
      reader.problems.push(problem('option-deprecated', args, { source: legacy.source, fix }));
    }
    if (params !== null && stage !== null && stage < 3) {
      const args = { key: 'zero_optimization.offload_param', because: `stage ${stage}`, framework: 'deepspeed' };
      reader.problems.push(problem('option-ignored', args, { source: params.source }));
    }
    const hasParams = params !== null && stage === 3;
    const source = optimizer ?? (legacy?.value === true ? { value: 'cpu', source: legacy.source } : null);
    const first = source ?? (hasParams ? params : null);
    if (first === null) {
      reader.builder.setPlan('offload', 'none', 'default');
      return;
    }
    const what = source === null ? 'params' : hasParams ? 'optimizer+params' : 'optimizer';
    reader.builder.setPlan('offload', what, 'file', first.source);
    reader.builder.setPlan('offloadDevice', first.value === 'nvme' ? 'nvme' : 'cpu', 'file', first.source);
  }

  /** The same choice in the words of today, in place of the older key and its value. */
  private modernOffload(isOn: boolean): Fix | null {
    const entry = entryAt(this.reader.root, ...this.prefix, ...pathOf(OFFLOAD_LEGACY));
    if (entry === undefined || this.has('zero_optimization.offload_optimizer')) return null;
    const device = isOn ? 'cpu' : 'none';
    const { endLine, endColumn } = entry.node.source;
    const newText = `"offload_optimizer": {"device": "${device}"}`;
    const args = { key: OFFLOAD_OPTIMIZER, value: device };
    return { code: 'set-value', args, edits: [{ ...entry.key, endLine, endColumn, newText }] };
  }

  private device(key: string): Read<string> | null {
    const read = this.reader.text([...this.prefix, ...pathOf(key)]);
    return read === null || read.value === 'none' ? null : read;
  }

  private clash(key: string, other: string, { source }: Read<unknown>): void {
    this.reader.problems.push(problem('options-incompatible', { key, other, framework: 'deepspeed' }, { source }));
  }

  private has(key: string): boolean {
    return entryAt(this.reader.root, ...this.prefix, ...pathOf(key)) !== undefined;
  }

  private integer(key: string, min = 1, max = 2 ** 32): Read<number> | null {
    return this.reader.integer([...this.prefix, ...pathOf(key)], min, max);
  }

  private boolean(key: string): Read<boolean> | null {
    return this.reader.boolean([...this.prefix, ...pathOf(key)]);
  }
}

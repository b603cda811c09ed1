/** What fine-tuning frameworks on the Hugging Face Trainer share: optimizers by name, precision, adapters. */
import type { PlanValue } from '../plan/keys';
import { problem, type SourceRange } from '../problem';
import type { ConfigReader } from './reader';
import { entryAt, nodeAt } from './tree';

/** Values of `optim` (transformers' OptimizerNames) and of axolotl's `optimizer`. */
const OPTIMIZERS: readonly (readonly [pattern: RegExp, optimizer: 'adamw' | 'adamw8bit' | 'sgd' | 'muon'])[] = [
  [/^(?=.*adam).*_8_?bit|^(?=.*adamw).*8bit/, 'adamw8bit'],
  [/^(paged_)?adamw?(_|$)|^adamw/, 'adamw'],
  [/muon/, 'muon'],
  [/^sgd/, 'sgd'],
];

/** bitsandbytes' optimizers whose states the driver pages (its functional.get_paged). */
const PAGED = /paged/i;

/** Adds kernels, or habits, that a layout does not show, to those that are set. */
export function addKernels(reader: ConfigReader, names: readonly string[], source: SourceRange | null): void {
  const before = reader.builder.plan.kernels;
  const all = [...(before === null ? [] : [before]), ...names];
  if (names.length > 0) reader.builder.setPlan('kernels', all.join('+'), 'file', source);
}

/** Where the optimizer's name says that its states are paged. */
export function readPaging(reader: ConfigReader, path: readonly string[]): void {
  const read = reader.text(path);
  if (read !== null && PAGED.test(read.value)) addKernels(reader, ['paged-optimizer'], read.source);
}

export function readOptimizer(reader: ConfigReader, key: string): void {
  readPaging(reader, [key]);
  const read = reader.text([key]);
  const found = read === null ? undefined : OPTIMIZERS.find(([pattern]) => pattern.test(read.value.toLowerCase()));
  if (read === null) reader.builder.setPlan('optimizer', 'adamw', 'default');
  else if (found !== undefined) reader.builder.setPlan('optimizer', found[1], 'file', read.source);
  else
    reader.problems.push(
      problem('not-modelled', { what: 'optimizer', name: read.value.slice(0, 60) }, { source: read.source }),
    );
}

/** bf16 before fp16; `auto` takes bf16 where the accelerator has it, which is said. */
export function readPrecision(reader: ConfigReader, bf16: readonly string[], fp16: readonly string[]): void {
  for (const [keys, dtype] of [
    [bf16, 'bf16'],
    [fp16, 'fp16'],
  ] as const) {
    for (const key of keys) {
      const node = nodeAt(reader.root, key);
      if (node?.kind !== 'scalar') continue;
      if (node.value === 'auto') {
        reader.unknown([key], 'auto', node.source);
        reader.builder.setPlan('dtype', dtype, 'default', node.source);
        return;
      }
      if (node.value === true || node.value === 'full' || node.value === 'true') {
        reader.builder.setPlan('dtype', dtype, 'file', node.source);
        return;
      }
    }
  }
  reader.builder.setPlan('dtype', 'fp32', 'default');
}

/** An adapter on a frozen base; a base in 4 bits makes LoRA QLoRA. */
export function setAdapter(
  reader: ConfigReader,
  kind: 'none' | 'lora' | 'qlora',
  place: readonly string[],
  rank: { readonly path: readonly string[]; readonly absent: number | null },
): void {
  const { builder } = reader;
  const entry = entryAt(reader.root, ...place);
  builder.setPlan('adapter', kind, entry === undefined ? 'default' : 'file', entry?.node.source ?? null);
  if (kind === 'none') return;
  const read = reader.integer(rank.path, 1, 65536);
  if (read !== null) builder.setPlan('adapterRank', read.value, 'file', read.source);
  else if (rank.absent !== null) builder.setPlan('adapterRank', rank.absent, 'default');
  else reader.unknown(rank.path, 'absent', entry?.node.source ?? null);
}

/** The file of DeepSpeed's config that a training file names: what it says is unknown here. */
export function referToDeepSpeed(reader: ConfigReader, key: string): boolean {
  const read = reader.text([key]);
  if (read === null) return false;
  for (const plan of ['sharding', 'offload'] as const) reader.builder.unknown.add(`plan.${plan}`);
  reader.unknown(['plan', 'sharding'], 'file', read.source, read.value.slice(0, 120));
  reader.refers.push(read.value);
  reader.builder.setPlan('stack', 'deepspeed', 'derived', read.source);
  return true;
}

export const ON_OFF: Readonly<Record<string, PlanValue>> = {
  true: 'full',
  false: 'none',
  offload: 'full',
  unsloth: 'full',
};

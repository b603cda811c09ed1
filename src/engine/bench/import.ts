/** Reads others' measurements: the registry of formats, and one function for any file. */
import { problem } from '../problem';
import { DEEPSPEED } from './importers/deepspeed';
import { HF_TRAINER } from './importers/hfTrainer';
import type { Importer } from './importers/importer';
import { LECTURE } from './importers/lecture';
import { MAMF } from './importers/mamf';
import { MEGATRON } from './importers/megatron';
import { MEMORY_SUMMARY } from './importers/memorySummary';
import { NANOTRON } from './importers/nanotron';
import { NCCL_TESTS } from './importers/ncclTests';
import { NEMO } from './importers/nemo';
import { NVIDIA_SMI, NVIDIA_SMI_QUERY } from './importers/nvidiaSmi';
import { OSU } from './importers/osu';
import { readOwn } from './importers/ownJson';
import { TORCH_PROFILER } from './importers/torchProfiler';
import { TORCHTITAN } from './importers/torchtitan';
import { Collector, linesOf } from './lines';
import type { BenchRecord, Imported } from './records';

/** In order: of a log that speaks two languages (Megatron-DeepSpeed) the first is read. */
export const IMPORTERS: readonly Importer[] = [
  NCCL_TESTS,
  LECTURE,
  OSU,
  MAMF,
  MEGATRON,
  NEMO,
  TORCHTITAN,
  NANOTRON,
  DEEPSPEED,
  HF_TRAINER,
  TORCH_PROFILER,
  MEMORY_SUMMARY,
  NVIDIA_SMI_QUERY,
  NVIDIA_SMI,
];

/** Records and problems of a text; format null where no importer knows it. */
export function importText(file: string, text: string): Imported {
  const own = readOwn(file, text);
  if (own !== null) {
    const source = { file, line: 1, column: 1, endLine: 1, endColumn: 2 };
    const problems = own.broken.map(at =>
      problem('syntax', { format: own.format, reason: 'figure-missing', at }, { source }),
    );
    return { file, format: own.format, records: own.records, problems };
  }
  const lines = linesOf(text);
  const importer = importerOf(lines.map(line => line.text));
  if (importer === null) return { file, format: null, records: [], problems: [] };
  const found = new Collector<BenchRecord>(file, importer.format);
  importer.read(lines, found, file);
  return { file, format: importer.format, records: found.records, problems: found.problems };
}

/** One pass over the lines: of the importers whose sign stands somewhere, the first of the registry. */
function importerOf(lines: readonly string[]): Importer | null {
  let best = IMPORTERS.length;
  for (const line of lines) {
    for (let i = 0; i < best; i++) if (IMPORTERS[i]?.sign.test(line)) best = i;
    if (best === 0) break;
  }
  return IMPORTERS[best] ?? null;
}

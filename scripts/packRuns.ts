/** npm run pack-runs -- FOLDER: writes the facts of FOLDER/runs.csv that ship with the product. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseCsv } from '../src/engine/validation/csv';
import { packRows, type Row } from '../src/engine/validation/pack';

/** Columns that a prediction or the list of evidence needs. */
const COLUMNS = `id tier scores source_key group sweep source stack model layers hidden ffn_hidden heads kv_heads vocab
  seq_len moe_experts moe_topk moe_ffn_hidden moe_shared gated_mlp tied_embeddings gpu gpus gpus_per_node intra_link
  inter_link dtype tp sp cp pp vpp ep dp sharding micro_batch global_batch recompute flash_attention schedule compiled
  fp8_recipe head_dim shard_size kernels offload step_time_s peak_mem_gb mem_unit mem_kind oom notes`.split(/\s+/);

/** Of the notes, only what the reader of runs looks for. */
const FACTS =
  /\bMLA\b|first \d+ layers? dense|first layer dense|expert-TP=\d+|context parallel by all-to-all|\bq?lora\b/gi;

const folder = process.argv[2];
if (folder === undefined) {
  console.error('usage: npm run pack-runs -- FOLDER (with runs.csv)');
  process.exit(2);
}
const rows = parseCsv(readFileSync(join(folder, 'runs.csv'), 'utf8')).map((row: Row) => ({
  ...row,
  notes: [...(row.notes ?? '').matchAll(FACTS)].map(([fact]) => fact).join('; '),
}));
const columns = packRows(rows, COLUMNS).map(column => `  ${JSON.stringify(column)},`);
const text = `/** Made by \`npm run pack-runs\`: the published runs, packed (see pack.ts). */
import type { PackedColumn } from './pack';

export const PUBLISHED_RUNS: readonly PackedColumn[] = [
${columns.join('\n')}
];
`;
writeFileSync(join(import.meta.dirname, '../src/engine/validation/runs.generated.ts'), text);
console.log(`${rows.length} runs, ${text.length} bytes`);

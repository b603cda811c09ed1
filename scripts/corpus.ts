/**
 * Compares what the readers say with a table of known values: `npx tsx scripts/corpus.ts FOLDER [KIND] [--problems]`.
 * FOLDER holds index.csv (file, kind, layers, …, true_params) and the files; prints every difference.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../src/engine/configs/registry';
import { countParameters } from '../src/engine/model/parameters';
import { completeSetup } from '../src/engine/plan/complete';
import { fieldValue, setupModel } from '../src/engine/setup/setup';
import { problemMessage } from '../src/words/problems';

type Row = Record<string, string>;

/** Columns of the table and the fields that answer them. */
const COLUMNS = {
  layers: 'model.layers',
  hidden: 'model.hidden',
  ffn: 'model.ffn',
  heads: 'model.heads',
  kv_heads: 'model.kvHeads',
  head_dim: 'model.headDim',
  vocab: 'model.vocab',
  experts: 'model.experts',
  topk: 'model.topK',
  moe_ffn: 'model.expertFfn',
  tp: 'plan.tp',
  pp: 'plan.pp',
  cp: 'plan.cp',
  ep: 'plan.ep',
  vpp: 'plan.vpp',
  micro_batch: 'plan.microBatch',
  global_batch: 'plan.globalBatch',
} as const;

function parseCsv(text: string): Row[] {
  const rows: string[][] = [[]];
  let cell = '';
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const next = text[i];
    if (quoted && next === '"' && text[i + 1] === '"') cell += text[i++];
    else if (next === '"') quoted = !quoted;
    else if (!quoted && (next === ',' || next === '\n')) {
      rows.at(-1)?.push(cell.replace(/\r$/, ''));
      cell = '';
      if (next === '\n') rows.push([]);
    } else cell += next;
  }
  const [header = [], ...body] = rows.filter(row => row.length > 0);
  return body.map(row => Object.fromEntries(header.map((name, i) => [name, row[i] ?? ''])));
}

function check(folder: string, row: Row, showProblems: boolean): void {
  const text = readFileSync(join(folder, row.file ?? ''), 'utf8');
  const started = performance.now();
  const reading = readConfig(row.file ?? '', text);
  const took = performance.now() - started;
  const wrong: string[] = [];
  const expectsKind = !['odd', 'broken', 'other'].includes(row.kind ?? '');
  if (row.kind === 'odd' ? reading.kind !== null : expectsKind && reading.kind !== row.kind)
    wrong.push(`kind ${reading.kind}`);
  const sequence = row.kind === 'hf' ? 'model.maxSeqLen' : 'plan.seqLen';
  const setup = reading.setup === null ? null : completeSetup(reading.setup);
  if (setup !== null) {
    for (const [column, path] of [...Object.entries(COLUMNS), ['seq_len', sequence]] as [string, never][]) {
      const expected = row[column] ?? '';
      if (expected === '') continue;
      const found = fieldValue(setup, path);
      if (String(found) !== expected && Number(expected) !== found) wrong.push(`${column} ${found} for ${expected}`);
    }
    const model = setupModel(setup);
    const total = model === null ? null : countParameters(model).total;
    const truth = row.true_params ?? '';
    if (truth !== '' && total !== Number(truth)) wrong.push(`parameters ${total} for ${truth}`);
    else if (expectsKind && truth === '') wrong.push(`(counted ${total})`);
  }
  if (took > 200) wrong.push(`${took.toFixed(0)} ms`);
  const problems = reading.problems.map(found => `    ${found.severity} ${found.source?.line ?? '-'} ${problemMessage(found)}`);
  if (wrong.length > 0 || (showProblems && problems.length > 0)) {
    console.log(`${row.kind} ${row.file?.split('__').slice(-3).join('/')}${reading.damaged ? ' damaged' : ''}\n    ${wrong.join('; ')}`);
    if (showProblems) console.log(problems.join('\n'));
  }
}

const [folder = '', ...rest] = process.argv.slice(2);
const kind = rest.find(word => !word.startsWith('--'));
for (const row of parseCsv(readFileSync(join(folder, 'index.csv'), 'utf8'))) {
  if (row.included === 'yes' && (kind === undefined || row.kind === kind)) check(folder, row, rest.includes('--problems'));
}

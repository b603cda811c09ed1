/**
 * Simulated bus bandwidth against published nccl-tests tables.
 *
 *   npx tsx bench/collectives/validate.ts collectives.csv [collectives_by_size.csv …] --hardware hardware.csv [--rows]
 *
 * A row is scored where it names a device of the hardware table, how its ranks stand and, across nodes, the rate of
 * the network. Rows that their source itself calls degraded, approximate or a fault are listed as skipped.
 */
import { readFileSync } from 'node:fs';
import { busFactor } from '../../src/engine/collectives/bandwidth';
import { chooseAlgorithm } from '../../src/engine/collectives/choose';
import type { GroupNetwork } from '../../src/engine/collectives/cost';
import { LINK_PROFILES, linkFamily } from '../../src/engine/collectives/linkProfiles';
import type { CollectiveOp } from '../../src/engine/collectives/schedule';

type Row = Record<string, string>;

function parseCsv(text: string): Row[] {
  const lines: string[][] = [];
  let [cell, line, quoted] = ['', [] as string[], false];
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (quoted && c === '"' && text[i + 1] === '"') cell += text[++i];
    else if (c === '"') quoted = !quoted;
    else if (!quoted && (c === ',' || c === '\n')) {
      line.push(cell.replace(/\r$/, ''));
      cell = '';
      if (c === '\n') {
        lines.push(line);
        line = [];
      }
    } else cell += c;
  }
  const header = lines.shift() ?? [];
  return lines.map(values => Object.fromEntries(header.map((key, i) => [key, values[i] ?? ''])));
}

const OPS: Record<string, CollectiveOp> = {
  all_reduce: 'all-reduce',
  'all-reduce': 'all-reduce',
  all_gather: 'all-gather',
  reduce_scatter: 'reduce-scatter',
  all_to_all: 'all-to-all',
  sendrecv: 'send-recv',
  broadcast: 'broadcast',
};

/** bytes/s of one node's network in one direction, from words such as "8x400 Gb/s" or "EFA 3200 Gb/s per node". */
function nodeRate(words: string): number | null {
  const many = /(\d+)x(\d+) ?(Gb\/s|GB\/s)/.exec(words);
  const bits = (unit: string | undefined) => (unit === 'Gb/s' ? 1e9 / 8 : 1e9);
  if (many) return Number(many[1]) * Number(many[2]) * bits(many[3]);
  const one = /(\d+) ?(Gb\/s|GB\/s)/.exec(words);
  if (one) return Number(one[1]) * bits(one[2]);
  const plain = /InfiniBand (\d+)G/.exec(words);
  return plain ? (Number(plain[1]) * 1e9) / 8 : null;
}

interface Scored {
  readonly row: Row;
  readonly op: CollectiveOp;
  readonly bytes: number;
  readonly measured: number;
  readonly simulated: number;
  readonly algorithm: string;
}

function score(row: Row, hardware: ReadonlyMap<string, Row>): Scored | string {
  const op = OPS[row.op || row.collective || ''];
  const device = hardware.get(row.gpu_id ?? '');
  const words = row.interconnect || row.inter_link || '';
  const bytes = Number(row.bytes || Number.NaN);
  const measured = measuredBusbw(row, op ?? 'broadcast', bytes);
  const ranks = Number(row.gpus || Number.NaN);
  if (!op) return 'operation';
  if (!device) return 'device';
  if (!(bytes > 0) || !(measured > 0) || !(ranks > 1)) return 'no size, rate or ranks';
  if (/degraded|problem|APPROXIMATE|MoE|NVLS_ENABLE=0|ring, NCCL|forced|CPU/i.test(row.notes ?? ''))
    return 'degraded or forced';
  const perDomain = domainRanks(row, ranks, words);
  const rate = nodeRate(words);
  if (perDomain < ranks && rate === null) return 'network rate';
  const network: GroupNetwork = {
    ranks,
    ranksPerDomain: perDomain,
    linkBytesPerSecond: Number(device.nvlink_gb_s_per_dir) * 1e9,
    nicBytesPerSecond: rate === null ? null : rate / nodeGpus(row, ranks),
    profile: LINK_PROFILES[linkFamily(row.gpu_id ?? '')],
  };
  if (!(network.linkBytesPerSecond > 0)) return 'no scale-up link';
  const best = chooseAlgorithm(op, bytes, network);
  if (!best) return 'no algorithm';
  return {
    row,
    op,
    bytes,
    measured,
    simulated: (bytes / best.seconds) * busFactor(op, ranks),
    algorithm: best.algorithm,
  };
}

/** From the time where the source printed one (busbw is rounded to two digits), else from busbw, unless that rounds away. */
function measuredBusbw(row: Row, op: CollectiveOp, bytes: number): number {
  const derived = /derived/.test(row.notes ?? '');
  if (row.time_us && !derived) return (bytes / Number(row.time_us)) * 1e6 * busFactor(op, Number(row.gpus));
  const printed = Number(row.busbw_GBps || Number.NaN);
  return printed < 0.1 ? Number.NaN : printed * 1e9;
}

const nodeGpus = (row: Row, ranks: number) => ranks / Number(row.nodes || 1);

function domainRanks(row: Row, ranks: number, words: string): number {
  if (!/NVL72/.test(row.gpu ?? '') && !/NVL72|rack/.test(words)) return nodeGpus(row, ranks);
  const racks = /(\d+) racks/.exec(words);
  return ranks / (racks ? Number(racks[1]) : 1);
}

const quantile = (values: number[], q: number) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(q * values.length))] ?? Number.NaN;

function main(args: readonly string[]): void {
  const hardwareAt = args.indexOf('--hardware');
  const hardwareFile = args[hardwareAt + 1];
  if (hardwareAt < 0 || !hardwareFile) throw new Error('usage: validate.ts CSV… --hardware CSV [--rows]');
  const files = args.filter((a, i) => !a.startsWith('--') && i !== hardwareAt + 1);
  const hardware = new Map(parseCsv(readFileSync(hardwareFile, 'utf8')).map(row => [row.gpu_id ?? '', row]));
  const skipped = new Map<string, number>();
  const groups = new Map<string, Scored[]>();
  for (const file of files)
    for (const row of parseCsv(readFileSync(file, 'utf8'))) {
      const result = score(row, hardware);
      if (typeof result === 'string') {
        skipped.set(result, (skipped.get(result) ?? 0) + 1);
        continue;
      }
      const key = `${result.op} | ${row.gpu_id} | ${row.gpus} GPUs, ${row.nodes || 1} nodes`;
      groups.set(key, [...(groups.get(key) ?? []), result]);
    }
  report(groups, args.includes('--rows'));
  console.log('skipped:', Object.fromEntries(skipped));
}

function report(groups: ReadonlyMap<string, Scored[]>, rows: boolean): void {
  const error = (s: Scored) => s.simulated / s.measured - 1;
  const long = (list: Scored[]) => list.filter(s => s.bytes > 2 ** 20).map(error);
  const short = (list: Scored[]) =>
    list.filter(s => s.bytes <= 2 ** 20).map(s => Math.abs(Math.log2(s.simulated / s.measured)));
  const percent = (x: number) => `${(100 * x).toFixed(1)} %`;
  const line = (name: string, list: Scored[]) => {
    const [above, below] = [long(list), short(list)];
    const parts = [`${name}: ${list.length} rows`];
    if (above.length)
      parts.push(
        `above 1 MiB median |error| ${percent(quantile(above.map(Math.abs), 0.5))}, bias ${percent(quantile(above, 0.5))} (${above.length})`,
      );
    if (below.length)
      parts.push(
        `up to 1 MiB median factor ${(2 ** quantile(below, 0.5)).toFixed(2)}, worst ${(2 ** Math.max(...below)).toFixed(2)} (${below.length})`,
      );
    console.log(parts.join('; '));
  };
  for (const [key, list] of [...groups].sort(([a], [b]) => a.localeCompare(b))) {
    line(key, list);
    if (rows)
      for (const s of list)
        console.log(
          `   ${s.bytes} B ${s.algorithm}: measured ${(s.measured / 1e9).toFixed(2)}, simulated ${(s.simulated / 1e9).toFixed(2)} GB/s, ${percent(error(s))} [${s.row.source}]`,
        );
  }
  const by = (pick: (s: Scored) => string) => {
    const table = new Map<string, Scored[]>();
    for (const s of [...groups.values()].flat()) table.set(pick(s), [...(table.get(pick(s)) ?? []), s]);
    return table;
  };
  console.log('--- by operation and device');
  for (const [key, list] of [...by(s => `${s.op} | ${s.row.gpu_id}`)].sort()) line(key, list);
  console.log('--- all');
  line('all', [...groups.values()].flat());
}

main(process.argv.slice(2));

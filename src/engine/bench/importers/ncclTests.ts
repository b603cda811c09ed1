/**
 * nccl-tests and rccl-tests: rows of size, count, type, where there is one redop and root, then time (µs), algbw, busbw
 * and errors out of place and the same in place (NVIDIA/nccl-tests, src/common.cu and src/util.cu).
 */
import { busFactor } from '../../collectives/bandwidth';
import type { Line } from '../lines';
import type { MeasuredCollective } from '../records';
import type { Found, Importer } from './importer';

const OPS: readonly (readonly [name: RegExp, op: MeasuredCollective])[] = [
  [/all_?reduce_perf/i, 'all-reduce'],
  [/all_?gather_perf/i, 'all-gather'],
  [/reduce_?scatter_perf/i, 'reduce-scatter'],
  [/all_?to_?all_perf/i, 'all-to-all'],
  [/broadcast_perf/i, 'broadcast'],
  [/sendrecv_perf/i, 'send-recv'],
  [/(?:^|[/ _])reduce_perf/i, 'reduce'],
];

const ROW = /^\s*(\d+)\s+(\d+)\s+((?:u?int|float|double|half|bfloat|fp8|f8)\w*)\s+(\S.*)$/;
/** Begins like a row: a size and more. */
const LIKE_A_ROW = /^\s+\d{1,14}\s+\d{1,14}\s+[a-z]/;
const DEVICE = /^#\s+Rank\s+(\d+)\s.*\bon\s+(\S+)/;

export const NCCL_TESTS: Importer = {
  format: 'nccl-tests',
  sign: /^#\s+size\s+count|^#.*\bnThreads?:? \d+ (?:nGpus|minBytes)|^# Collective test starting: /,
  read(lines, found, file) {
    let op = opIn(file);
    let nodes = new Set<string>();
    let ranks = 0;
    let rowsSeen = false;
    for (const line of lines) {
      op = opIn(line.text) ?? op;
      const device = DEVICE.exec(line.text);
      if (device !== null) {
        if (rowsSeen) [ranks, nodes, rowsSeen] = [0, new Set<string>(), false];
        ranks = Math.max(ranks, Number(device[1]) + 1);
        nodes.add(device[2] ?? '');
        continue;
      }
      if (!LIKE_A_ROW.test(line.text)) continue;
      rowsSeen = true;
      readRow(line, found, op, ranks || null, nodes.size || null);
    }
  },
};

function opIn(text: string): MeasuredCollective | null {
  return OPS.find(([name]) => name.test(text))?.[1] ?? null;
}

function readRow(
  line: Line,
  found: Found,
  named: MeasuredCollective | null,
  ranks: number | null,
  nodes: number | null,
): void {
  const row = ROW.exec(line.text);
  const cells = row?.[4]?.trim().split(/\s+/) ?? [];
  // Redop and root stand before the figures in newer versions; the figures are one set of four or two.
  const start = cells.length >= 8 ? cells.length - 8 : cells.length - 4;
  const [time, algbw, busbw] = cells.slice(start, start + 3).map(Number);
  const bytes = Number(row?.[1]);
  const isRow = row !== null && start >= 0 && start <= 2 && time !== undefined && time >= 0;
  if (!isRow || !Number.isFinite(algbw) || !Number.isFinite(busbw))
    return found.broken(line, 'row-of-figures-expected');
  if (bytes === 0 || time === 0) return;
  const expected = bytes / time / 1e3;
  if (Math.abs(algbw - expected) > 0.02 + 0.02 * expected) return found.broken(line, 'bandwidth-contradicts-time');
  const redop = start > 0 && /^[a-z]+$/.test(cells[0] ?? '') && cells[0] !== 'none';
  const op = named ?? inferred(algbw > 0 ? busbw / algbw : null, ranks, redop);
  if (op === null) return found.broken(line, 'operation-unknown');
  const seconds = time * 1e-6;
  found.add({
    kind: 'collective',
    line: line.number,
    op,
    bytes,
    ranks: ranks ?? impliedRanks(op, busbw / algbw),
    nodes,
    seconds,
  });
}

/** The operation where no line names it: by busbw over algbw and whether something is reduced. */
function inferred(factor: number | null, ranks: number | null, reduces: boolean): MeasuredCollective | null {
  if (factor === null || ranks === null || ranks < 2) return null;
  const near = (op: MeasuredCollective) => Math.abs(busFactor(op, ranks) - factor) < 0.03;
  if (near('all-reduce') && reduces) return 'all-reduce';
  if (near('all-gather')) return reduces ? 'reduce-scatter' : 'all-gather';
  return null;
}

/** 2(n−1)/n or (n−1)/n solved for n; null where rounding leaves it open. */
function impliedRanks(op: MeasuredCollective, factor: number): number | null {
  const share = op === 'all-reduce' ? factor / 2 : factor;
  if (op === 'broadcast' || op === 'reduce' || op === 'send-recv' || !(share > 0.4 && share < 0.99)) return null;
  const ranks = 1 / (1 - share);
  return Math.abs(ranks - Math.round(ranks)) < 0.15 ? Math.round(ranks) : null;
}

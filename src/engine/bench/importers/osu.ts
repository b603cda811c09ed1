/** OSU micro-benchmarks: a title, then rows of size and average latency (µs) or bandwidth (MB/s) (mvapich.cse.ohio-state.edu). */
import type { MeasuredCollective } from '../records';
import type { Importer } from './importer';

const TITLE =
  /^# OSU (?:MPI|NCCL|RCCL)(?:-CUDA)? (.+?) (Latency|Bandwidth|Bi-Directional Bandwidth) Test\b|^# OSU (?:MPI|NCCL)(?:-CUDA)? (Latency|Bandwidth) Test\b/;
const OPS: Readonly<Record<string, MeasuredCollective>> = {
  allreduce: 'all-reduce',
  allgather: 'all-gather',
  reduce_scatter: 'reduce-scatter',
  'reduce scatter': 'reduce-scatter',
  alltoall: 'all-to-all',
  'all-to-all personalized exchange': 'all-to-all',
  broadcast: 'broadcast',
  reduce: 'reduce',
};
/** The size of allgather and alltoall is that of one rank's share. */
const PER_RANK: readonly MeasuredCollective[] = ['all-gather', 'all-to-all'];

export const OSU: Importer = {
  format: 'osu',
  sign: /^# OSU (?:MPI|NCCL|RCCL)/,
  read(lines, found) {
    let op: MeasuredCollective | null = null;
    let isBandwidth = false;
    let inTable = false;
    let ranks: number | null = null;
    for (const line of lines) {
      const count = /(?:^|\s)(?:-np?|--ntasks[= ]?)\s*(\d+)\b/.exec(line.text);
      if (count !== null && /mpi|srun|jsrun/.test(line.text)) ranks = Number(count[1]);
      const title = TITLE.exec(line.text);
      if (line.text.startsWith('# OSU')) {
        inTable = title !== null;
        const name = (title?.[1] ?? '').toLowerCase();
        isBandwidth = (title?.[2] ?? title?.[3] ?? '').endsWith('Bandwidth');
        op = title?.[3] !== undefined ? 'send-recv' : (OPS[name] ?? null);
        continue;
      }
      if (!inTable || !/^\s*\d/.test(line.text)) continue;
      const row = /^\s*(\d+)\s+([\d.]+)(?:\s+[\d.]+)*\s*$/.exec(line.text);
      const value = Number(row?.[2]);
      if (row === null || !(value > 0)) {
        found.broken(line, 'size-and-figure-expected');
        continue;
      }
      if (op === null || Number(row[1]) === 0) continue;
      const size = Number(row[1]);
      if (PER_RANK.includes(op) && ranks === null) continue;
      const bytes = PER_RANK.includes(op) ? size * (ranks ?? 1) : size;
      const seconds = isBandwidth ? size / (value * 1e6) : value * 1e-6;
      const of = op === 'send-recv' ? 2 : ranks;
      found.add({ kind: 'collective', line: line.number, op, bytes, ranks: of, nodes: null, seconds });
    }
  },
};

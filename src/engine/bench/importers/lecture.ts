/**
 * What the benchmark of the lecture CS336 prints, of 2024, 2025 and 2026 (stanford-cs336/spring2025-lectures bbdbc9c,
 * var/traces/lecture_08_stdout.txt; spring2024-lectures 2eab561, lecture_08.py). Elements are float32.
 *
 * Two versions of it are wrong, and that is said: durations of 0.00ms, and a bandwidth of reduce-scatter that counts
 * the output, n times too low. Where the time is lost, it follows from the bandwidth.
 */
import type { Line } from '../lines';
import type { MeasuredCollective } from '../records';
import type { Found, Importer } from './importer';

const TOOK =
  /Rank (\d+): (all_reduce|reduce_scatter)\(world_size=(\d+), num_elements=(\d+)\) took ([\d.]+) ?(us|ms|s)\b/;
const RATE = /Rank (\d+): (all_reduce|reduce_scatter) (?:measured|estimated) bandwidth = ([\d.]+) GB\/s/;
const UNITS: Readonly<Record<string, number>> = { us: 1e-6, ms: 1e-3, s: 1 };
const GIB = 2 ** 30;

interface Call {
  readonly line: Line;
  readonly op: MeasuredCollective;
  readonly ranks: number;
  readonly bytes: number;
  readonly seconds: number;
  rate: number | null;
}

export const LECTURE: Importer = {
  format: 'cs336-lecture',
  sign: /Rank \d+: (?:all_reduce|reduce_scatter)(?:\(world_size=\d+, num_elements=| (?:measured|estimated) bandwidth = )/,
  read(lines, found) {
    const calls: Call[] = [];
    /** The last call of each operation and rank: its bandwidth follows. */
    const latest = new Map<string, Call>();
    for (const line of lines) {
      const took = TOOK.exec(line.text);
      const rate = RATE.exec(line.text);
      if (took !== null) {
        const [, rank = '', name = '', world, elements, time, unit = 's'] = took;
        const ranks = Number(world);
        const op = name === 'all_reduce' ? 'all-reduce' : 'reduce-scatter';
        // The input of reduce-scatter has a row of so many elements for each rank.
        const bytes = 4 * Number(elements) * (op === 'reduce-scatter' ? ranks : 1);
        const call: Call = { line, op, ranks, bytes, seconds: Number(time) * (UNITS[unit] ?? 1), rate: null };
        calls.push(call);
        latest.set(`${op} ${rank}`, call);
      } else if (rate !== null) {
        const call = latest.get(`${rate[2] === 'all_reduce' ? 'all-reduce' : 'reduce-scatter'} ${rate[1] ?? ''}`);
        if (call !== undefined) call.rate = Number(rate[3]);
      } else if (/Rank \d+: (?:all_reduce|reduce_scatter)(?:\(| measured| estimated)/.test(line.text)) {
        found.broken(line, 'duration-or-bandwidth-expected');
      }
    }
    const warned = new Set<string>();
    for (const call of calls) addCall(call, found, warned);
  },
};

function addCall({ line, op, ranks, bytes, seconds, rate }: Call, found: Found, warned: Set<string>): void {
  const busBytes = (op === 'all-reduce' ? 2 : 1) * ((ranks - 1) / ranks) * bytes;
  const countsOutput =
    op === 'reduce-scatter' && rate !== null && seconds > 0 && isNear(busBytes / ranks / seconds, rate);
  if (countsOutput) warnOnce('reduce-scatter-output', { ranks });
  if (seconds > 0) return add(seconds);
  warnOnce('duration-zero', {});
  if (op === 'reduce-scatter' && rate !== null) warnOnce('reduce-scatter-output', { ranks });
  if (rate === null || rate === 0) return;
  // The version that prints 0.00ms counts the output of reduce-scatter.
  const counted = op === 'reduce-scatter' ? busBytes / ranks : busBytes;
  add(counted / (rate * GIB));

  /** One line tells for all ranks of the call. */
  function warnOnce(what: string, args: { ranks?: number }): void {
    const key = `${what} ${op} ${ranks}`;
    if (!warned.has(key)) found.warn(line, 'pitfall', { what, ...args });
    warned.add(key);
  }

  function add(value: number): void {
    found.add({ kind: 'collective', line: line.number, op, bytes, ranks, nodes: 1, seconds: value });
  }
}

/** Within the rounding of what is printed: whole GiB/s, and milliseconds with two places. */
const isNear = (bytesPerSecond: number, printed: number) => Math.abs(bytesPerSecond / GIB / printed - 1) < 0.1;

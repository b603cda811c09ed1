/** torch.cuda.memory_summary(): rows of current, peak, total allocated and total freed. Its KB, MB and GB are powers of 1024. */
import { positiveOf } from '../lines';
import type { Importer } from './importer';

const ROW = /^\|\s*(Allocated memory|GPU reserved memory)\s*\|[^|]*\|\s*(\d+) *([KMG]?)i?B\s*\|/;
const UNITS: Readonly<Record<string, number>> = { '': 1, K: 2 ** 10, M: 2 ** 20, G: 2 ** 30 };

export const MEMORY_SUMMARY: Importer = {
  format: 'torch-memory-summary',
  sign: /^\s*\|\s*PyTorch CUDA memory summary, device ID/,
  read(lines, found) {
    let rank: number | null = null;
    let failures: number | null = null;
    let allocatedBytes: number | null = null;
    for (const line of lines) {
      const text = line.text.trim();
      const title = /PyTorch CUDA memory summary, device ID (\d+)/.exec(text);
      if (title !== null) [rank, failures, allocatedBytes] = [Number(title[1]), null, null];
      const events = /CUDA OOMs: (\d+)/.exec(text);
      if (events !== null) failures = Number(events[1]);
      if (!/^\|\s*(?:Allocated|GPU reserved) memory/.test(text)) continue;
      const row = ROW.exec(text);
      const value = positiveOf(row?.[2]);
      if (row === null || value === null) {
        found.broken(line, 'peak-usage-expected');
        continue;
      }
      const bytes = value * (UNITS[row[3] ?? ''] ?? 1);
      if (row[1] === 'Allocated memory') allocatedBytes = bytes;
      else found.add({ kind: 'peak', line: line.number, rank, allocatedBytes, reservedBytes: bytes, failures });
    }
  },
};

/** The table of torch.profiler's key_averages(): columns of fixed width under a header, between lines of dashes. */
import type { Importer } from './importer';

const TIME = /^([\d.]+)(us|ms|s)$/;
const UNITS: Readonly<Record<string, number>> = { us: 1e-6, ms: 1e-3, s: 1 };

function secondsOf(cell: string | undefined): number | null {
  const match = TIME.exec(cell?.trim() ?? '');
  return match === null ? null : Number(match[1]) * (UNITS[match[2] ?? ''] ?? 1);
}

export const TORCH_PROFILER: Importer = {
  format: 'torch-profiler',
  sign: /^\s*Name {2}.*(?:Self CPU|Self CUDA|Self XPU|# of Calls)/,
  read(lines, found) {
    let columns: { readonly name: string; readonly end: number }[] = [];
    for (const line of lines) {
      if (/^\s*Name {2,}/.test(line.text)) {
        // Cells end where their header ends; all are aligned to the right.
        columns = [...line.text.matchAll(/\S+(?: \S+)*/g)].map(({ 0: name, index }) => ({
          name,
          end: index + name.length,
        }));
        continue;
      }
      if (/^[-\s]+$/.test(line.text) || columns.length === 0) continue;
      const total = /^Self (CPU|CUDA) time total: (\S+)/.exec(line.text);
      if (total !== null) {
        const seconds = secondsOf(total[2]);
        if (seconds === null) found.broken(line, 'time-with-unit-expected');
        columns = total[1] === 'CUDA' ? [] : columns;
        continue;
      }
      const cells = line.text.trim().split(/ {2,}/);
      const [name = ''] = cells;
      if (cells.length !== columns.length) {
        if (cells.length > 3) found.broken(line, 'cell-for-each-column-expected');
        continue;
      }
      const at = (pattern: RegExp) => cells[columns.findIndex(column => pattern.test(column.name))];
      const calls = Number(at(/^# of Calls$/));
      found.add({
        kind: 'kernel',
        line: line.number,
        name,
        calls: Number.isInteger(calls) && calls > 0 ? calls : null,
        deviceSeconds: secondsOf(at(/^Self (?:CUDA|XPU|Device)$/)),
        hostSeconds: secondsOf(at(/^Self CPU$/)),
      });
    }
  },
};

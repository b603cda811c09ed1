/** A log as lines that importers read: without colours and prefixes of launchers, each with its number and rank. */
import { type Problem, type ProblemCode, problem, type SourceRange } from '../problem';

export interface Line {
  readonly text: string;
  /** From 1. */
  readonly number: number;
  /** The rank that a launcher writes before the line; null where it does not. */
  readonly rank: number | null;
  /** The file ends within it: it may be cut off. */
  readonly last: boolean;
}

/** Longer ones hold no measurement; a pattern is never run over them. */
const LONGEST = 4000;

// Colours and cursor movements of terminals: ESC [ … letter.
const ESCAPES = /\u001b\[[0-9;?]*[A-Za-z]/g;
/** torchrun --tee ([default0]:, [rank0]:), Open MPI --tag-output ([1,0]<stdout>:), srun --label (0: ), docker compose (x-1 | ). */
const PREFIXES = /^(?:\[(?:default|rank)(\d+)\]: ?|\[\d+,(\d+)\]<std(?:out|err)>: ?|(\d{1,5}): {1,2})/;

export function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  const rows = text.split('\n');
  rows.forEach((row, at) => {
    // A progress bar rewrites its line after a carriage return; each state is one of ours.
    for (const part of row.split('\r')) {
      if (part === '' || part.length > LONGEST) continue;
      const plain = part.includes('\u001b') ? part.replace(ESCAPES, '') : part;
      const prefix = PREFIXES.exec(plain);
      const rank = prefix === null ? null : Number(prefix[1] ?? prefix[2] ?? prefix[3]);
      lines.push({
        text: prefix === null ? plain : plain.slice(prefix[0].length),
        number: at + 1,
        rank,
        last: at === rows.length - 1,
      });
    }
  });
  return lines;
}

/** What an importer fills. */
export class Collector<R extends { readonly line: number }> {
  readonly records: R[] = [];
  readonly problems: Problem[] = [];

  constructor(
    private readonly file: string,
    private readonly format: string,
  ) {}

  /** A record with a figure that no number can hold (1.2.3, a row of a thousand digits) is a broken line. */
  add(record: R): void {
    const isWhole = Object.values(record).every(value => typeof value !== 'number' || Number.isFinite(value));
    if (isWhole) this.records.push(record);
    else this.broken({ text: '', number: record.line, rank: null, last: false }, 'row-of-figures-expected');
  }

  /** A line that should hold a measurement and does not. The end of a log that is being written is none of the user's faults. */
  broken(line: Line, reason: string): void {
    const args = { format: this.format, reason };
    const source = this.place(line);
    this.problems.push(
      line.last
        ? problem('value-unknown', { key: this.format, reason: 'cut-off' }, { source })
        : problem('syntax', args, { source }),
    );
  }

  warn(line: Line, code: ProblemCode, args: Readonly<Record<string, string | number | boolean | null>>): void {
    this.problems.push(problem(code, args, { source: this.place(line) }));
  }

  private place({ number, text }: Line): SourceRange {
    return { file: this.file, line: number, column: 1, endLine: number, endColumn: text.length + 1 };
  }
}

/** A number as logs write it, or null: 1,234 · 4.71K · 1.5M · 2e-05 · 12.3 %. */
export function numberOf(text: string | undefined): number | null {
  const match = /^([-+]?\d[\d,]*(?:\.\d*)?(?:[eE][-+]?\d+)?) ?([KMGTB%]?)$/.exec(text?.trim() ?? '');
  if (match === null) return null;
  const scale = { K: 1e3, M: 1e6, G: 1e9, B: 1e9, T: 1e12, '%': 0.01 }[match[2] ?? ''] ?? 1;
  const value = Number((match[1] ?? '').replaceAll(',', '')) * scale;
  return Number.isFinite(value) ? value : null;
}

/** As `numberOf`, where only more than 0 makes sense. */
export function positiveOf(text: string | undefined): number | null {
  const value = numberOf(text);
  return value !== null && value > 0 ? value : null;
}

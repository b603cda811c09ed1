/** The contract of the importers: one small file a format, and one line in the registry (../import.ts). */
import type { Collector, Line } from '../lines';
import type { BenchRecord } from '../records';

export type Found = Collector<BenchRecord>;

export interface Importer {
  /** In kebab-case, as the command line prints it. */
  readonly format: string;
  /** A line that no other format has; the first importer with one takes the file. */
  readonly sign: RegExp;
  /** Reads every line once, in time linear in their number. */
  readonly read: (lines: readonly Line[], found: Found, file: string) => void;
}

/** `key: value | key: value` as trainers write it; keys are trimmed. */
export function fieldsOf(text: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const part of text.split('|')) {
    const at = part.lastIndexOf(': ');
    if (at > 0) fields.set(part.slice(0, at).trim(), part.slice(at + 2).trim());
  }
  return fields;
}

/** Of each step one record, however many ranks print it; the first counts. */
export class OncePerStep {
  private readonly seen = new Set<number>();

  isNew(step: number): boolean {
    if (this.seen.has(step)) return false;
    this.seen.add(step);
    return true;
  }
}

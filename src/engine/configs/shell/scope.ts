/** The variables of a script while it is read, with branches that may or may not be taken. */
import { bounded, EMPTY, mergeValues, type Reason, type ShellValue } from './value';

/** Variables over those of an outer scope. A branch writes into a scope of its own; joining merges them. */
export class Scope {
  private readonly own = new Map<string, ShellValue | null>();

  constructor(
    private readonly outer: Scope | null = null,
    /** Arguments of the script or function; null where they are not known. */
    readonly args: readonly ShellValue[] | null = outer?.args ?? null,
  ) {}

  /** The value, undefined where no line has assigned it, null where it was unset. */
  get(name: string): ShellValue | null | undefined {
    const value = this.own.get(name);
    return value === undefined ? this.outer?.get(name) : value;
  }

  set(name: string, value: ShellValue | null): void {
    this.own.set(name, value === null ? null : bounded(value));
  }

  /** Variables in the order in which they were first assigned. */
  names(): string[] {
    const outer = this.outer?.names() ?? [];
    return [...new Set([...outer, ...this.own.keys()])];
  }

  assigned(): Iterable<[string, ShellValue | null]> {
    return this.own;
  }

  branch(args: readonly ShellValue[] | null = this.args): Scope {
    return new Scope(this, args);
  }

  /** Takes over what the branches assigned; a value that differs between them becomes a choice. */
  join(branches: readonly Scope[], reason: Reason): void {
    const names = new Set(branches.flatMap(branch => [...branch.own.keys()]));
    for (const name of names) {
      const before = this.get(name) ?? EMPTY;
      const values = branches.map(branch => branch.get(name) ?? EMPTY);
      this.set(name, mergeValues(reason, before, values));
    }
  }
}

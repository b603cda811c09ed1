/** Typed access to a config tree: every value is checked, placed in the setup with its range, or reported. */
import { LARGEST_INTEGER } from '../plan/keys';
import { RULE_SOURCES } from '../plan/ruleSources';
import { type Fix, type Problem, problem, type SourceRange } from '../problem';
import { type FileReading, isFieldPath, SetupBuilder } from '../setup/setup';
import { type ConfigNode, entryAt, type Scalar } from './tree';

export interface Read<T> {
  readonly value: T;
  readonly source: SourceRange;
}

type Path = readonly string[];

/** A key that is looked at twice is reported once. */
function withoutRepeats(problems: readonly Problem[]): Problem[] {
  const seen = new Set<string>();
  return problems.filter(({ code, args, source }) => {
    const key = JSON.stringify([code, args, source]);
    return !seen.has(key) && seen.add(key);
  });
}

/** A value as a message shows it: texts in quotes, so that "8" is told from 8. */
function shown(value: Scalar): string {
  return typeof value === 'string' ? `“${value.slice(0, 60)}”` : String(value);
}

export class ConfigReader {
  readonly builder = new SetupBuilder();
  readonly problems: Problem[] = [];
  /** Files that the file names. */
  readonly refers: string[] = [];
  /** Fields of the setup by the path of keys that would fill them: a problem says which one it leaves open. */
  readonly fields = new Map<string, string>();
  /** The trainer fills values that the file calls auto. */
  autoIsUnknown = false;
  private readonly damaged: boolean;

  constructor(
    readonly file: string,
    readonly kind: string,
    readonly root: ConfigNode | null,
    parseProblems: readonly Problem[] = [],
  ) {
    this.damaged = parseProblems.some(({ severity }) => severity === 'error');
    this.problems.push(...parseProblems);
    this.builder.kinds.push(kind);
  }

  has(...path: string[]): boolean {
    return entryAt(this.root, ...path) !== undefined;
  }

  /** An integer, or null where the key is absent, null or (reported) no integer in the range. */
  integer(path: Path, min = 1, max = LARGEST_INTEGER): Read<number> | null {
    return this.scalar(
      path,
      max === LARGEST_INTEGER ? `an integer from ${min}` : `an integer from ${min} to ${max}`,
      value =>
        typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max ? value : undefined,
    );
  }

  number(path: Path, min: number): Read<number> | null {
    return this.scalar(path, `a number from ${min}`, value =>
      typeof value === 'number' && Number.isFinite(value) && value >= min && value <= LARGEST_INTEGER
        ? value
        : undefined,
    );
  }

  boolean(path: Path): Read<boolean> | null {
    return this.scalar(path, 'true or false', value => (typeof value === 'boolean' ? value : undefined));
  }

  text(path: Path): Read<string> | null {
    return this.scalar(path, 'a text', value => (typeof value === 'string' ? value : undefined));
  }

  /** The text of any scalar: keys that take true, a number or a word. */
  word(path: Path): Read<string> | null {
    return this.scalar(path, 'a word', value => (value === null ? undefined : String(value)));
  }

  /** Says that a key's value is known outside of this file alone. */
  unknown(path: Path, reason: string, source: SourceRange | null, name: string | null = null): void {
    const key = path.join('.');
    const field = this.fields.get(key) ?? key;
    if (isFieldPath(field)) this.builder.unknown.add(field);
    this.problems.push(problem('value-unknown', { key, reason, name, field }, { source }));
  }

  finish(): FileReading {
    return {
      file: this.file,
      kind: this.kind,
      setup: this.builder.build(),
      problems: withoutRepeats(this.problems).map(found => this.withRule(found)),
      refers: this.refers,
      damaged: this.damaged,
    };
  }

  /** A rule of the framework says where it stands. */
  private withRule(found: Problem): Problem {
    return found.rule !== null ? found : { ...found, rule: RULE_SOURCES[this.kind]?.[found.code] ?? null };
  }

  private scalar<T>(path: Path, expected: string, accept: (value: Scalar) => T | undefined): Read<T> | null {
    const node = entryAt(this.root, ...path)?.node;
    if (node?.kind === 'scalar' && node.missing !== undefined) {
      this.unknown(path, 'missing', node.source, node.missing);
      return null;
    }
    if (node === undefined || (node.kind === 'scalar' && node.value === null)) return null;
    if (node.kind === 'scalar' && node.value === 'auto' && this.autoIsUnknown) {
      this.unknown(path, 'auto', node.source);
      return null;
    }
    if (node.kind === 'list' && this.autoIsUnknown) {
      this.unknown(path, 'choices', node.source);
      return null;
    }
    const value = node.kind === 'scalar' ? accept(node.value) : undefined;
    if (value !== undefined) return { value, source: node.source };
    const found = node.kind === 'scalar' ? shown(node.value) : node.kind;
    this.problems.push(
      problem('value-invalid', { key: path.join('.'), expected, value: found }, { source: node.source }),
    );
    return null;
  }
}

/** A fix that puts another text where a value stands. */
export function valueFix(source: SourceRange | null, key: string, newText: string): Fix | null {
  if (source === null || source.line !== source.endLine) return null;
  return { code: 'set-value', args: { key, value: newText }, edits: [{ ...source, newText }] };
}

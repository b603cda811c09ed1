/**
 * A plan as edits of a launch script. Each value is changed at the literal that determines it; where that literal
 * serves another option too, at the next place on the way to the option. What the edits give is read again, and edits
 * that would change anything else, or do not read as the plan, are not made.
 */
import { completeSetup } from '../../plan/complete';
import type { Plan, PlanKey } from '../../plan/keys';
import type { SourceRange, TextEdit } from '../../problem';
import type { TrainingSetup } from '../../setup/setup';
import type { TextFile } from '../beside';
import { editedFiles } from '../edits';
import { insertAfter, Lines, removeFlag } from '../shell/edit';
import type { Flag } from '../shell/flags';
import { MegatronArgs } from './args';
import { type Wish, wishes } from './desired';
import { MEGATRON_FLAGS, resolveFlag } from './flags';
import { PLAN_FLAGS } from './plan';
import { findMegatron, readMegatronScript } from './read';

/** Attempts: each moves values that collide one place up. */
const MOST_ATTEMPTS = 8;
const MOST_ROUNDS = 4;

/** Keys that a script expresses; the others have no option, or follow from these. */
const WRITTEN_KEYS = [
  'dp',
  'tp',
  'sp',
  'cp',
  'cpKind',
  'pp',
  'vpp',
  'ep',
  'etp',
  'microBatch',
  'globalBatch',
  'seqLen',
  'sharding',
  'dtype',
  'recompute',
  'recomputeLayers',
  'attention',
  'offload',
  'tpOverlap',
] as const satisfies readonly PlanKey[];

/** An option after which a new one of its kind is put. */
const NEIGHBOURS: readonly (readonly string[])[] = [
  [
    'tensor-model-parallel-size',
    'pipeline-model-parallel-size',
    'context-parallel-size',
    'expert-model-parallel-size',
    'expert-tensor-parallel-size',
    'num-layers-per-virtual-pipeline-stage',
    'num-virtual-stages-per-pipeline-rank',
    'sequence-parallel',
    'use-distributed-optimizer',
    'use-megatron-fsdp',
    'data-parallel-sharding-strategy',
    'tp-comm-overlap',
    'cp-comm-type',
    'zero-stage',
  ],
  ['micro-batch-size', 'global-batch-size'],
  ['seq-length', 'max-position-embeddings'],
  ['bf16', 'fp16', 'fp8-format', 'recompute-granularity', 'recompute-method', 'recompute-num-layers'],
];

/** Edits after which the script reads as the plan, or none where no such edits are found. */
export function writeMegatronScript(
  file: string,
  text: string,
  plan: Plan,
  beside: readonly TextFile[] = [],
): TextEdit[] {
  const found = findMegatron(file, text, beside);
  const before = readSetup(file, text, beside);
  if (found === null || before === null) return [];
  const forced = new Set<PlanKey>();
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const args = new MegatronArgs(found.command);
    const files = [{ file, text }, ...beside];
    const edits = new ScriptWriter(files, args, wishes(args, before, plan, forced)).settle();
    if (edits === null) return [];
    const [own, ...others] = editedFiles(files, edits);
    const after = own === undefined ? null : readSetup(file, own.text, others);
    if (after === null) return [];
    // What the plan has and the script would lose, such as a batch that followed from others, is written too.
    const lost = differences(after, plan).filter(key => !forced.has(key));
    if (differences(after, plan).length === 0) return edits;
    if (lost.length === 0) return [];
    for (const key of lost) forced.add(key);
  }
  return [];
}

function readSetup(file: string, text: string, beside: readonly TextFile[]): TrainingSetup | null {
  const setup = readMegatronScript(file, text, beside)?.setup;
  return setup === null || setup === undefined ? null : completeSetup(setup);
}

/** Keys of a plan that a setup does not have as it wants them. */
function differences({ plan, cluster }: TrainingSetup, wanted: Plan): PlanKey[] {
  return WRITTEN_KEYS.filter(key => {
    if (key === 'dp' && cluster.gpus === null) return false;
    if (key === 'cpKind' && wanted.cp === 1) return false;
    return wanted[key] !== null && wanted[key] !== plan[key];
  });
}

/** A wish for a value with the places where it can be set, the deepest first, and the one that is tried. */
interface Setting {
  readonly wish: Wish & { readonly value: string };
  readonly levels: readonly (readonly SourceRange[])[];
  level: number;
}

class ScriptWriter {
  private readonly settings: Setting[] = [];
  private readonly fixed: TextEdit[] = [];
  private readonly lines: ReadonlyMap<string, Lines>;

  constructor(
    private readonly files: readonly TextFile[],
    private readonly args: MegatronArgs,
    private readonly list: readonly Wish[],
  ) {
    this.lines = new Map(files.map(({ file, text }) => [file, new Lines(text)]));
    for (const wish of list) this.plan(wish);
  }

  private plan(wish: Wish): void {
    const { flag, value } = wish;
    const flags = this.args.all(flag);
    const last = flags.findLast(({ depends }) => depends === null);
    if (value === false) {
      for (const each of flags) this.remove(each);
    } else if (value === true) {
      if (last === undefined) this.insert(flag, `--${flag}`);
      else if (last.words[0]?.text === 'false') this.set({ flag, value: 'true' }, last);
    } else if (last === undefined || last !== flags.at(-1)) this.insert(flag, `--${flag} ${value}`);
    else this.set({ flag, value }, last);
  }

  private set(wish: Setting['wish'], flag: Flag): void {
    const word = flag.words[0];
    const levels = word?.levels ?? [];
    // What is counted from other values is replaced in the variable that the option names, not where it is counted.
    const level = word?.literal === true ? 0 : Math.max(0, levels.length - 2);
    if (levels.length > 0) this.settings.push({ wish, levels, level });
  }

  private remove(flag: Flag): void {
    const lines = this.lines.get(flag.source.file);
    if (lines !== undefined) this.fixed.push(removeFlag(lines, flag));
  }

  private insert(flag: string, words: string): void {
    const anchor = this.anchor(flag);
    const lines = anchor === null ? undefined : this.lines.get(anchor.source.file);
    if (anchor !== null && lines !== undefined) this.fixed.push(insertAfter(lines, anchor, words));
  }

  /** The last option of the same kind that stays, else the last one of the command. */
  private anchor(flag: string): Flag | null {
    const launcher = flag === 'nnodes' || flag === 'nproc-per-node';
    const removed = new Set(this.list.filter(({ value }) => value === false).map(wish => wish.flag));
    const usable = this.args.command.flags.filter(
      each => each.depends === null && each.launcher === launcher && !removed.has(resolveFlag(each.name)),
    );
    const kind = NEIGHBOURS.find(names => names.includes(flag)) ?? [];
    return usable.findLast(each => kind.includes(resolveFlag(each.name))) ?? usable.at(-1) ?? null;
  }

  /** Edits that give every option its value and change no other option, or null where there are none. */
  settle(): TextEdit[] | null {
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      const edits = this.edits();
      const after = this.readAgain(edits);
      if (after === null) return null;
      const culprits = [...this.contested(), ...this.failed(after), ...this.disturbing(after)];
      if (culprits.length === 0) return edits;
      const movable = new Set(culprits.filter(({ level, levels }) => level < levels.length - 1));
      if (movable.size === 0) return null;
      for (const setting of movable) setting.level++;
    }
    return null;
  }

  private edits(): TextEdit[] {
    const set = this.settings.flatMap(setting =>
      rangesOf(setting).map(range => ({ ...range, newText: setting.wish.value })),
    );
    const unique = new Map(set.map(edit => [rangeKey(edit), edit]));
    return [...[...unique.values()].filter(edit => this.textAt(edit) !== edit.newText), ...this.fixed];
  }

  private textAt({ file, line, column, endColumn }: SourceRange): string {
    return (
      this.lines
        .get(file)
        ?.at(line)
        .slice(column - 1, endColumn - 1) ?? ''
    );
  }

  private readAgain(edits: readonly TextEdit[]): MegatronArgs | null {
    const [own, ...others] = editedFiles(this.files, edits);
    const found = own === undefined ? null : findMegatron(own.file, own.text, others);
    return found === null ? null : new MegatronArgs(found.command);
  }

  /** Settings whose literal serves an option that is not to change. */
  private disturbing(after: MegatronArgs): Setting[] {
    const touched = this.unexpected(after);
    if (touched.length === 0) return [];
    const shared = this.settings.filter(setting => touched.some(flag => shares(flag, setting)));
    return shared.length > 0 ? shared : this.settings;
  }

  /** Settings that want different values at one place. */
  private contested(): Setting[] {
    return this.settings.filter(setting =>
      this.settings.some(
        other => other.wish.value !== setting.wish.value && overlaps(rangesOf(other), rangesOf(setting)),
      ),
    );
  }

  /** Settings whose option does not have its value after the edits. */
  private failed(after: MegatronArgs): Setting[] {
    return this.settings.filter(({ wish }) => after.all(wish.flag).at(-1)?.words[0]?.text !== wish.value);
  }

  /**
   * Options that no wish names and that changed all the same. Keys of the plan are written back later; what the script
   * counts from others, such as its iterations, may follow.
   */
  private unexpected(after: MegatronArgs): Flag[] {
    const named = new Set<string>([...this.list.map(({ flag }) => flag), ...Object.values(PLAN_FLAGS)]);
    return this.args.command.flags.filter(flag => {
      const name = resolveFlag(flag.name);
      if (named.has(name) || after.all(name).map(textOfFlag).includes(textOfFlag(flag))) return false;
      return MEGATRON_FLAGS.includes(name) || this.settings.some(setting => shares(flag, setting));
    });
  }
}

function textOfFlag({ words }: Flag): string {
  return words.map(({ text }) => text ?? '?').join(' ');
}

function rangesOf({ levels, level }: Setting): readonly SourceRange[] {
  return levels[level] ?? [];
}

function shares(flag: Flag, setting: Setting): boolean {
  return flag.words.some(({ levels }) => levels.some(ranges => overlaps(ranges, rangesOf(setting))));
}

function overlaps(a: readonly SourceRange[], b: readonly SourceRange[]): boolean {
  const keys = new Set(a.map(rangeKey));
  return b.some(range => keys.has(rangeKey(range)));
}

function rangeKey({ file, line, column, endLine, endColumn }: SourceRange): string {
  return `${file}:${line}:${column}:${endLine}:${endColumn}`;
}

/** The layouts of a search as rows of one table: proposals, front and cells together, each once. */
import type { CandidateDocument, LayoutDocument, SearchDocument } from '../../src/documents/types';
import type { Field, Queried } from './query';

type ListName = 'best' | 'elsewhere' | 'pareto' | 'layout';

export interface Row extends Queried {
  readonly planString: string;
  readonly keys: ReadonlyMap<string, string>;
  readonly lists: readonly ListName[];
  readonly stepSeconds: number;
  readonly tokensPerSecond: number;
  readonly peakBytes: number;
  /** It fits, but the likely range of its memory reaches over the capacity. */
  readonly uncertain: boolean | null;
  readonly bubbleFraction: number;
  readonly speedup: number | null;
  readonly mfu: number | null;
  /** A proposal or one of the front; null for the best plan of a layout. */
  readonly candidate: CandidateDocument | null;
  /** The framework of the open file can express it. */
  readonly applicable: boolean;
  /** Parts of its step, where the candidate has no changes of them. */
  readonly time: LayoutDocument['time'] | null;
}

export function rowsOf(document: SearchDocument): Row[] {
  const { best, elsewhere, pareto, layouts } = document;
  const named: readonly (readonly [ListName, readonly (CandidateDocument | LayoutDocument)[]])[] = [
    ['best', best],
    ['elsewhere', elsewhere],
    ['pareto', pareto],
    ['layout', layouts],
  ];
  const found = new Map<string, { plan: CandidateDocument | LayoutDocument; lists: ListName[] }>();
  for (const [list, plans] of named) {
    for (const plan of plans) {
      const known = found.get(plan.planString);
      if (known === undefined) found.set(plan.planString, { plan, lists: [list] });
      else if (!known.lists.includes(list)) known.lists.push(list);
    }
  }
  const gpus = document.setup.cluster.gpus ?? 1;
  const rates = mfuPerToken(document, gpus);
  const present = document.current.throughput.tokensPerSecondPerGpu;
  return [...found.values()].map(({ plan, lists }) => makeRow(plan, lists, gpus, present, rates));
}

function makeRow(
  plan: CandidateDocument | LayoutDocument,
  lists: readonly ListName[],
  gpus: number,
  present: number | null,
  rates: ReadonlyMap<string, number>,
): Row {
  const { planString, bubbleFraction } = plan;
  const candidate = 'throughput' in plan ? plan : null;
  const [stepSeconds, tokensPerSecond, peakBytes] =
    'throughput' in plan
      ? [plan.throughput.stepSeconds, plan.throughput.tokensPerSecondPerGpu * gpus, plan.memory.peakBytes]
      : [plan.stepSeconds, plan.tokensPerSecond, plan.peakBytes];
  const keys = keysOf(planString);
  const rate = rates.get(keys.get('dtype') ?? '');
  const speedup = present === null ? null : tokensPerSecond / (present * gpus);
  const mfu = candidate?.throughput.mfu ?? (rate === undefined ? null : rate * tokensPerSecond);
  const uncertain = 'throughput' in plan ? plan.memory.uncertain : plan.uncertain;
  const figures = { stepSeconds, tokensPerSecond, peakBytes, bubbleFraction, speedup, mfu };
  const field = (column: string) =>
    column === 'fit' ? [uncertain === true ? 'close' : 'sure'] : fieldOf(column, figures, keys, lists);
  const { applicable } = plan;
  const time = 'time' in plan ? plan.time : null;
  return { planString, text: planString, keys, lists, candidate, applicable, time, uncertain, field, ...figures };
}

type Figures = Pick<Row, 'stepSeconds' | 'tokensPerSecond' | 'peakBytes' | 'bubbleFraction' | 'speedup' | 'mfu'>;

/** In the units that people type: memory in GB. */
const FIGURES: Readonly<Record<string, (figures: Figures) => number | null>> = {
  speed: ({ speedup }) => speedup,
  tokens: ({ tokensPerSecond }) => tokensPerSecond,
  step: ({ stepSeconds }) => stepSeconds,
  mfu: ({ mfu }) => mfu,
  memory: ({ peakBytes }) => peakBytes / 1e9,
  bubble: ({ bubbleFraction }) => bubbleFraction,
};

function fieldOf(
  column: string,
  figures: Figures,
  keys: ReadonlyMap<string, string>,
  lists: readonly ListName[],
): Field {
  if (Object.hasOwn(FIGURES, column)) return FIGURES[column](figures);
  if (column === 'list') return lists;
  const name = [...keys.keys()].find(key => key.toLowerCase() === column);
  const text = name === undefined ? undefined : keys.get(name);
  if (text === undefined) return null;
  const number = Number(text);
  return Number.isNaN(number) ? [text] : number;
}

/** Everything that a filter may name, in lower case. */
export function columnNames(rows: readonly Row[]): ReadonlySet<string> {
  const keys = rows.flatMap(row => [...row.keys.keys()]);
  return new Set([...Object.keys(FIGURES), 'list', 'fit', ...keys.map(key => key.toLowerCase())]);
}

/** Figures, numbers and words in one order; what is unknown comes last, whichever the direction. */
export function sorted(rows: readonly Row[], column: string, descending: boolean): Row[] {
  const value = (row: Row) => {
    const field = row.field(column);
    return field === null || typeof field === 'number' ? field : field.join(' ');
  };
  return [...rows].sort((a, b) => {
    const [first, second] = [value(a), value(b)];
    if (first === null || second === null) return Number(first === null) - Number(second === null);
    const ascending =
      typeof first === 'number' && typeof second === 'number'
        ? first - second
        : String(first).localeCompare(String(second), 'en');
    return descending ? -ascending : ascending;
  });
}

function keysOf(planString: string): ReadonlyMap<string, string> {
  return new Map(
    planString.split(',').map((pair): [string, string] => {
      const equals = pair.indexOf('=');
      return equals < 0 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)];
    }),
  );
}

/** MFU is proportional to tokens a second as long as the numbers' type, and so the peak, is the same. */
function mfuPerToken({ best, elsewhere, pareto }: SearchDocument, gpus: number): ReadonlyMap<string, number> {
  return new Map(
    [...best, ...elsewhere, ...pareto].map(({ plan, throughput }) => [
      plan.dtype ?? '',
      throughput.mfu / (throughput.tokensPerSecondPerGpu * gpus),
    ]),
  );
}

/** Those that no other beats in both: faster with as little memory. The least memory first. */
export function front<T extends Pick<Row, 'peakBytes' | 'tokensPerSecond'>>(rows: readonly T[]): T[] {
  const ordered = [...rows].sort((a, b) => a.peakBytes - b.peakBytes || b.tokensPerSecond - a.tokensPerSecond);
  let most = 0;
  return ordered.filter(({ tokensPerSecond }) => {
    const better = tokensPerSecond > most;
    most = Math.max(most, tokensPerSecond);
    return better;
  });
}

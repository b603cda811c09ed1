/** Two runs of the same benchmark beside each other: what became faster or slower by more than chance. */

export interface TimedThing {
  readonly key: string;
  readonly medianSeconds: number;
  /** Half of the median's 95 % interval over the median. */
  readonly medianWidth: number;
}

export interface ComparedThing {
  readonly key: string;
  readonly beforeSeconds: number;
  readonly afterSeconds: number;
  readonly ratio: number;
  readonly noise: number;
  readonly verdict: 'faster' | 'slower' | 'same';
}

/** Clocks, temperatures and neighbours move medians between runs by as much, however many samples there are. */
const LEAST_NOISE = 0.05;

export interface Comparison {
  readonly rows: readonly ComparedThing[];
  readonly onlyBefore: readonly string[];
  readonly onlyAfter: readonly string[];
}

/** Rows in the order of `before`; a key that stands twice counts once. */
export function compareTimes(before: readonly TimedThing[], after: readonly TimedThing[]): Comparison {
  const [first, second] = [before, after].map(list => new Map(list.map(thing => [thing.key, thing])));
  const rows: ComparedThing[] = [];
  for (const [key, a] of first) {
    const b = second.get(key);
    if (b === undefined || a.medianSeconds <= 0 || b.medianSeconds <= 0) continue;
    const ratio = b.medianSeconds / a.medianSeconds;
    const noise = Math.max(LEAST_NOISE, Math.hypot(a.medianWidth, b.medianWidth));
    const moved = Math.abs(Math.log(ratio)) > noise;
    const verdict = !moved ? 'same' : ratio < 1 ? 'faster' : 'slower';
    rows.push({ key, beforeSeconds: a.medianSeconds, afterSeconds: b.medianSeconds, ratio, noise, verdict });
  }
  return {
    rows,
    onlyBefore: [...first.keys()].filter(key => !second.has(key)),
    onlyAfter: [...second.keys()].filter(key => !first.has(key)),
  };
}

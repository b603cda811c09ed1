/** Which layers a stage holds, and which stages are alike. */
import type { ReadyPlan } from '../plan/ready';

/**
 * Layers by stage. Where they do not divide evenly and the first and last stage can each do with one less, those two
 * hold one less (they carry the embedding and the head; Llama 3 on 16 stages, arXiv 2407.21783, section 3.3.2);
 * otherwise the first stages hold one more.
 */
export function layersByStage(layers: number, plan: Pick<ReadyPlan, 'pp' | 'vpp' | 'stageLayers' | 'stack'>): number[] {
  const { pp, vpp, stageLayers, stack } = plan;
  if (stageLayers !== null) return foldChunks(stageLayers, pp, vpp);
  const base = Math.floor(layers / pp);
  const rest = layers % pp;
  const lightEnds = pp > 2 && rest !== 0 && (layers + 2) % pp === 0 && stack !== 'picotron';
  if (lightEnds) return Array.from({ length: pp }, (_, stage) => base + (stage === 0 || stage === pp - 1 ? 0 : 1));
  return Array.from({ length: pp }, (_, stage) => base + (stage < rest ? 1 : 0));
}

/** stageLayers lists every chunk in the order of the model; chunk c is on stage c mod pp. */
function foldChunks(stageLayers: readonly number[], pp: number, vpp: number): number[] {
  const sums = new Array<number>(pp).fill(0);
  for (let chunk = 0; chunk < pp * vpp; chunk++) sums[chunk % pp] = (sums[chunk % pp] ?? 0) + (stageLayers[chunk] ?? 0);
  return sums;
}

/** Counts of each kind of layer by stage; chunks of a stage are spread over the depth of the model. */
export function kindsByStage(
  kindOfLayer: Int32Array,
  kinds: number,
  counts: readonly number[],
  vpp: number,
): number[][] {
  const pp = counts.length;
  const result = counts.map(() => new Array<number>(kinds).fill(0));
  let layer = 0;
  for (let chunk = 0; chunk < vpp; chunk++) {
    for (let stage = 0; stage < pp; stage++) {
      const share =
        Math.floor(((chunk + 1) * (counts[stage] ?? 0)) / vpp) - Math.floor((chunk * (counts[stage] ?? 0)) / vpp);
      const row = result[stage] ?? [];
      for (let i = 0; i < share; i++, layer++) {
        const kind = kindOfLayer[layer] ?? 0;
        row[kind] = (row[kind] ?? 0) + 1;
      }
    }
  }
  return result;
}

/** Stages that hold the same layers and ends: they take the same time. */
export interface StageClass {
  /** Layers by kind. */
  readonly kinds: readonly number[];
  readonly layers: number;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly firstStage: number;
}

export interface Layout {
  readonly classes: readonly StageClass[];
  readonly classOfStage: Int32Array;
}

export function layoutOf(
  layers: number,
  kindOfLayer: Int32Array,
  kinds: number,
  plan: Pick<ReadyPlan, 'pp' | 'vpp' | 'stageLayers' | 'stack'>,
): Layout {
  const rows = kindsByStage(kindOfLayer, kinds, layersByStage(layers, plan), plan.vpp);
  const classes: StageClass[] = [];
  const indexOf = new Map<string, number>();
  const classOfStage = Int32Array.from(rows, (row, stage) => {
    const isFirst = stage === 0;
    const isLast = stage === plan.pp - 1;
    const key = `${isFirst}|${isLast}|${row.join()}`;
    const known = indexOf.get(key);
    if (known !== undefined) return known;
    classes.push({ kinds: row, layers: row.reduce((a, b) => a + b, 0), isFirst, isLast, firstStage: stage });
    indexOf.set(key, classes.length - 1);
    return classes.length - 1;
  });
  return { classes, classOfStage };
}

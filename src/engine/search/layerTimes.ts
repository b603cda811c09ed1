/**
 * Seconds of one layer of each kind and of the ends, from which a stage's time is a sum: what the time model says of a
 * stage with that layer alone.
 *
 * Legend: a slot is a number of layers a stage, which matters where a number of them is recomputed.
 */
import { emptyStageSeconds, type Priced, stageSeconds } from '../estimate/stageSeconds';
import type { StageClass } from '../estimate/stages';

/** Sums of a stage that schedules look at, in seconds of one micro-batch. */
export const BUSY = 0;
export const FORWARD = 1;
export const WEIGHT = 2;
const FIELDS = 3;

export class LayerTimes {
  /** By slot, kind and field. */
  readonly layers: Float64Array;
  /** By end (first, last, both in one) and field. */
  readonly ends = new Float64Array(3 * FIELDS);
  /** Messages between stages, there and back, of one chunk. */
  message = 0;
  private readonly views: MutableView[];

  constructor(
    private readonly kinds: number,
    mostSlots: number,
  ) {
    this.layers = new Float64Array(mostSlots * kinds * FIELDS);
    this.views = Array.from({ length: kinds }, (_, kind) => oneLayer(kinds, kind));
  }

  /** `layersOfSlot`: layers of a stage by slot. The plan of `priced` has one chunk a stage. */
  fill(priced: Priced, layersOfSlot: readonly number[]): void {
    const { pp } = priced.context.plan;
    this.message = 0;
    for (let slot = 0; slot < layersOfSlot.length; slot++) {
      for (let kind = 0; kind < this.kinds; kind++) {
        const view = this.views[kind];
        view.layers = layersOfSlot[slot];
        stageSeconds(priced, view, seconds);
        this.message = seconds.pp;
        put(this.layers, (slot * this.kinds + kind) * FIELDS);
      }
    }
    for (let end = pp === 1 ? 2 : 0; end < (pp === 1 ? 3 : 2); end++) {
      stageSeconds(priced, ENDS[end], seconds);
      put(this.ends, end * FIELDS);
    }
  }

  /** Writes a stage's seconds; `chunks` messages go each way. */
  sum(view: StageClass, slot: number, chunks: number, out: Float64Array, at: number): void {
    const { kinds } = view;
    let [busy, forward, weight] = [chunks * this.message, (chunks * this.message) / 2, 0];
    for (let kind = 0; kind < kinds.length; kind++) {
      const count = kinds[kind];
      if (count === 0) continue;
      const from = (slot * this.kinds + kind) * FIELDS;
      busy += count * this.layers[from];
      forward += count * this.layers[from + FORWARD];
      weight += count * this.layers[from + WEIGHT];
    }
    if (view.isFirst || view.isLast) {
      const from = (view.isFirst ? (view.isLast ? 2 : 0) : 1) * FIELDS;
      busy += this.ends[from];
      forward += this.ends[from + FORWARD];
      weight += this.ends[from + WEIGHT];
    }
    out[at] = busy;
    out[at + FORWARD] = forward;
    out[at + WEIGHT] = weight;
  }
}

const seconds = emptyStageSeconds();

/** The stage's own part, without its messages. */
function put(out: Float64Array, at: number): void {
  out[at] = seconds.busy - seconds.pp;
  out[at + FORWARD] = seconds.forwardTotal - seconds.pp / 2;
  out[at + WEIGHT] = seconds.backwardWeight;
}

type MutableView = { -readonly [K in keyof StageClass]: StageClass[K] };

function oneLayer(kinds: number, kind: number): MutableView {
  const counts = Array.from({ length: kinds }, (_, i) => (i === kind ? 1 : 0));
  return { kinds: counts, layers: 1, isFirst: false, isLast: false, firstStage: 0 };
}

const NO_LAYERS: MutableView = { kinds: [], layers: 1, isFirst: false, isLast: false, firstStage: 0 };
const ENDS: readonly StageClass[] = [
  { ...NO_LAYERS, isFirst: true },
  { ...NO_LAYERS, isLast: true },
  { ...NO_LAYERS, isFirst: true, isLast: true },
];

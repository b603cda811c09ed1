/**
 * Seconds of one micro-batch on every stage, summed from those of its layers and ends: all that a schedule's makespan
 * needs. A layer is priced once for all stages that hold its kind.
 *
 * Legend: a row is a number of layers a stage where that matters (a number of them is recomputed), else 0.
 */
import { emptyStageSeconds, messageSeconds, type Priced, stageSeconds } from './stageSeconds';
import type { Layout, StageClass } from './stages';

/** Sums that schedules look at: busy first. */
const FORWARD = 1;
const WEIGHT = 2;
const FIELDS = 3;

export class StagePasses {
  /** By stage, messages between stages included. */
  forward = new Float64Array(8);
  backwardInput = new Float64Array(8);
  backwardWeight = new Float64Array(8);
  /** The class of the busiest stage, its seconds, and what of them is backward. */
  busiest = 0;
  busy = 0;
  backward = 0;
  /** Over all stages. */
  allBusy = 0;
  private priced: Priced | null = null;
  private kinds = 0;
  /** By row, kind and field. */
  private layers = new Float64Array(0);
  private isFilled = new Uint8Array(0);
  /** By end (first, last, both in one) and field. */
  private readonly ends = new Float64Array(3 * FIELDS);
  /** Messages of one chunk, there and back. */
  private message = 0;
  /** By class and field. */
  private classes = new Float64Array(8 * FIELDS);
  /** By kind: a stage with one layer of it. */
  private views: MutableView[] = [];

  /** Begins a workload; its layouts may differ in their chunks. */
  enter(priced: Priced): void {
    const { plan, tables } = priced.context;
    const { pp } = plan;
    const { kinds, model } = tables;
    if (this.kinds !== kinds.length || this.isFilled.length <= model.layers) this.resize(kinds.length, model.layers);
    this.priced = priced;
    this.isFilled.fill(0);
    this.message = pp === 1 ? 0 : 2 * messageSeconds(priced);
    for (let end = pp === 1 ? 2 : 0; end < (pp === 1 ? 3 : 2); end++) {
      stageSeconds(priced, ENDS[end], seconds);
      put(this.ends, end * FIELDS);
    }
  }

  /** Sets the seconds of all stages of a layout with `chunks` chunks a stage. */
  set({ classes, classOfStage }: Layout, chunks: number): void {
    if (this.classes.length < classes.length * FIELDS) this.classes = new Float64Array(2 * classes.length * FIELDS);
    if (this.forward.length < classOfStage.length) this.grow(classOfStage.length);
    const { classes: sums, forward, backwardInput, backwardWeight } = this;
    this.busiest = 0;
    for (let i = 0; i < classes.length; i++) {
      this.sum(classes[i], chunks, i * FIELDS);
      if (sums[i * FIELDS] > sums[this.busiest * FIELDS]) this.busiest = i;
    }
    this.busy = sums[this.busiest * FIELDS];
    this.backward = this.busy - sums[this.busiest * FIELDS + FORWARD];
    this.allBusy = 0;
    for (let stage = 0; stage < classOfStage.length; stage++) {
      const at = classOfStage[stage] * FIELDS;
      const busy = sums[at];
      forward[stage] = sums[at + FORWARD];
      backwardWeight[stage] = sums[at + WEIGHT];
      backwardInput[stage] = busy - forward[stage] - backwardWeight[stage];
      this.allBusy += busy;
    }
  }

  private sum({ kinds, layers: number, isFirst, isLast }: StageClass, chunks: number, at: number): void {
    const { layers, ends, classes } = this;
    const row = this.rowOf(number);
    let busy = chunks * this.message;
    let forward = busy / 2;
    let weight = 0;
    for (let kind = 0; kind < kinds.length; kind++) {
      const count = kinds[kind];
      if (count === 0) continue;
      const from = (row * this.kinds + kind) * FIELDS;
      busy += count * layers[from];
      forward += count * layers[from + FORWARD];
      weight += count * layers[from + WEIGHT];
    }
    if (isFirst || isLast) {
      const from = (isFirst ? (isLast ? 2 : 0) : 1) * FIELDS;
      busy += ends[from];
      forward += ends[from + FORWARD];
      weight += ends[from + WEIGHT];
    }
    classes[at] = busy;
    classes[at + FORWARD] = forward;
    classes[at + WEIGHT] = weight;
  }

  private rowOf(number: number): number {
    const { priced, kinds, views, layers, isFilled } = this;
    const row = priced?.context.setting.rule.fullLayers == null ? 0 : number;
    if (priced === null || isFilled[row] === 1) return row;
    isFilled[row] = 1;
    for (let kind = 0; kind < kinds; kind++) {
      views[kind].layers = number;
      stageSeconds(priced, views[kind], seconds);
      put(layers, (row * kinds + kind) * FIELDS);
    }
    return row;
  }

  private resize(kinds: number, mostLayers: number): void {
    this.kinds = kinds;
    this.layers = new Float64Array((mostLayers + 1) * kinds * FIELDS);
    this.isFilled = new Uint8Array(mostLayers + 1);
    this.views = Array.from({ length: kinds }, (_, kind) => oneLayer(kinds, kind));
  }

  private grow(stages: number): void {
    this.forward = new Float64Array(2 * stages);
    this.backwardInput = new Float64Array(2 * stages);
    this.backwardWeight = new Float64Array(2 * stages);
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

const NO_LAYERS: StageClass = { kinds: [], layers: 1, isFirst: false, isLast: false, firstStage: 0 };
const ENDS: readonly StageClass[] = [
  { ...NO_LAYERS, isFirst: true },
  { ...NO_LAYERS, isLast: true },
  { ...NO_LAYERS, isFirst: true, isLast: true },
];

/** A plan as changes of DeepSpeed's JSON. What the file calls auto stays with the trainer unless its own key changes. */
import { accumulation, placeChanges, type Writing } from '../placeChanges';
import { pathOf, type Path } from '../places';
import type { Change } from '../treeEdits';
import { nodeAt, plainValue, type Scalar } from '../tree';
import {
  BATCH,
  BF16,
  CHOICES,
  DEGREES,
  FP16,
  MICS,
  OFFLOAD_LEGACY,
  OFFLOAD_OPTIMIZER,
  OFFLOAD_PARAM,
  STAGE,
  STAGES,
} from './keys';

/** `prefix` is where the keys stand in a file that holds more than DeepSpeed's. */
export function writeDeepSpeed(writing: Writing, prefix: Path = []): Change[] {
  const under = (dotted: string): Path => [...prefix, ...pathOf(dotted)];
  const hasStages = nodeAt(writing.root, ...under(STAGES_KEY)) !== null;
  const stages = hasStages ? [{ key: 'pp', at: [STAGES_KEY] }] : [];
  const places = [...DEGREES, ...CHOICES, ...stages].map(place => ({
    ...place,
    at: place.at.map(key => under(key).join('.')),
  }));
  return [
    ...placeChanges(writing, places),
    ...batch(writing, under),
    ...states(writing, under),
    ...offload(writing, under),
    ...precision(writing, under),
  ];
}

/** Only a model that is cut into stages can have more of them. */
const STAGES_KEY = 'pipeline.stages';

type Under = (dotted: string) => Path;

const at = ({ root }: Writing, path: Path): unknown => plainValue(nodeAt(root, ...path));
const set = (path: Path, value: Scalar): Change[] => [{ path, value }];

/** Each of the three numbers that the file states; one that is missing is added where its own key changes. */
function batch(writing: Writing, under: Under): Change[] {
  const { plan, changed } = writing;
  if (!changed.has('microBatch') && !changed.has('globalBatch') && !changed.has('dp')) return [];
  const values = { globalBatch: plan.globalBatch, microBatch: plan.microBatch, accumulation: accumulation(plan) };
  return (Object.keys(BATCH) as (keyof typeof BATCH)[]).flatMap(key => {
    const path = under(BATCH[key]);
    const present = at(writing, path);
    const needed =
      key === 'accumulation'
        ? values.accumulation !== 1 && present === undefined && needsSteps(writing, under)
        : changed.has(key);
    const written = typeof present === 'number' || needed;
    return written && values[key] !== null ? set(path, values[key]) : [];
  });
}

/** Without the whole batch in the file the number of steps says it. */
function needsSteps(writing: Writing, under: Under): boolean {
  return typeof at(writing, under(BATCH.globalBatch)) !== 'number' && !writing.changed.has('globalBatch');
}

function states(writing: Writing, under: Under): Change[] {
  const { plan, changed } = writing;
  if (!changed.has('sharding') && !changed.has('shardSize')) return [];
  const name = plan.sharding === 'hsdp' ? 'zero3' : plan.sharding;
  const stage = Object.keys(STAGES).find(key => STAGES[Number(key) as 0] === name);
  const mics = at(writing, under(MICS));
  const size = plan.sharding === 'hsdp' ? plan.shardSize : typeof mics === 'number' && mics > 1 ? -1 : null;
  return [
    ...(stage === undefined ? [] : set(under(STAGE), Number(stage))),
    ...(size === null ? [] : set(under(MICS), size)),
  ];
}

function offload(writing: Writing, under: Under): Change[] {
  const { plan, changed } = writing;
  if (!changed.has('offload') && !changed.has('offloadDevice')) return [];
  const device = plan.offloadDevice ?? 'cpu';
  const changes: Change[] = [];
  for (const [key, what] of [
    [OFFLOAD_OPTIMIZER, 'optimizer'],
    [OFFLOAD_PARAM, 'params'],
  ] as const) {
    const wanted = plan.offload?.split('+').includes(what) === true ? device : 'none';
    const present = at(writing, under(key));
    if (present !== undefined || wanted !== 'none') changes.push(...set(under(key), wanted));
  }
  if (at(writing, under(OFFLOAD_LEGACY)) !== undefined) changes.push(...set(under(OFFLOAD_LEGACY), false));
  return changes;
}

function precision(writing: Writing, under: Under): Change[] {
  const { plan, changed } = writing;
  if (!changed.has('dtype')) return [];
  const bf16 = BF16.find(key => at(writing, under(key)) !== undefined) ?? BF16[0];
  return [
    [bf16, 'bf16'],
    [FP16, 'fp16'],
  ].flatMap(([key = '', dtype]) => {
    const on = plan.dtype === dtype;
    return on || at(writing, under(key)) !== undefined ? set(under(key), on) : [];
  });
}

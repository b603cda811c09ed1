/**
 * One setup from several files: a model's config.json, a training config, a cluster. A training file's own words on
 * the model (an override, a zoo name) count before the model's file, the zoo's after it.
 */
import { type Problem, problem } from '../problem';
import { layerLimits } from '../setup/limits';
import {
  emptySetup,
  type FieldPath,
  type FileReading,
  fieldValue,
  SetupBuilder,
  type TrainingSetup,
} from '../setup/setup';

const RANK = { file: 2, user: 3, derived: 1, default: 0, zoo: 0 } as const;

/** What a training file says counts before what its launcher says, that before DeepSpeed's file, the model last. */
const LATER: Readonly<Record<string, number>> = { accelerate: 1, deepspeed: 2, hf: 3 };

const turn = ({ kind }: FileReading): number => LATER[kind ?? ''] ?? 0;

export function mergeReadings(readings: readonly FileReading[]): { setup: TrainingSetup; problems: Problem[] } {
  const ordered = readings.toSorted((a, b) => turn(a) - turn(b));
  const problems: Problem[] = readings.flatMap(reading => [...reading.problems]);
  let merged: TrainingSetup | null = null;
  for (const { setup } of ordered) {
    if (setup === null) continue;
    merged = merged === null ? setup : mergeInto(merged, setup, problems);
  }
  const setup = merged ?? emptySetup();
  // A reader that knows the model's file says it there.
  const isSaid = problems.some(({ args }) => args.what === 'layer-parts');
  if (!isSaid) problems.push(...layerLimits(setup));
  return { setup, problems: problems.filter(found => !isSettled(found, setup)) };
}

/** One file left open what another one says. */
function isSettled({ code, args }: Problem, setup: TrainingSetup): boolean {
  if (code !== 'value-unknown' || typeof args.field !== 'string') return false;
  // The whole batch follows from these two once the ranks are known.
  const follows = setup.stated?.accumulation !== undefined && setup.plan.microBatch !== null;
  return setup.fields.has(args.field as FieldPath) || (args.field === 'plan.globalBatch' && follows);
}

/** Adds what `second` knows better than `first`; a different value that a file states in both is reported. */
function mergeInto(first: TrainingSetup, second: TrainingSetup, problems: Problem[]): TrainingSetup {
  const builder = new SetupBuilder(first);
  builder.kinds.push(...second.kinds);
  const modelFromZoo = ![...first.fields].some(([path, field]) => path === 'model.hidden' && field.origin === 'file');
  if (modelFromZoo && second.fields.has('model.hidden')) builder.traits = second.traits;
  for (const [path, field] of second.fields) {
    const known = first.fields.get(path);
    if (known !== undefined && RANK[known.origin] >= RANK[field.origin]) {
      if (known.origin === 'file' && field.origin === 'file') report(problems, first, second, path);
      continue;
    }
    assign(builder, path, fieldValue(second, path));
    builder.fields.set(path, field);
    builder.unknown.delete(path);
  }
  builder.stated = { ...second.stated, ...first.stated };
  for (const path of second.unknown ?? []) if (!builder.fields.has(path)) builder.unknown.add(path);
  return builder.build();
}

function report(problems: Problem[], first: TrainingSetup, second: TrainingSetup, path: FieldPath): void {
  const [a, b] = [fieldValue(first, path), fieldValue(second, path)];
  if (a === b || path === 'model.name') return;
  const source = first.fields.get(path)?.source ?? null;
  const other = second.fields.get(path)?.source ?? null;
  const args = { key: path, value: String(a), other: String(b), file: other?.file ?? '', line: other?.line ?? 0 };
  // A training file may well change a model's sizes; two plans in one run are a mistake.
  const severity = path.startsWith('plan.') ? 'warning' : 'information';
  problems.push(problem('contradiction', args, { source, severity }));
}

function assign(builder: SetupBuilder, path: FieldPath, value: unknown): void {
  const [part, key] = path.split('.') as ['model' | 'plan' | 'cluster', string];
  const target = { model: builder.sizes, plan: builder.plan, cluster: builder.cluster }[part];
  (target as unknown as Record<string, unknown>)[key] = value;
}

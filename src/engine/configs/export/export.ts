/**
 * A setup as a new config of another framework: a skeleton with the model's sizes, into which that framework's own
 * writer puts the plan. What its files cannot say is named, with what they say instead. The result is read again before
 * it is given, so that what is not named has been carried over.
 */
import { completeSetup } from '../../plan/complete';
import type { Problem } from '../../problem';
import { SetupBuilder, type TrainingSetup } from '../../setup/setup';
import type { PlanChange } from '../changedSetup';
import { applyEdits } from '../edits';
import { mergeReadings } from '../merge';
import { readAll, readConfig } from '../registry';
import { planEdits } from '../write';
import { degreesOf, largestChange } from './carry';
import type { ExportedFile } from './files';
import { type Loss, modelLosses, planLosses } from './losses';
import { type ExportSource, exportSource } from './source';
import { type ExportKind, type OpenItem, type Target, TARGETS } from './targets';

export interface Exported {
  readonly kind: ExportKind;
  /** The config first; a model's config.json beside it where the format names a folder. None where a rule refuses. */
  readonly files: readonly ExportedFile[];
  readonly losses: readonly Loss[];
  /** What is left for the user to fill in. */
  readonly open: readonly OpenItem[];
  readonly problems: readonly Problem[];
}

export function exportSetup(given: TrainingSetup, kind: ExportKind): Exported {
  const setup = completeSetup(given);
  const target = TARGETS[kind];
  const source = exportSource(setup);
  const text = target.skeleton(source);
  const base = readBase(target, text, setup);
  const attempt = (change: PlanChange) => planEdits({ file: target.file, text, kind }, base, change);
  const errorsOf = (change: PlanChange) => attempt(change).problems.filter(({ severity }) => severity === 'error');
  const change = largestChange(setup, base, target.elsewhere ?? [], change => errorsOf(change).length === 0);
  if (change !== null) return finished(kind, source, setup, applyEdits(text, attempt(change).edits));
  const problems = errorsOf(degreesOf(setup, base, target.elsewhere ?? []));
  return { kind, files: [], losses: [], open: [], problems };
}

/** What the files say together on the same machine. */
function readWhole(files: readonly ExportedFile[], { cluster }: TrainingSetup): TrainingSetup {
  const { setup } = mergeReadings(readAll(files.map(({ name, text }) => ({ file: name, text }))));
  const builder = new SetupBuilder(setup);
  Object.assign(builder.cluster, cluster);
  return completeSetup(builder.build());
}

/** The skeleton as a whole run on the same machine. */
function readBase(target: Target, text: string, { cluster }: TrainingSetup): TrainingSetup {
  const { setup } = readConfig(target.file, text);
  const builder = new SetupBuilder(setup ?? undefined);
  Object.assign(builder.cluster, cluster);
  return completeSetup(builder.build());
}

function finished(kind: ExportKind, source: ExportSource, setup: TrainingSetup, text: string): Exported {
  const target = TARGETS[kind];
  const beside = target.beside?.(source) ?? [];
  const again = readWhole([{ name: target.file, text }, ...beside], setup);
  return {
    kind,
    files: [{ name: target.file, text }, ...beside],
    losses: [...planLosses(setup, again), ...(target.states === 'sizes' ? modelLosses(setup, again) : [])],
    open: target.open(source),
    problems: [],
  };
}

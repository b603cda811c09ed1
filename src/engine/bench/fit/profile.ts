/** From measurements and own runs to a hardware profile: what moved, by how much, and how well own runs are told before and after. */
import { deviceRates } from '../../estimate/device';
import { accelerator, isAcceleratorId } from '../../hardware/accelerators';
import { calibrationWith, type Profile } from '../../hardware/profile';
import { isReady } from '../../plan/ready';
import type { TrainingSetup } from '../../setup/setup';
import type { PublishedRun } from '../../validation/runs';
import { type RowModel, rowModel } from '../../validation/rowModel';
import type { BenchRecord, CollectiveRecord, ProductRecord } from '../records';
import { fitLinks, type LinkFit } from './alphaBeta';
import { fitLinkConstants } from './links';
import { fitProducts, type ProductFit } from './products';
import { fitRuns } from './runs';

export interface OwnRun {
  readonly name: string;
  readonly setup: TrainingSetup;
  readonly stepSeconds: number;
}

export interface MovedConstant {
  /** `device.hopper.linkShare`, `common.networkShare`, `stack.nemo.bias`. */
  readonly name: string;
  readonly prior: number;
  readonly value: number;
  /** Standard deviation as a share; null where the fit of runs does not say. */
  readonly uncertainty: number | null;
}

export interface ProfileFit {
  readonly links: readonly LinkFit[];
  /** The fastest product: of micro-benchmarks, which run cooler than steps, so that it moves no constant. */
  readonly products: {
    readonly shapes: number;
    readonly bestFlopsPerSecond: number;
    readonly shareOfPeak: number | null;
    /** null with too few shapes. */
    readonly curve: ProductFit | null;
  } | null;
  readonly collectives: { readonly records: number; readonly beforeError: number; readonly afterError: number } | null;
  readonly constants: readonly MovedConstant[];
  readonly runs: readonly {
    readonly name: string;
    readonly measuredSeconds: number;
    readonly beforeSeconds: number;
    readonly afterSeconds: number;
  }[];
  /** Runs that cannot be predicted (the plan or the model is not complete). */
  readonly skipped: readonly string[];
  readonly profile: Profile;
}

/** Changes below this say nothing. */
const LEAST_CHANGE = 0.005;

export function fitProfile(records: readonly BenchRecord[], own: readonly OwnRun[], setup: TrainingSetup): ProfileFit {
  const collectives = records.filter((one): one is CollectiveRecord => one.kind === 'collective');
  const found = fitLinkConstants(collectives, setup.cluster);
  const moved: MovedConstant[] = (found?.constants ?? []).map(({ name, prior, value, uncertainty }) => ({
    name: name === 'linkShare' ? `device.${found?.architecture ?? ''}.linkShare` : `common.${name}`,
    prior,
    value,
    uncertainty,
  }));
  const base = calibrationWith(profileOf(moved));
  const rows = own.map(run => ({ run, row: rowOf(run) }));
  const ready = rows.flatMap(({ row }) => row ?? []);
  const fit = ready.length === 0 ? null : fitRuns(ready, base);
  const measured = new Set(moved.map(({ name }) => name));
  for (const { name, prior, value } of fit?.parameters ?? []) {
    const isMoved = Math.abs(Math.log(value / prior)) > LEAST_CHANGE;
    if (isMoved && !measured.has(name)) moved.push({ name, prior, value, uncertainty: null });
  }
  return {
    links: fitLinks(collectives),
    products: productsOf(records, setup),
    collectives:
      found === null ? null : { records: found.records, beforeError: found.beforeError, afterError: found.afterError },
    constants: moved,
    runs: ready.map((row, i) => ({
      name: row.run.id,
      measuredSeconds: row.measured,
      beforeSeconds: row.measured * Math.exp(fit?.before[i] ?? 0),
      afterSeconds: row.measured * Math.exp(fit?.after[i] ?? 0),
    })),
    skipped: rows.filter(({ row }) => row === null).map(({ run }) => run.name),
    profile: profileOf(moved),
  };
}

function rowOf({ name, setup, stepSeconds }: OwnRun): RowModel | null {
  if (!isReady(setup.plan)) return null;
  const measured = { stepSeconds, peakBytes: null, memoryKind: 'reserved', oom: null, ofFirstNode: false } as const;
  const run: PublishedRun = {
    id: name,
    source: 'own',
    sourceName: 'own',
    group: 'own',
    sweep: '',
    tier: 'own',
    scores: ['time'],
    setup,
    measured,
    assumed: [],
    reason: null,
  };
  return rowModel(run);
}

function profileOf(constants: readonly MovedConstant[]): Profile {
  const devices: Record<string, Record<string, number>> = {};
  const common: Record<string, number> = {};
  const stacks: Record<string, Record<string, number>> = {};
  for (const { name, value } of constants) {
    const [kind, second = '', third = ''] = name.split('.');
    const rounded = Number(value.toPrecision(4));
    if (kind === 'common') common[second] = rounded;
    else ((kind === 'device' ? devices : stacks)[second] ??= {})[third] = rounded;
  }
  return { devices, common, stacks };
}

function productsOf(records: readonly BenchRecord[], { cluster }: TrainingSetup): ProfileFit['products'] {
  const list = records.filter((one): one is ProductRecord => one.kind === 'product');
  if (list.length === 0) return null;
  const best = list.reduce((most, { m, k, n, seconds }) => Math.max(most, (2 * m * k * n) / seconds), 0);
  const { gpu } = cluster;
  const rates = gpu !== null && isAcceleratorId(gpu) ? deviceRates(gpu, accelerator(gpu)) : null;
  return {
    shapes: list.length,
    bestFlopsPerSecond: best,
    shareOfPeak: rates === null ? null : best / rates.peak16,
    curve: fitProducts(list, rates ?? undefined),
  };
}

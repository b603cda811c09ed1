/**
 * A hardware file: the keys of a cluster, a profile of constants that own measurements moved, and what these were. The
 * command line takes it by `--hardware`, and `meshlens.json` names one for all configs of its folder.
 *
 *     { "format": "meshlens-profile/1", "date": "2026-03-01T…", "gpu": "h100-sxm",
 *       "profile": {"common": {"networkShare": 0.81}}, "evidence": {"measurements": [{"name": "nccl.txt", …}], …} }
 */
import { type Profile, readProfile } from '../hardware/profile';
import { type Problem, problem, type SourceRange } from '../problem';
import { override, withValues } from '../setup/override';
import { emptySetup, type TrainingSetup } from '../setup/setup';
import { parseJson } from './json';
import { plainValue } from './tree';

export const PROFILE_FORMAT = 'meshlens-profile/1';

/** What a profile was made of, and how well it tells that before and after. */
export interface ProfileEvidence {
  readonly measurements: readonly { readonly name: string; readonly format: string; readonly records: number }[];
  readonly constants: readonly {
    readonly name: string;
    readonly prior: number;
    readonly value: number;
    /** Standard deviation as a share; null: not known. */
    readonly uncertainty: number | null;
  }[];
  /** Medians of |predicted / measured − 1| over measured collectives. */
  readonly collectives: { readonly records: number; readonly beforeError: number; readonly afterError: number } | null;
  readonly runs: readonly {
    readonly name: string;
    readonly measuredSeconds: number;
    readonly beforeSeconds: number;
    readonly afterSeconds: number;
  }[];
}

/** A profile that is in use: its file, when it was made, on what. */
export interface ProfileInUse extends ProfileEvidence {
  readonly file: string;
  readonly date: string | null;
  readonly gpu: string | null;
}

export interface HardwareFile {
  /** Keys of the cluster, as texts. */
  readonly values: readonly (readonly [key: string, value: string])[];
  readonly profile: Profile | null;
  /** null where the file has no profile. */
  readonly inUse: ProfileInUse | null;
  readonly problems: readonly Problem[];
}

const NOTHING: HardwareFile = { values: [], profile: null, inUse: null, problems: [] };
/** Keys of the file that are none of the cluster. */
const OWN_KEYS: readonly string[] = ['$schema', 'format', 'date', 'note'];

/** What the file says. A text that is no object of JSON is a problem of the file; a key that means nothing is one, too. */
export function readHardwareFile(file: string, text: string): HardwareFile {
  const { root, problems: damage } = parseJson(file, text, { comments: true, trailingCommas: true });
  const value = plainValue(root);
  if (damage.length > 0) return { ...NOTHING, problems: damage };
  if (root?.kind !== 'map' || !isObject(value)) return { ...NOTHING, problems: [refused(file, '{ … }', 'text', null)] };
  const values = Object.entries(value).flatMap(([key, entry]) =>
    OWN_KEYS.includes(key) || !isPlain(entry) ? [] : [[key, String(entry)] as const],
  );
  const wrong = values.filter(([key, own]) => 'code' in override(emptySetup(), key, own));
  const problems = wrong.map(([key, own]) =>
    refused(key, 'a value of the cluster', own, root.entries.get(key)?.key ?? null),
  );
  if (!isObject(value.profile)) return { ...NOTHING, values, problems };
  return { values, profile: readProfile(value.profile), inUse: inUseOf(file, value), problems };
}

/** The setup on this hardware: its keys of the cluster below what else is known, its profile over the shipped constants. */
export function onHardware(setup: TrainingSetup, hardware: HardwareFile | null): TrainingSetup {
  if (hardware === null) return setup;
  const known = withValues(setup, hardware.values);
  return hardware.profile === null ? known : { ...known, profile: hardware.profile };
}

/** Of a file that is named and is not there. */
export function missingHardware(path: string, source: SourceRange | null): HardwareFile {
  return { ...NOTHING, problems: [refused('hardware', 'a hardware file', path, source)] };
}

function refused(key: string, expected: string, value: string, source: SourceRange | null): Problem {
  return problem('value-invalid', { key, expected, value: value.slice(0, 60) }, { source, severity: 'warning' });
}

function inUseOf(file: string, { date, gpu, evidence }: Readonly<Record<string, unknown>>): ProfileInUse {
  const known = isObject(evidence) ? evidence : {};
  const collectives = [known.collectives].filter(isObject)[0] ?? null;
  return {
    file,
    date: typeof date === 'string' ? date : null,
    gpu: typeof gpu === 'string' ? gpu : null,
    measurements: objects(known.measurements).map(one => ({
      name: text(one.name),
      format: text(one.format),
      records: number(one.records) ?? 0,
    })),
    constants: objects(known.constants).map(one => ({
      name: text(one.name),
      prior: number(one.prior) ?? 0,
      value: number(one.value) ?? 0,
      uncertainty: number(one.uncertainty),
    })),
    collectives:
      collectives === null
        ? null
        : {
            records: number(collectives.records) ?? 0,
            beforeError: number(collectives.beforeError) ?? 0,
            afterError: number(collectives.afterError) ?? 0,
          },
    runs: objects(known.runs).map(one => ({
      name: text(one.name),
      measuredSeconds: number(one.measuredSeconds) ?? 0,
      beforeSeconds: number(one.beforeSeconds) ?? 0,
      afterSeconds: number(one.afterSeconds) ?? 0,
    })),
  };
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isPlain = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);
const objects = (value: unknown) => (Array.isArray(value) ? (value as unknown[]).filter(isObject) : []);
const text = (value: unknown) => (typeof value === 'string' ? value : '');
const number = (value: unknown) => (typeof value === 'number' && Number.isFinite(value) ? value : null);

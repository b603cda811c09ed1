/**
 * A hardware profile: constants of the cost model that a user's own measurements moved, and only those. It lies over
 * the shipped calibration; without it everything is as shipped.
 */
import { CALIBRATION } from './calibration.generated';
import type { Calibration, CommonConstants, DeviceConstants, FittedStack, StackConstants } from './constants';

export interface Profile {
  /** By architecture. */
  readonly devices: Readonly<Record<string, Partial<DeviceConstants>>>;
  readonly common: Partial<CommonConstants>;
  /** By family of stacks. */
  readonly stacks: Readonly<Record<string, Partial<StackConstants>>>;
}

const calibrations = new WeakMap<Profile, Calibration>();

/** The calibration under a profile. */
export function calibrationWith(profile: Profile | null): Calibration {
  if (profile === null) return CALIBRATION;
  const known = calibrations.get(profile);
  if (known !== undefined) return known;
  const { devices, stacks } = CALIBRATION;
  const found: Calibration = {
    devices: { ...devices, ...over(devices, profile.devices, UNMEASURED) },
    common: { ...CALIBRATION.common, ...profile.common },
    stacks: { ...stacks, ...ownStacks(stacks, profile.stacks) },
  };
  calibrations.set(profile, found);
  return found;
}

/** A bias of one's own runs holds where they ran, whatever the published ones were fitted to. */
function ownStacks(shipped: Calibration['stacks'], own: Profile['stacks']): Calibration['stacks'] {
  const found = Object.entries(over<FittedStack>(shipped, own, { bias: 1, hostFactor: 1 }));
  return Object.fromEntries(
    found.map(([family, stack]) => [
      family,
      own[family].bias === undefined ? stack : { bias: stack.bias, hostFactor: stack.hostFactor },
    ]),
  );
}

/** Of an architecture without published runs, where a profile knows of a part alone: textbook values. */
const UNMEASURED: DeviceConstants = {
  matmulCeiling: 0.7,
  halfK: 250,
  flashEfficiency: 0.4,
  linkShare: 0.65,
  fp8Share: 0.85,
};

function over<T>(shipped: Readonly<Record<string, T>>, own: Readonly<Record<string, Partial<T>>>, fallback: T) {
  return Object.fromEntries(
    Object.entries(own).map(([name, values]) => [
      name,
      { ...(Object.hasOwn(shipped, name) ? shipped[name] : fallback), ...values },
    ]),
  ) as Record<string, T>;
}

/** The profile of a parsed file, or null where it is none. Constants that do not exist or are no positive numbers are left out. */
export function readProfile(value: unknown): Profile | null {
  if (!isObject(value)) return null;
  const tables = (table: unknown, like: readonly string[]) =>
    Object.fromEntries(Object.entries(isObject(table) ? table : {}).map(([name, one]) => [name, constants(one, like)]));
  return {
    devices: tables(value.devices, Object.keys(UNMEASURED)),
    common: constants(value.common, Object.keys(CALIBRATION.common)),
    stacks: tables(value.stacks, ['bias', 'hostFactor']),
  };
}

function constants(value: unknown, names: readonly string[]): Record<string, number> {
  const pairs = Object.entries(isObject(value) ? value : {});
  return Object.fromEntries(
    pairs.filter(
      (pair): pair is [string, number] =>
        names.includes(pair[0]) && typeof pair[1] === 'number' && pair[1] > 0 && Number.isFinite(pair[1]),
    ),
  );
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Energy, CO₂ and water of a training from the user's own factors: linear in GPU-hours, an estimate and never a
 * measurement. What is left blank gives nothing.
 */
export interface FootprintFactors {
  /** Drawn by one GPU with its share of the machine. */
  readonly wattsPerGpu: number | null;
  /** Of the whole site over that of the machines (PUE). */
  readonly powerUsage: number | null;
  readonly gramsCo2PerKwh: number | null;
  readonly litresPerKwh: number | null;
}

/** The factors, or undefined where the user has stated none. */
export function statedFactors(factors: FootprintFactors): FootprintFactors | undefined {
  const { wattsPerGpu, powerUsage, gramsCo2PerKwh, litresPerKwh } = factors;
  const stated = { wattsPerGpu, powerUsage, gramsCo2PerKwh, litresPerKwh };
  return Object.values(stated).every(value => value === null) ? undefined : stated;
}

export interface Footprint {
  readonly kilowattHours: number | null;
  readonly kilogramsCo2: number | null;
  readonly litresWater: number | null;
}

export function footprint(gpuHours: number | null, factors: FootprintFactors): Footprint {
  const { wattsPerGpu, powerUsage, gramsCo2PerKwh, litresPerKwh } = factors;
  const kilowattHours =
    gpuHours === null || wattsPerGpu === null ? null : (gpuHours * wattsPerGpu * (powerUsage ?? 1)) / 1000;
  const times = (factor: number | null) => (kilowattHours === null || factor === null ? null : kilowattHours * factor);
  return {
    kilowattHours,
    kilogramsCo2: times(gramsCo2PerKwh === null ? null : gramsCo2PerKwh / 1000),
    litresWater: times(litresPerKwh),
  };
}

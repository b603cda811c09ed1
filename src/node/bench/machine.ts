/** The machine that a benchmark runs on, and how busy others keep it. */
import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchLoad, BenchMachine } from '../../documents/bench';

export function thisMachine(): BenchMachine {
  const cores = os.cpus();
  return {
    cpu: cores[0]?.model.trim() ?? 'unknown',
    logicalCores: cores.length,
    parallelism: os.availableParallelism(),
    memoryBytes: os.totalmem(),
    platform: os.platform(),
    architecture: os.arch(),
    runtime: `Node ${process.versions.node}`,
  };
}

/** Long enough for the system's clock ticks of 10 ms to add up. */
const LOOK_MILLISECONDS = 250;

/** Share of all cores' time that is not idle; to be asked while this process has nothing to do. */
export async function busyFraction(signal?: AbortSignal): Promise<number> {
  const before = coreTimes();
  await sleep(LOOK_MILLISECONDS, undefined, signal ? { signal } : {});
  const after = coreTimes();
  const all = after.all - before.all;
  return all > 0 ? 1 - (after.idle - before.idle) / all : 0;
}

function coreTimes(): { idle: number; all: number } {
  const times = os.cpus().map(core => core.times);
  const sum = (list: readonly number[]) => list.reduce((a, b) => a + b, 0);
  return { idle: sum(times.map(t => t.idle)), all: sum(times.flatMap(t => Object.values(t))) };
}

/** From this share on, others take time from the ranks often enough to show in medians. */
const BUSY_FRACTION = 0.25;
export const isBusy = (fraction: number): boolean => fraction > BUSY_FRACTION;

export function loadOf(beforeFraction: number, afterFraction: number, oneMinute: number): BenchLoad {
  return {
    beforeFraction,
    afterFraction,
    // Windows counts no load and says 0.
    oneMinute: os.platform() === 'win32' ? null : oneMinute,
    busy: isBusy(Math.max(beforeFraction, afterFraction)),
  };
}

/** The user's own measurements as tables of a report: the profile in use, logged runs, this machine over time. */
import type { RunComparison } from '../documents/bench';
import type { OwnMeasurements } from '../documents/ownMeasurements';
import type { ProfileInUse } from '../engine/configs/hardwareFile';
import { formatBytes, formatInteger, formatNumber, formatSeconds } from './format';
import { OWN_WORDS } from './ownWords';

export interface ReportTable {
  readonly caption: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Sentences below it. */
  readonly notes: readonly string[];
}

const seconds = (value: number | null | undefined) => (value == null ? OWN_WORDS.unknown : formatSeconds(value));
const bytes = (value: number | null | undefined) => (value == null ? OWN_WORDS.unknown : formatBytes(value));

/** Empty where nothing was measured. */
export function ownTables({ profile, runs, history }: OwnMeasurements): ReportTable[] {
  return [
    ...(profile === null ? [] : [profileTable(profile)]),
    ...runs.map(runTable),
    ...(history.length === 0 ? [] : [historyTable(history)]),
  ];
}

function profileTable({ file, constants, runs }: ProfileInUse): ReportTable {
  return {
    caption: OWN_WORDS.profile(file),
    head: [OWN_WORDS.constant, OWN_WORDS.shipped, OWN_WORDS.calibrated],
    rows: constants.map(({ name, prior, value }) => [name, formatNumber(prior, 4), formatNumber(value, 4)]),
    notes: runs.map(({ name, measuredSeconds, beforeSeconds, afterSeconds }) =>
      OWN_WORDS.ownRun(name, seconds(measuredSeconds), seconds(beforeSeconds), seconds(afterSeconds)),
    ),
  };
}

function runTable({ name, run, predicted, parts, causes }: RunComparison): ReportTable {
  return {
    caption: OWN_WORDS.run(name),
    head: [OWN_WORDS.part, OWN_WORDS.logged, OWN_WORDS.predicted],
    rows: [
      [OWN_WORDS.step, seconds(run?.stepSeconds), seconds(predicted.stepSeconds)],
      [OWN_WORDS.memory, bytes(run?.allocatedBytes), bytes(predicted.peakBytes)],
      ...parts.map(part => [part.name, seconds(part.loggedSeconds), seconds(part.predictedSeconds)]),
    ],
    notes: causes.map(({ message }) => message),
  };
}

/** The latest first. */
function historyTable(history: OwnMeasurements['history']): ReportTable {
  return {
    caption: OWN_WORDS.history,
    head: [OWN_WORDS.date, OWN_WORDS.machine, OWN_WORDS.ranks, OWN_WORDS.reduce, OWN_WORDS.message],
    rows: [...history]
      .reverse()
      .map(one => [
        one.date,
        one.cpu,
        formatInteger(one.ranks),
        one.allReduceBusbw === null ? OWN_WORDS.unknown : `${formatNumber(one.allReduceBusbw / 1e9, 3)} GB/s`,
        seconds(one.messageSeconds),
      ]),
    notes: [],
  };
}

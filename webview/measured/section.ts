/** Own measurements: the profile in use, logged runs beside their predictions, this machine over time. */
import type { BenchEntry } from '../../src/documents/benchHistory';
import type { RunComparison } from '../../src/documents/bench';
import type { ProfileInUse } from '../../src/engine/configs/hardwareFile';
import { h, type VNode } from '../dom';
import type { Formats } from '../format';
import { type Scene, section, table } from '../parts';
import { say } from '../words';

export function measuredSection({ state, formats }: Scene): VNode {
  const { profile = null, runs = [], history = [] } = state.measured ?? {};
  return section(
    'measured',
    say('measuredHeading'),
    h('h3', {}, say('profileHeading')),
    ...(profile === null ? [h('p', {}, say('profileNone'))] : profileParts(profile, formats)),
    h('h3', {}, say('compareHeading')),
    ...(runs.length === 0 ? [h('p', {}, say('compareNone'))] : runs.flatMap((run, at) => runParts(run, at, formats))),
    h('h3', {}, say('historyHeading')),
    history.length === 0 ? h('p', {}, say('historyNone')) : historyTable(history, formats),
  );
}

function profileParts(profile: ProfileInUse, formats: Formats): VNode[] {
  const { file, date, gpu, measurements, constants, collectives, runs } = profile;
  const unknown = say('unknownValue');
  const made = date === null ? unknown : formats.date(date);
  return [
    h('p', {}, say('profileText', { file, date: made, gpu: gpu ?? unknown })),
    table(
      'profile-sources',
      say('profileSources'),
      [
        { head: say('measurement') },
        { head: say('measurementFormat') },
        { head: say('measurementRecords'), numeric: true },
      ],
      measurements.map(({ name, format, records }) => [name, format, formats.integer(records)]),
    ),
    table(
      'profile-constants',
      say('profileConstants'),
      [{ head: say('constant') }, { head: say('shipped'), numeric: true }, { head: say('calibrated'), numeric: true }],
      constants.map(({ name, prior, value }) => [
        name,
        String(Number(prior.toPrecision(4))),
        String(Number(value.toPrecision(4))),
      ]),
    ),
    ...(collectives === null
      ? []
      : [
          h(
            'p',
            {},
            say('collectivesBetter', {
              records: formats.integer(collectives.records),
              before: formats.percent(collectives.beforeError),
              after: formats.percent(collectives.afterError),
            }),
          ),
        ]),
    ...(runs.length === 0
      ? []
      : [
          table(
            'profile-runs',
            say('profileRuns'),
            [
              { head: say('runName') },
              ...(['runMeasured', 'runBefore', 'runAfter'] as const).map(key => ({ head: say(key), numeric: true })),
            ],
            runs.map(one => [
              one.name,
              formats.seconds(one.measuredSeconds),
              formats.seconds(one.beforeSeconds),
              formats.seconds(one.afterSeconds),
            ]),
          ),
        ]),
  ];
}

/** The step, memory and the trainer's timers, and what may explain the gap. */
function runParts({ name, predicted, run, parts, causes }: RunComparison, at: number, formats: Formats): VNode[] {
  const seconds = (value: number | null | undefined) => (value == null ? say('unknownValue') : formats.seconds(value));
  const bytes = (value: number | null | undefined) => (value == null ? say('unknownValue') : formats.bytes(value));
  return [
    h(
      'p',
      {},
      say('compareText', { name, logged: seconds(run?.stepSeconds), predicted: seconds(predicted.stepSeconds) }),
    ),
    table(
      `compare-${at}`,
      name,
      [
        { head: say('comparePart') },
        { head: say('compareLogged'), numeric: true },
        { head: say('comparePredicted'), numeric: true },
      ],
      [
        [say('compareStep'), seconds(run?.stepSeconds), seconds(predicted.stepSeconds)],
        [say('compareMemory'), bytes(run?.allocatedBytes), bytes(predicted.peakBytes)],
        ...parts.map(one => [one.name, seconds(one.loggedSeconds), seconds(one.predictedSeconds)]),
      ],
    ),
    causes.length === 0
      ? h('p', {}, say('compareNoCause'))
      : h(
          'ul',
          { class: 'assumptions', 'aria-label': say('compareCauses') },
          ...causes.map(({ message }) => h('li', {}, message)),
        ),
  ];
}

/** The latest first. */
function historyTable(history: readonly BenchEntry[], formats: Formats): VNode {
  return table(
    'bench-history',
    say('historyHeading'),
    [
      { head: say('historyDate') },
      { head: say('historyMachine') },
      { head: say('historyRanks'), numeric: true },
      { head: say('historyReduce'), numeric: true },
      { head: say('historyMessage'), numeric: true },
      { head: say('historyChange') },
    ],
    [...history]
      .reverse()
      .map(one => [
        formats.date(one.date),
        one.busy ? `${one.cpu} (${say('historyBusy')})` : one.cpu,
        String(one.ranks),
        one.allReduceBusbw === null ? say('unknownValue') : formats.figures(one.allReduceBusbw / 1e9),
        one.messageSeconds === null ? say('unknownValue') : formats.seconds(one.messageSeconds),
        one.change === null ? say('unknownValue') : say('historyChanged', one.change),
      ]),
  );
}

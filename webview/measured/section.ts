/** Own measurements: what was imported, the profile in use, logged runs beside their predictions, this machine over time. */
import type { BenchEntry } from '../../src/documents/benchHistory';
import type { RunComparison } from '../../src/documents/bench';
import type { KeptEntry } from '../../src/documents/ownMeasurements';
import type { ProfileInUse } from '../../src/engine/configs/hardwareFile';
import type { MeasurementCommand } from '../../src/protocol/dashboard';
import { h, type VNode } from '../dom';
import type { Formats } from '../format';
import { button, chartWithTable, type Scene, section, table, tableFiles } from '../parts';
import { say, type WordKey } from '../words';
import { HISTORY_CHART, partRows, runChart } from './rows';

export function measuredSection(scene: Scene): VNode {
  const { state, formats } = scene;
  const { profile = null, runs = [], history = [], kept = [], canUndo = false } = state.measured ?? {};
  return section(
    'measured',
    say('measuredHeading'),
    commands(kept.length > 0, canUndo),
    kept.length > 0 && keptTable(kept, formats),
    h('h3', {}, say('profileHeading')),
    ...(profile === null ? [h('p', {}, say('profileNone'))] : profileParts(profile, formats)),
    h('h3', {}, say('compareHeading')),
    ...(runs.length === 0 ? [h('p', {}, say('compareNone'))] : runs.flatMap((run, at) => runParts(scene, run, at))),
    h('h3', {}, say('historyHeading')),
    ...historyParts(scene, history),
  );
}

/** What can be done now: nothing is calibrated, forgotten or taken back that is not there. */
function commands(hasKept: boolean, canUndo: boolean): VNode {
  const one = (command: MeasurementCommand, label: WordKey) =>
    button(`measured-${command}`, 'measurements', say(label), { class: 'secondary', 'data-command': command });
  return h(
    'div',
    { id: 'measured-commands', class: 'buttons' },
    one('writeClusterScript', 'writeScript'),
    one('importMeasurements', 'importButton'),
    hasKept ? one('calibrate', 'calibrateButton') : null,
    canUndo ? one('undoCalibration', 'undoButton') : null,
    hasKept ? one('forgetMeasurements', 'forgetButton') : null,
  );
}

function keptTable(kept: readonly KeptEntry[], formats: Formats): VNode {
  return table(
    'measured-kept',
    say('keptTable'),
    [
      { head: say('measurement') },
      { head: say('measurementFormat') },
      { head: say('measurementRecords'), numeric: true },
      { head: say('keptSince') },
    ],
    kept.map(one => [one.name, one.format, formats.integer(one.records), formats.date(one.date)]),
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
      [
        { head: say('constant') },
        { head: say('shipped'), numeric: true },
        { head: say('calibrated'), numeric: true },
        { head: say('uncertainty'), numeric: true },
      ],
      constants.map(({ name, prior, value, uncertainty }) => [
        name,
        String(Number(prior.toPrecision(4))),
        String(Number(value.toPrecision(4))),
        uncertainty === null ? say('unknownValue') : `±${formats.percent(uncertainty)}`,
      ]),
    ),
    tableFiles('calibration', say('profileConstants'), () => ({
      columns: ['constant', 'prior', 'value', 'uncertainty'],
      rows: constants.map(one => [one.name, one.prior, one.value, one.uncertainty]),
    })),
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

/** The step and the trainer's timers, memory, and what may explain the gap. */
function runParts(scene: Scene, one: RunComparison, at: number): VNode[] {
  const { formats } = scene;
  const { name, predicted, run, causes } = one;
  const seconds = (value: number | null | undefined) => (value == null ? say('unknownValue') : formats.seconds(value));
  const bytes = (value: number | null | undefined) => (value == null ? say('unknownValue') : formats.bytes(value));
  const rows = partRows(one);
  const words = { name, logged: seconds(run?.stepSeconds), predicted: seconds(predicted.stepSeconds) };
  const chart = {
    id: runChart(at),
    label: say('compareText', words),
    height: 90 + 44 * rows.length,
    source: ['measured', 'estimated'],
    data: () => ({
      columns: ['part', 'loggedSeconds', 'predictedSeconds'],
      rows: rows.map(row => [row.name, row.logged, row.predicted]),
    }),
  } as const;
  const twin = (reachable: boolean) =>
    table(
      `compare-${at}`,
      name,
      [
        { head: say('comparePart') },
        { head: say('compareLogged'), numeric: true },
        { head: say('comparePredicted'), numeric: true },
      ],
      [
        ...rows.map(row => [row.name, seconds(row.logged), seconds(row.predicted)]),
        [say('compareMemory'), bytes(run?.allocatedBytes), bytes(predicted.peakBytes)],
      ],
      { reachable },
    );
  return [
    chartWithTable(scene, chart, twin),
    causes.length === 0
      ? h('p', {}, say('compareNoCause'))
      : h(
          'ul',
          { class: 'assumptions', 'aria-label': say('compareCauses') },
          ...causes.map(({ message }) => h('li', {}, message)),
        ),
  ];
}

function historyParts(scene: Scene, history: readonly BenchEntry[]): VNode[] {
  const { formats, state } = scene;
  const isIdle = state.bench?.running == null && typeof state.bench?.refusal !== 'string';
  const again = button('history-bench', 'benchmark', say('historyMeasure'), {
    class: 'secondary',
    'aria-disabled': isIdle ? null : 'true',
  });
  const rates = history.flatMap(({ allReduceBusbw }) => (allReduceBusbw === null ? [] : [allReduceBusbw]));
  if (rates.length === 0) return [h('p', {}, say('historyNone')), h('div', { class: 'buttons' }, again)];
  const best = `${formats.bytes(Math.max(...rates))}/s`;
  const chart = {
    id: HISTORY_CHART,
    label: say('historyText', { count: rates.length, best }),
    height: 80 + 30 * rates.length,
    source: 'measured',
    data: () => ({
      columns: ['date', 'machine', 'ranks', 'busy', 'allReduceBusbwBytesPerSecond', 'messageSeconds'],
      rows: history.map(one => [
        one.date,
        one.cpu,
        one.ranks,
        String(one.busy),
        one.allReduceBusbw,
        one.messageSeconds,
      ]),
    }),
  } as const;
  const twin = (reachable: boolean) => historyTable(history, formats, reachable);
  return [h('div', { class: 'buttons' }, again), chartWithTable(scene, chart, twin)];
}

/** The latest first. */
function historyTable(history: readonly BenchEntry[], formats: Formats, reachable: boolean): VNode {
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
    { reachable },
  );
}

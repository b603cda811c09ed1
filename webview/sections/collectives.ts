/** How fast do ranks talk? Measured, simulated and published bandwidths, each named as what it is, and the best algorithm. */
import type { BenchMeasurement } from '../../src/documents/bench';
import type { BenchState } from '../../src/protocol/dashboard';
import {
  type Choice,
  type CollectivesView,
  collectivesView,
  PLOTTED_OPS,
  type PlottedOp,
  type Series,
} from '../collectives';
import { h, type VNode } from '../dom';
import type { Formats } from '../format';
import { button, chartWithTable, disclosure, type Scene, section, table } from '../parts';
import { say } from '../words';

export const COLLECTIVES_CHART = 'collectives-chart';
const COLLECTIVE_OP = 'collective-op';

export function chosenOp(chosen: Scene['chosen']): PlottedOp {
  const name = chosen.get(COLLECTIVE_OP);
  return PLOTTED_OPS.find(op => op === name) ?? 'all-reduce';
}

export function collectivesSection(scene: Scene): VNode {
  const op = chosenOp(scene.chosen);
  const view = collectivesView(scene.state, op);
  const bench = scene.state.bench ?? { running: null, failure: null, result: null };
  return section(
    'collectives',
    say('collectivesHeading'),
    h('p', {}, say('collectivesText')),
    status(scene, bench),
    controls(scene, bench, op),
    h('p', { class: 'note' }, say('benchMeaning')),
    view.series.length > 0 && plot(scene, op, view.series),
    view.choices.length > 0 && [
      h('h3', {}, say('algorithmsHeading')),
      h('ul', { id: 'algorithms' }, ...algorithms(scene.formats, view)),
    ],
    view.series.length === 0
      ? h('p', { class: 'note' }, say('noSeries'))
      : [h('h3', {}, say('sourcesHeading')), h('ul', { id: 'collective-sources' }, ...sources(scene, op, view.series))],
    spread(scene, op, view.series),
  );
}

function status({ formats }: Scene, { running, failure, result, refusal }: BenchState): VNode {
  const sentence = () => {
    if (running !== null) return say('benchRunning');
    if (typeof refusal === 'string') return refusal;
    if (failure !== null) return say('benchFailed', { message: failure });
    if (result === null) return say('benchNone');
    const { date, machine, ranks, threads } = result;
    return say('benchDone', { date: formats.date(date), cpu: machine.cpu, ranks, threads });
  };
  const failed = running === null && failure !== null;
  return h('p', { id: 'bench-status', role: 'status', class: failed ? 'banner error' : null }, sentence());
}

function controls(scene: Scene, { running, result, refusal }: BenchState, chosen: PlottedOp): VNode {
  // The same element starts and cancels, so that the keyboard's focus stays on it.
  const start =
    typeof refusal === 'string'
      ? null
      : button('bench-button', 'benchmark', say(result === null ? 'benchButton' : 'benchAgain'), {
          class: 'secondary',
        });
  const main =
    running === null ? start : button('bench-button', 'cancelBenchmark', say('cancel'), { class: 'secondary' });
  const list = h(
    'label',
    { id: 'collective-op-label', class: 'choice' },
    say('operation'),
    h(
      'select',
      { id: COLLECTIVE_OP, 'data-choice': true },
      ...PLOTTED_OPS.map(op => h('option', { value: op, selected: op === chosen }, op)),
    ),
  );
  return h(
    'div',
    { id: 'bench-controls' },
    h('div', { class: 'buttons' }, list, main, running === null ? null : progress(running)),
    result === null || running !== null ? null : load(scene, result),
  );
}

function progress({ done, operations, op }: NonNullable<BenchState['running']>): VNode {
  const text = say('benchProgress', { op, number: done + 1, operations });
  return h(
    'div',
    { id: 'bench-progress', class: 'progress' },
    h('progress', { 'aria-label': text, max: operations, value: done }),
    h('span', { class: 'note' }, text),
  );
}

function load({ formats }: Scene, { load: found, ranks, threads }: NonNullable<BenchState['result']>): VNode {
  const { beforeFraction, afterFraction, busy } = found;
  const values = { before: formats.wholePercent(beforeFraction), after: formats.wholePercent(afterFraction) };
  const shared = threads < ranks ? ` ${say('benchShared')}` : '';
  return h(
    'p',
    { id: 'bench-load', class: busy ? 'banner' : 'note' },
    say(busy ? 'benchBusy' : 'benchQuiet', values),
    shared,
  );
}

/** Every label begins with what the series is. */
export function seriesLabel(series: Series): string {
  switch (series.kind) {
    case 'measured':
      return say('seriesMeasured');
    case 'simulated': {
      const { axis, network, gpu } = series.group;
      return say('seriesSimulated', { axis, ranks: network.ranks, gpu });
    }
    case 'published':
      return say('seriesPublished', { gpus: series.sweep.gpus, name: series.sweep.name });
  }
}

function plot(scene: Scene, op: PlottedOp, series: readonly Series[]): VNode {
  const { formats } = scene;
  const best = series.map(one => {
    const rate = one.points.reduce((most, { busbw }) => Math.max(most, busbw), 0);
    return say('collectivesBest', { series: seriesLabel(one), rate: `${formats.bytes(rate)}/s` });
  });
  const kinds = [...new Set(series.map(({ kind }) => kind))];
  const label = say('collectivesChart', { op, best: best.join(' ') });
  const sizes = [...new Set(series.flatMap(({ points }) => points.map(({ bytes }) => bytes)))].sort((a, b) => a - b);
  const twin = (reachable: boolean) =>
    table(
      `${COLLECTIVES_CHART}-twin`,
      say('collectivesTable', { op }),
      [
        { head: say('messageSize') },
        ...series.map(one => ({ head: say('inGigabytes', { series: seriesLabel(one) }), numeric: true })),
      ],
      sizes.map(bytes => [formats.binaryBytes(bytes), ...series.map(one => cell(one, bytes, formats))]),
      { reachable },
    );
  const data = () => ({
    columns: ['series', 'bytes', 'busbwBytesPerSecond'],
    rows: series.flatMap(one => one.points.map(({ bytes, busbw }) => [seriesLabel(one), bytes, busbw])),
  });
  return chartWithTable(scene, { id: COLLECTIVES_CHART, label, height: 360, source: kinds, data }, twin);
}

function cell({ points }: Series, bytes: number, formats: Formats): string {
  const point = points.find(one => one.bytes === bytes);
  return point === undefined ? say('unknownValue') : formats.figures(point.busbw / 1e9);
}

function algorithms(formats: Formats, { choices }: CollectivesView): VNode[] {
  return choices.map(({ group, list }) => {
    const { axis, network } = group;
    const words = list.map((_, index) => algorithmWords(formats, list, index));
    return h('li', {}, say('algorithmsOf', { axis, ranks: network.ranks, choices: words.join(', ') }));
  });
}

function algorithmWords({ binaryBytes }: Formats, list: readonly Choice[], index: number): string {
  const { algorithm, fromBytes } = list[index];
  const to = list[index + 1]?.fromBytes ?? null;
  if (fromBytes === null)
    return to === null
      ? say('algorithmAlways', { algorithm })
      : say('algorithmBelow', { algorithm, bytes: binaryBytes(to) });
  const from = binaryBytes(fromBytes);
  return to === null
    ? say('algorithmFrom', { algorithm, from })
    : say('algorithmBetween', { algorithm, from, to: binaryBytes(to) });
}

/** Each series with its source, and why a kind has none. */
function sources({ state }: Scene, op: PlottedOp, series: readonly Series[]): VNode[] {
  const item = (name: string, text: string) =>
    h('li', {}, h('strong', {}, name), h('span', { class: 'note' }, ` ${text}`));
  const has = (kind: Series['kind']) => series.some(one => one.kind === kind);
  const { gpu } = state.estimate.setup.cluster;
  return [
    ...series.map(one => item(seriesLabel(one), sourceOf(one))),
    ...(has('measured') ? [] : [item(say('measured'), say('benchNone'))]),
    ...(has('simulated') ? [] : [item(say('simulated'), say(gpu === null ? 'noAccelerator' : 'noGroup'))]),
    ...(has('published') || gpu === null ? [] : [item(say('published'), say('noPublished', { op }))]),
  ];
}

function sourceOf(series: Series): string {
  switch (series.kind) {
    case 'measured':
      return say('sourceMeasured', { samples: series.measurements[0]?.samples ?? 0, ranks: series.ranks });
    case 'simulated': {
      const { ranks, ranksPerDomain, profile } = series.group.network;
      return say(ranks > ranksPerDomain ? 'sourceSimulatedAcross' : 'sourceSimulatedInside', {
        ranks,
        local: ranksPerDomain,
        source: profile.source,
      });
    }
    case 'published': {
      const { gpus, nodes, source, locator, note } = series.sweep;
      const places = nodes === 1 ? say('oneNode') : say('severalNodes', { nodes });
      return say('sourcePublished', { gpus, nodes: places, source, locator, note });
    }
  }
}

function spread(scene: Scene, op: PlottedOp, series: readonly Series[]): VNode | null {
  const own = series.find(one => one.kind === 'measured');
  if (own === undefined) return null;
  return disclosure(scene, 'bench-spread', say('spreadHeading'), spreadTable(scene.formats, op, own.measurements));
}

const SPREAD_COLUMNS = ['median', 'p95', 'least', 'slowestRank', 'algbw', 'busbw', 'busbwGiB'] as const;

function spreadTable(formats: Formats, op: PlottedOp, list: readonly BenchMeasurement[]): VNode {
  const { number, figures, seconds, binaryBytes } = formats;
  const rate = (value: number | null) => (value === null ? say('unknownValue') : figures(value));
  const [first] = list;
  const { lecture } = first;
  const rows = list.map(one => [
    binaryBytes(one.bytes),
    seconds(one.medianSeconds),
    seconds(one.p95Seconds),
    seconds(one.leastSeconds),
    String(one.slowestRank),
    rate(one.algbw === null ? null : one.algbw / 1e9),
    rate(one.busbwGB),
    rate(one.busbwGiB),
    ...(one.lecture === null
      ? []
      : [say('lectureFactor', { printed: figures(one.lecture.printedGiB), factor: one.lecture.factor })]),
  ]);
  const columns = [...SPREAD_COLUMNS, ...(lecture === null ? [] : (['lecture'] as const))];
  return h(
    'div',
    {},
    table(
      'bench-table',
      say('spreadTable', { op }),
      [{ head: say('messageSize') }, ...columns.map(key => ({ head: say(key), numeric: true }))],
      rows,
    ),
    h('p', { class: 'note' }, say('spreadText', { factor: number((first.busbw ?? 0) / (first.algbw ?? 1)) })),
    lecture === null
      ? null
      : h(
          'p',
          { class: 'note' },
          say(lecture.code === 'same-as-busbw' ? 'lectureSame' : 'lectureOutput', { factor: lecture.factor }),
        ),
  );
}

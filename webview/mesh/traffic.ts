/** What each axis sends over which link, how busy the links are, and which one binds. */
import type { AxisTraffic, Traffic } from '../../src/engine/estimate/traffic';
import { h, type VNode } from '../dom';
import { explainedTraffic } from '../explained/links';
import { type Fact, facts } from '../facts';
import { type Scene, table } from '../parts';
import { say } from '../words';

export function trafficPart(scene: Scene): VNode {
  const found = scene.inspect()?.traffic ?? null;
  const heading = h('h3', {}, say('trafficHeading'));
  if (found === null)
    return h('div', { id: 'traffic' }, heading, h('p', {}, say(scene.hasEngine ? 'speedUnknown' : 'whatIfLoading')));
  if (found.axes.length === 0) return h('div', { id: 'traffic' }, heading, h('p', {}, say('trafficNone')));
  const { bytes } = scene.formats;
  const source = say('trafficSource', {
    link: bytes(found.linkBytesPerSecond),
    network: bytes(found.networkBytesPerSecond),
  });
  return h(
    'div',
    { id: 'traffic' },
    heading,
    h('p', {}, sentence(scene, found)),
    h('div', { class: 'split even' }, facts(scene, loads(scene, found))),
    trafficTable(scene, found),
    explainedTraffic(scene, found),
    h('p', { class: 'note' }, source),
  );
}

/** The axis whose exposed communication takes the longest; null where none is exposed. */
function worst({ state }: Scene, { axes }: Traffic): AxisTraffic | null {
  const { time } = state.estimate;
  const exposed = ({ axis }: AxisTraffic) => time[`${axis}Exposed`] ?? 0;
  const found = axes.reduce((best, axis) => (exposed(axis) > exposed(best) ? axis : best));
  return exposed(found) > 0 ? found : null;
}

function sentence(scene: Scene, found: Traffic): string {
  const axis = worst(scene, found);
  if (axis === null) return say('trafficHidden');
  const seconds = scene.state.estimate.time[`${axis.axis}Exposed`] ?? 0;
  return say('trafficText', {
    link: say(`binds-${axis.binds}`),
    axis: axis.axis,
    seconds: scene.formats.seconds(seconds),
  });
}

function trafficTable({ state, formats }: Scene, { axes, domainSize }: Traffic): VNode {
  const { time } = state.estimate;
  const { bytes, seconds, integer } = formats;
  const columns = ['fastLinkColumn', 'nicColumn', 'transferColumn', 'exposedColumn'] as const;
  return table(
    'traffic-table',
    say('trafficTable'),
    [
      { head: say('axis') },
      { head: say('groupColumn'), numeric: true },
      { head: say('reachColumn') },
      ...columns.map(head => ({ head: say(head), numeric: true })),
      { head: say('bindsColumn') },
    ],
    axes.map(found => [
      found.axis,
      integer(found.ranks),
      found.crosses
        ? say('acrossDomains', { local: integer(found.local) })
        : say('inDomain', { size: integer(domainSize) }),
      found.linkBytes === 0 ? say('unknownValue') : bytes(found.linkBytes),
      found.networkBytes === 0 ? say('unknownValue') : bytes(found.networkBytes),
      seconds(Math.max(found.linkSeconds, found.networkSeconds)),
      seconds(time[`${found.axis}Exposed`] ?? 0),
      say(`binds-${found.binds}`),
    ]),
  );
}

/** How much of the step each link carries something. */
function loads(scene: Scene, found: Traffic): Fact[] {
  const { stepSeconds } = scene.state.estimate.throughput;
  if (stepSeconds === null) return [];
  const { percent, bytes } = scene.formats;
  const binding = worst(scene, found)?.binds;
  const sum = (value: (axis: AxisTraffic) => number) => found.axes.reduce((all, axis) => all + value(axis), 0);
  const load = (name: string, link: AxisTraffic['binds'], seconds: number, carried: number): Fact => ({
    name,
    value: say('loadText', { percent: percent(seconds / stepSeconds), bytes: bytes(carried) }),
    note: binding === link ? say('loadBinds') : null,
    how: {
      id: `load-${link}`,
      explanation: () => ({
        formula: say('loadFormula'),
        values: `${scene.formats.seconds(seconds)} ÷ ${scene.formats.seconds(stepSeconds)} = ${percent(seconds / stepSeconds)}`,
        ...(binding === undefined ? {} : { binds: say('linkBinds', { link: say(`binds-${binding}`) }) }),
        kind: say('trafficKind'),
      }),
    },
    share: seconds / stepSeconds,
    swatch: binding === link ? 'swatch-communication' : '',
  });
  return [
    load(
      say('linkLoad'),
      'link',
      sum(axis => axis.linkSeconds),
      sum(axis => axis.linkBytes),
    ),
    load(
      say('nicLoad'),
      'network',
      sum(axis => axis.networkSeconds),
      sum(axis => axis.networkBytes),
    ),
  ];
}

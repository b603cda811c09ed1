/** What limits each operator: the roofline with the operators of the busiest stage on it. */
import type { Roofline, RooflineOperator } from '../../src/engine/estimate/roofline';
import type { ChartData } from '../chartFiles';
import { h, type VNode } from '../dom';
import { explainedOperators } from '../explained/links';
import { chartWithTable, type Scene, section, table } from '../parts';
import { say } from '../words';
import { ROOFLINE_CHART } from './chart';
import { operatorName, withProducts } from './names';

export function rooflineSection(scene: Scene): VNode {
  const found = scene.inspect()?.roofline ?? null;
  const heading = say('rooflineHeading');
  if (found === null) {
    return section('roofline', heading, h('p', {}, say(scene.hasEngine ? 'rooflineWaits' : 'whatIfLoading')));
  }
  const { formats } = scene;
  const products = withProducts(found);
  const seconds = ({ seconds: one, count }: RooflineOperator) => one * count;
  const largest = found.operators.reduce((best, operator) => (seconds(operator) > seconds(best) ? operator : best));
  const sentence = say('rooflineChart', {
    stage: found.stage,
    compute: products.filter(({ bound }) => bound === 'compute').length,
    all: products.length,
    ridge: formats.number(found.ridge),
    largest: operatorName(largest, found),
  });
  const source = say('rooflineSource', {
    peak: formats.flopsPerSecond(found.peakFlopsPerSecond),
    memory: formats.bytes(found.memoryBytesPerSecond),
  });
  return section(
    'roofline',
    heading,
    chartWithTable(
      scene,
      { id: ROOFLINE_CHART, label: sentence, height: 380, source: 'estimated', data: () => dataOf(found) },
      reachable => operatorTable(scene, found, reachable),
    ),
    explainedOperators(scene, found),
    h('p', { class: 'note' }, say('rooflineUncounted')),
    h('p', { class: 'note' }, source),
  );
}

function operatorTable({ formats }: Scene, found: Roofline, reachable: boolean): VNode {
  const { flops, bytes, number, seconds, flopsPerSecond, percent, integer } = formats;
  const products = withProducts(found);
  const roof = ({ flops: count, bytes: moved }: RooflineOperator) =>
    Math.min(found.peakFlopsPerSecond, (count / moved) * found.memoryBytesPerSecond);
  const none = say('unknownValue');
  const rows = [...products, ...found.operators.filter(operator => operator.flops === 0)].map((operator, index) => {
    const counted = operator.flops > 0;
    const rate = operator.flops / operator.seconds;
    return [
      `${counted ? `${index + 1} ` : ''}${operatorName(operator, found)}`,
      integer(operator.count),
      counted ? flops(operator.flops) : none,
      bytes(operator.bytes),
      counted ? number(operator.flops / operator.bytes) : none,
      seconds(operator.seconds * operator.count),
      counted ? flopsPerSecond(rate) : none,
      counted ? percent(rate / roof(operator)) : none,
      say(operator.bound === 'compute' ? 'computeBound' : 'memoryBound'),
    ];
  });
  const heads = [
    'runsColumn',
    'flopsColumn',
    'bytesColumn',
    'intensityColumn',
    'timeColumn',
    'rateColumn',
    'roofShareColumn',
  ] as const;
  return table(
    `${ROOFLINE_CHART}-twin`,
    say('rooflineTable'),
    [
      { head: say('operatorColumn') },
      ...heads.map(head => ({ head: say(head), numeric: true })),
      { head: say('boundColumn') },
    ],
    rows,
    { reachable },
  );
}

/** Of one run forward, and how often it runs. */
function dataOf({ operators }: Roofline): ChartData {
  return {
    columns: ['operator', 'layerKind', 'runs', 'flops', 'bytes', 'seconds', 'backwardSeconds', 'bound'],
    rows: operators.map(({ name, kind, count, flops, bytes, seconds, backwardSeconds, bound }) => [
      name,
      kind,
      count,
      flops,
      bytes,
      seconds,
      backwardSeconds,
      bound,
    ]),
  };
}

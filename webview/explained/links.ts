/** How the transfers of each axis and the rates of the operators come about. */
import type { Roofline, RooflineOperator } from '../../src/engine/estimate/roofline';
import type { AxisTraffic, Traffic } from '../../src/engine/estimate/traffic';
import type { VNode } from '../dom';
import type { Scene } from '../parts';
import { operatorName, withProducts } from '../roofline/names';
import { type Explained, type Explanation, explanationList } from '../sections/explanation';
import { say } from '../words';

export function explainedTraffic(scene: Scene, found: Traffic): VNode | null {
  const { bytes, seconds } = scene.formats;
  const explain = (axis: AxisTraffic): Explanation => ({
    formula: say('trafficFormula'),
    values: say('trafficValues', {
      linkBytes: bytes(axis.linkBytes),
      link: bytes(found.linkBytesPerSecond),
      linkSeconds: seconds(axis.linkSeconds),
      nicBytes: bytes(axis.networkBytes),
      nic: bytes(found.networkBytesPerSecond),
      nicSeconds: seconds(axis.networkSeconds),
    }),
    binds: say('linkBinds', { link: say(`binds-${axis.binds}`) }),
    kind: say('trafficKind'),
  });
  const list = found.axes.map(
    (axis): Explained => ({
      id: `traffic-${axis.axis}`,
      name: axis.axis,
      value: seconds(Math.max(axis.linkSeconds, axis.networkSeconds)),
      explanation: () => explain(axis),
    }),
  );
  return explanationList(scene, 'traffic-explained', list);
}

export function explainedOperators(scene: Scene, found: Roofline): VNode | null {
  const list = withProducts(found).map(
    (operator, index): Explained => ({
      id: `operator-${index + 1}`,
      name: `${index + 1} ${operatorName(operator, found)}`,
      value: scene.formats.flopsPerSecond(operator.flops / operator.seconds),
      explanation: () => explainOperator(scene, found, operator),
    }),
  );
  return explanationList(scene, 'operators-explained', list);
}

function explainOperator({ formats }: Scene, found: Roofline, operator: RooflineOperator): Explanation {
  const { peakFlopsPerSecond: peak, memoryBytesPerSecond: memory } = found;
  const { flops, seconds, bytes, bound } = operator;
  const intensity = flops / bytes;
  const roof = Math.min(peak, intensity * memory);
  return {
    formula: say('roofFormula'),
    values: say('roofValues', {
      flops: formats.flops(flops),
      seconds: formats.seconds(seconds),
      rate: formats.flopsPerSecond(flops / seconds),
      peak: formats.flopsPerSecond(peak),
      intensity: formats.number(intensity),
      memory: formats.bytes(memory),
      roof: formats.flopsPerSecond(roof),
    }),
    binds: say('roofBinds', {
      bound: say(bound === 'compute' ? 'computeBound' : 'memoryBound'),
      percent: formats.percent(flops / seconds / roof),
    }),
    kind: say('roofKind'),
  };
}

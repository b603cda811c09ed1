/** The layouts as pictures: memory against speed, and the curve over the number of GPUs. */
import type { SearchDocument } from '../../src/documents/types';
import { SCATTER_CHART } from '../charts/scatter';
import { SCALE_CHART } from '../charts/scatterScale';
import { h, type VNode } from '../dom';
import { chartWithTable, type Scene, table } from '../parts';
import { say } from '../words';
import { front } from './rows';
import type { Shown } from './shown';

/** Rows of the table beside the scatter; the file has them all. */
const MOST_POINTS = 50;

export function scatterFigure(scene: Scene, { rows }: Shown): VNode {
  const { formats } = scene;
  const label = say('scatterChart', {
    count: formats.integer(rows.length),
    front: formats.integer(front(rows).length),
  });
  const data = () => ({
    columns: ['plan', 'peakBytes', 'tokensPerSecond'],
    rows: rows.map(({ planString, peakBytes, tokensPerSecond }) => [planString, peakBytes, tokensPerSecond]),
  });
  return h(
    'div',
    {},
    h('h4', {}, say('scatterHeading')),
    chartWithTable(scene, { id: SCATTER_CHART, label, height: 320, source: 'estimated', data }, reachable =>
      table(
        'scatter-table',
        say('scatterHeading'),
        [
          { head: say('layout') },
          { head: say('memoryAxis'), numeric: true },
          { head: say('tokensAxis'), numeric: true },
        ],
        rows
          .slice(0, MOST_POINTS)
          .map(({ planString, peakBytes, tokensPerSecond }) => [
            h('code', { class: 'plan' }, planString),
            formats.bytes(peakBytes),
            formats.integer(tokensPerSecond),
          ]),
        { reachable },
      ),
    ),
  );
}

export function scaleFigure(scene: Scene, { scale, points, kneeGpus }: NonNullable<SearchDocument['scale']>): VNode {
  const { integer, seconds, percent } = scene.formats;
  const knee = kneeGpus === null ? '' : say('scaleKnee', { gpus: integer(kneeGpus) });
  const known = (value: number | null, format: (value: number) => string) =>
    value === null ? say('unknownValue') : format(value);
  const heads = [say('batchColumn'), say('stepTime'), say('tokensAll'), say('efficiency')];
  const data = () => ({
    columns: ['gpus', 'globalBatch', 'stepSeconds', 'tokensPerSecond', 'efficiency', 'plan'],
    rows: points.map(({ gpus, globalBatch, stepSeconds, tokensPerSecond, efficiency, planString }) => [
      gpus,
      globalBatch,
      stepSeconds,
      tokensPerSecond,
      efficiency,
      planString,
    ]),
  });
  return h(
    'div',
    { id: 'scale' },
    h('h3', {}, say('scaleHeading')),
    h('p', {}, say(scale === 'strong' ? 'scaleStrong' : 'scaleWeak'), ' ', knee),
    h('p', { class: 'note' }, `${say('efficiency')}: ${say('efficiencyNote')}.`),
    chartWithTable(
      scene,
      { id: SCALE_CHART, label: say('scaleChart', { knee }), height: 280, source: 'estimated', data },
      reachable =>
        table(
          'scale-table',
          say('scaleTable'),
          [{ head: say('gpusColumn') }, ...heads.map(head => ({ head, numeric: true })), { head: say('layout') }],
          points.map(point => [
            integer(point.gpus),
            integer(point.globalBatch),
            known(point.stepSeconds, seconds),
            known(point.tokensPerSecond, integer),
            known(point.efficiency, percent),
            point.planString === null ? say('nothingFits') : h('code', { class: 'plan' }, point.planString),
          ]),
          { reachable },
        ),
    ),
  );
}

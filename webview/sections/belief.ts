/** Why should I believe it? What stands behind the constants, what was assumed, and where each value comes from. */
import type { FieldDocument } from '../../src/documents/types';
import { h, type VNode } from '../dom';
import { disclosure, placeLink, type Scene, section, table } from '../parts';
import { say } from '../words';

export function beliefSection(scene: Scene): VNode {
  const { estimate, fields = [] } = scene.state;
  const { assumptions, throughput } = estimate;
  return section(
    'belief',
    say('beliefHeading'),
    h('p', {}, say('beliefEstimate')),
    throughput.stepSeconds !== null && evidence(scene),
    estimate.rules.length > 0 && h('h3', {}, say('rulesHeading')),
    estimate.rules.length > 0 &&
      h('ul', { class: 'assumptions' }, ...estimate.rules.map(({ message }) => h('li', {}, message))),
    h('h3', {}, say('assumptionsHeading')),
    assumptions.length === 0
      ? h('p', {}, say('noAssumptions'))
      : h('ul', { class: 'assumptions' }, ...assumptions.map(({ message }) => h('li', {}, message))),
    fields.length > 0 && disclosure(scene, 'origins', say('originsHeading'), originTable(fields)),
  );
}

/** The published runs nearest to this setup, predicted beside what was measured. */
function evidence({ state, formats }: Scene): VNode {
  const { evidence: found } = state.estimate;
  if (found === 'none') return h('p', {}, `${say('evidence')}: ${say('evidenceNone')}.`);
  const { architecture, stack, runs } = found;
  return h(
    'div',
    {},
    h('p', {}, `${say('evidence')}: ${say('evidenceRuns', { architecture, stack })}.`),
    table(
      'evidence-table',
      say('evidenceTable'),
      [
        { head: say('evidenceRun') },
        { head: say('evidenceSource') },
        { head: say('evidencePredicted'), numeric: true },
        { head: say('evidenceMeasured'), numeric: true },
        { head: say('evidenceError'), numeric: true },
      ],
      runs.map(({ id, source, predictedSeconds, measuredSeconds }) => [
        id,
        source,
        formats.seconds(predictedSeconds),
        formats.seconds(measuredSeconds),
        formats.percent(predictedSeconds / measuredSeconds - 1),
      ]),
    ),
  );
}

function originTable(fields: readonly FieldDocument[]): VNode {
  return table(
    'origin-table',
    say('originsTable'),
    [{ head: say('key') }, { head: say('value') }, { head: say('origin') }],
    fields.map(field => [
      h('code', {}, field.path),
      String(field.value),
      placeLink(`origin-${field.path}`, field) ?? say(`origin-${field.origin}`),
    ]),
  );
}

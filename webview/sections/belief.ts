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
    h('h3', {}, say('assumptionsHeading')),
    assumptions.length === 0
      ? h('p', {}, say('noAssumptions'))
      : h('ul', { class: 'assumptions' }, ...assumptions.map(({ message }) => h('li', {}, message))),
    fields.length > 0 && disclosure(scene, 'origins', say('originsHeading'), originTable(fields)),
  );
}

function evidence({ state }: Scene): VNode {
  const { evidence: found } = state.estimate;
  const text = found === 'none' ? say('evidenceNone') : say('evidenceRuns', found);
  return h('p', {}, `${say('evidence')}: ${text}.`);
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

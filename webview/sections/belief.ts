/** Why should I believe it? What was assumed and what stands behind the constants. */
import { h, type VNode } from '../dom';
import { type Scene, section } from '../parts';
import { say } from '../words';

export function beliefSection({ state }: Scene): VNode {
  const { assumptions, evidence, throughput } = state.estimate;
  return section(
    'belief',
    say('beliefHeading'),
    h('p', {}, say('beliefEstimate')),
    throughput.stepSeconds !== null &&
      h(
        'p',
        {},
        `${say('evidence')}: `,
        evidence === 'none'
          ? say('evidenceNone')
          : say('evidenceRuns', { architecture: evidence.architecture, stack: evidence.stack }),
        '.',
      ),
    h('h3', {}, say('assumptionsHeading')),
    assumptions.length === 0
      ? h('p', {}, say('noAssumptions'))
      : h('ul', { class: 'assumptions' }, ...assumptions.map(({ message }) => h('li', {}, message))),
  );
}

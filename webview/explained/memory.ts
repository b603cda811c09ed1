/** How each part of a stage's memory comes about. */
import { MEMORY_FORMULAS } from '../../src/words/formulas';
import { h, type VNode } from '../dom';
import { MEMORY_PARTS } from '../figures';
import type { Scene } from '../parts';
import { type Explained, type Explanation, explanationList } from '../sections/explanation';
import { say } from '../words';

const STAGE = 'explained-stage';

type Part = (typeof MEMORY_PARTS)[number];
type Stage = Scene['state']['estimate']['memory']['stages'][number];

export function explainedMemory(scene: Scene): VNode | null {
  const { stages, peakStage } = scene.state.estimate.memory;
  const wanted = scene.chosen.get(STAGE);
  const stage = stages.find(({ stage: one }) => String(one) === wanted) ?? stages[peakStage ?? 0];
  if (stage === undefined) return null;
  const list = MEMORY_PARTS.map(
    (part): Explained => ({
      id: `memory-${part}`,
      name: say(part),
      value: scene.formats.bytes(stage[part]),
      explanation: () => explain(scene, stage, part),
    }),
  );
  const choice = h(
    'label',
    { class: 'choice' },
    say('explainedStage'),
    h(
      'select',
      { id: STAGE, 'data-choice': true },
      ...stages.map(one =>
        h('option', { value: one.stage, selected: one === stage }, say('stageLabel', { stage: one.stage })),
      ),
    ),
  );
  return explanationList(scene, 'memory-explained', list, stages.length > 1 ? choice : null);
}

function explain(scene: Scene, stage: Stage, part: Part): Explanation {
  const largest = MEMORY_PARTS.reduce((best, one) => (stage[one] > stage[best] ? one : best));
  return {
    formula: MEMORY_FORMULAS[part],
    values: values(scene, stage, part),
    binds: say('partBinds', { percent: scene.formats.percent(stage[part] / stage.total), part: say(largest) }),
    kind: say(part === 'overhead' ? 'overheadKind' : 'memoryKind'),
  };
}

function values({ state, formats, inspect }: Scene, stage: Stage, part: Part): string {
  const { plan } = state.estimate.setup;
  const bytes = formats.bytes(stage[part]);
  if (part === 'overhead') {
    const tensors = stage.total - stage.overhead;
    return say('overheadValues', {
      percent: formats.percent(stage.overhead / tensors),
      tensors: formats.bytes(tensors),
      bytes,
    });
  }
  const terms = inspect()?.memory?.[stage.stage];
  if (part === 'activations' && terms !== undefined) {
    return say('activationTerms', {
      count: formats.number(terms.inFlight),
      kept: formats.bytes(terms.kept),
      working: formats.bytes(terms.working),
      bytes,
    });
  }
  if (part === 'buffers' && terms !== undefined) {
    return say('bufferTerms', {
      gathered: formats.bytes(terms.gathered),
      buckets: formats.bytes(terms.buckets),
      loss: formats.bytes(terms.loss),
      bytes,
    });
  }
  if (part === 'activations') {
    const kept = state.estimate.pipeline.stageSeconds?.activationBytes[stage.stage];
    if (kept === undefined || kept === 0)
      return say('onlyValue', { bytes, percent: formats.percent(stage[part] / stage.total) });
    return say('activationValues', { kept: formats.bytes(kept), bytes, count: formats.figures(stage[part] / kept) });
  }
  // Frozen or offloaded weights do not tell how many parameters the stage has.
  const plain = plan.adapter === 'none' && (plan.offload === 'none' || plan.offload === null) && stage.weights > 0;
  if (part === 'buffers' || !plain)
    return say('onlyValue', { bytes, percent: formats.percent(stage[part] / stage.total) });
  const width = plan.dtype === 'fp32' ? 4 : 2;
  const parameters = stage.weights / width;
  if (part === 'weights') return say('weightsValues', { parameters: formats.count(parameters), width, bytes });
  return say('perParameter', {
    bytes,
    parameters: formats.count(parameters),
    width: formats.figures(stage[part] / parameters),
  });
}

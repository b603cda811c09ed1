/** What a search says besides layouts: the batch, the safe choice, the fewest GPUs, the whole training. */
import { planDifferences } from '../../src/documents/planDifferences';
import type { SearchDocument } from '../../src/documents/types';
import { h, type VNode } from '../dom';
import { type Fact, facts, type Scene } from '../parts';
import { say } from '../words';

export function furtherFacts(scene: Scene, document: SearchDocument): VNode | null {
  const list = [...batchFacts(scene, document), ...choiceFacts(scene, document), ...trainingFacts(scene, document)];
  return list.length === 0 ? null : h('div', { id: 'further' }, h('h3', {}, say('furtherHeading')), facts(list));
}

function batchFacts({ formats }: Scene, { batch, largestBatch }: SearchDocument): Fact[] {
  const { integer, count, percent, bytes } = formats;
  const list: Fact[] = [];
  if (batch !== null) {
    const { tokensPerStep, criticalTokens, beyondCritical, idealBubbleFraction, microBatches } = batch;
    const critical = criticalTokens === null ? null : say('criticalNote', { tokens: count(criticalTokens) });
    const note = beyondCritical === true ? say('beyondCritical', { tokens: count(criticalTokens ?? 0) }) : critical;
    list.push({ name: say('tokensPerStep'), value: count(tokensPerStep), note });
    const bubbleNote = say('idealBubbleNote', { microBatches: integer(microBatches) });
    list.push({ name: say('idealBubble'), value: percent(idealBubbleFraction), note: bubbleNote });
  }
  if (largestBatch !== null) {
    const { microBatch, globalBatch, peakBytes } = largestBatch;
    const note = say('largestBatchNote', { globalBatch: integer(globalBatch), peak: bytes(peakBytes) });
    list.push({ name: say('largestBatch'), value: integer(microBatch), note });
  }
  return list;
}

function choiceFacts({ formats }: Scene, { current, robust, fewestGpus }: SearchDocument): Fact[] {
  const { integer, seconds, bytes } = formats;
  const list: Fact[] = [];
  if (robust !== null) {
    const { planString, stepSeconds, slowSeconds, upperBytes } = robust;
    const values = { slow: seconds(slowSeconds), upper: bytes(upperBytes), changes: changed(current, planString) };
    list.push({ name: say('robust'), value: seconds(stepSeconds), note: say('robustNote', values) });
  }
  if (fewestGpus !== null)
    list.push({
      name: say('fewestGpus'),
      value: integer(fewestGpus.gpus),
      note: fewestGpus.planString === null ? null : changed(current, fewestGpus.planString),
    });
  return list;
}

/** A plan as its differences from the present one, in one line. */
function changed({ planString }: SearchDocument['current'], plan: string): string {
  const words = planDifferences(planString, plan).map(
    ({ key, before, after }) => `${key} ${before ?? say('absent')} → ${after ?? say('absent')}`,
  );
  return words.join(', ') || say('asPresent');
}

function trainingFacts({ formats }: Scene, { best, footprint }: SearchDocument): Fact[] {
  const { integer, number } = formats;
  const training = best.at(0)?.training;
  const list: Fact[] = [];
  const add = (
    name: string,
    value: number | null | undefined,
    text: (value: number) => string,
    note: string | null,
  ) => {
    if (value != null) list.push({ name, value: text(value), note });
  };
  const late = training?.meetsDeadline === false ? say('missesDeadline') : null;
  add(say('trainingTime'), training?.trainingSeconds, value => say('days', { days: number(value / 86400) }), late);
  add(say('trainingCost'), training?.cost, integer, say('costNote'));
  add(say('tokenCost'), training?.costPerMillionTokens, number, say('costNote'));
  add(say('energy'), footprint?.kilowattHours, value => `${integer(value)} kWh`, say('footprintNote'));
  add(say('co2'), footprint?.kilogramsCo2, value => `${integer(value)} kg`, say('footprintNote'));
  add(say('water'), footprint?.litresWater, value => `${integer(value)} l`, say('footprintNote'));
  return list;
}

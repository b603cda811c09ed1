/** What a search says besides layouts: the batch, the safe choice, the fewest GPUs, the whole training. */
import { planDifferences } from '../../src/documents/planDifferences';
import { TIME_PARTS } from '../../src/engine/estimate/output';
import type { SearchDocument } from '../../src/documents/types';
import { h, type VNode } from '../dom';
import { partWord } from '../figures';
import { timeKind } from '../explained/headline';
import { type Fact, facts, type How } from '../facts';
import type { Scene } from '../parts';
import type { Explanation } from '../sections/explanation';
import { say } from '../words';

export function furtherFacts(scene: Scene, document: SearchDocument): VNode | null {
  const list = [...batchFacts(scene, document), ...choiceFacts(scene, document), ...trainingFacts(scene, document)];
  return list.length === 0 ? null : h('div', { id: 'further' }, h('h3', {}, say('furtherHeading')), facts(scene, list));
}

const opening = (id: string, explanation: Explanation): How => ({
  id: `further-${id}`,
  explanation: () => explanation,
});

function batchFacts({ formats }: Scene, { batch, largestBatch, setup }: SearchDocument): Fact[] {
  const { integer, count, percent, bytes } = formats;
  const list: Fact[] = [];
  if (batch !== null) {
    const { tokensPerStep, criticalTokens, beyondCritical, idealBubbleFraction, microBatches, globalBatch } = batch;
    const critical = criticalTokens === null ? null : say('criticalNote', { tokens: count(criticalTokens) });
    const note = beyondCritical === true ? say('beyondCritical', { tokens: count(criticalTokens ?? 0) }) : critical;
    const sequence = integer(tokensPerStep / globalBatch);
    const tokens = opening('batch', {
      formula: say('tokensPerStepFormula'),
      values: `${integer(globalBatch)} × ${sequence} = ${integer(tokensPerStep)}`,
      kind: say('fromPlanKind'),
    });
    list.push({ name: say('tokensPerStep'), value: count(tokensPerStep), note, how: tokens });
    const bubbleNote = say('idealBubbleNote', { microBatches: integer(microBatches) });
    const before = integer((setup.plan.pp ?? 1) - 1);
    const bubble = opening('bubble', {
      formula: say('idealBubbleFormula'),
      values: `${before} ÷ (${integer(microBatches)} + ${before}) = ${percent(idealBubbleFraction)}`,
      kind: say('idealBubbleKind'),
    });
    list.push({ name: say('idealBubble'), value: percent(idealBubbleFraction), note: bubbleNote, how: bubble });
  }
  if (largestBatch !== null) {
    const { microBatch, globalBatch, peakBytes } = largestBatch;
    const note = say('largestBatchNote', { globalBatch: integer(globalBatch), peak: bytes(peakBytes) });
    const capacity = setup.cluster.capacityBytes;
    const how = opening('largest', {
      formula: say('largestBatchFormula'),
      values: `${integer(microBatch)}: ${bytes(peakBytes)}${capacity === null ? '' : ` ≤ ${bytes(capacity)}`}`,
      kind: say('memoryKind'),
    });
    list.push({ name: say('largestBatch'), value: integer(microBatch), note, how });
  }
  return list;
}

function choiceFacts(scene: Scene, { current, robust, fewestGpus }: SearchDocument): Fact[] {
  const { integer, seconds, bytes, percent } = scene.formats;
  const list: Fact[] = [];
  if (robust !== null) {
    const { planString, stepSeconds, slowSeconds, upperBytes, time } = robust;
    const note = { slow: seconds(slowSeconds), upper: bytes(upperBytes), changes: changed(current, planString) };
    const parts = TIME_PARTS.filter(part => time[part] >= 0.001 * stepSeconds);
    const how = opening('robust', {
      formula: say('robustFormula'),
      values: `${parts.map(part => `${say(partWord(part))} ${seconds(time[part])}`).join(' + ')} = ${seconds(stepSeconds)}`,
      binds: say('robustBinds', { slower: percent(slowSeconds / stepSeconds - 1), upper: bytes(upperBytes) }),
      kind: timeKind(scene),
    });
    list.push({ name: say('robust'), value: seconds(stepSeconds), note: say('robustNote', note), how });
  }
  if (fewestGpus !== null) {
    const { gpus, planString, stepSeconds, trainingSeconds } = fewestGpus;
    const values = [
      stepSeconds === null ? null : `${say('stepTime')} ${seconds(stepSeconds)}`,
      trainingSeconds === null ? null : `${say('trainingTime')} ${days(scene, trainingSeconds)}`,
    ].filter(value => value !== null);
    list.push({
      name: say('fewestGpus'),
      value: integer(gpus),
      note: planString === null ? null : changed(current, planString),
      how: opening('fewest', {
        formula: say('fewestFormula'),
        values: `${integer(gpus)}: ${values.join(', ')}`,
        kind: timeKind(scene),
      }),
    });
  }
  return list;
}

const days = ({ formats }: Scene, seconds: number) => say('days', { days: formats.number(seconds / 86400) });

/** Of the recommended plan. */
function trainingFacts(scene: Scene, { recommended, footprint, setup }: SearchDocument): Fact[] {
  const { integer, number, figures } = scene.formats;
  if (recommended === null) return [];
  const { training, throughput } = recommended;
  const seconds = training.trainingSeconds;
  if (seconds === null) return [];
  const { gpus } = setup.cluster;
  const rate = throughput.tokensPerSecondPerGpu * (gpus ?? 1);
  const hours = (seconds * (gpus ?? 1)) / 3600;
  const list: Fact[] = [];
  const add = (id: string, name: string, value: string, note: string | null, explanation: Explanation) =>
    list.push({ name, value, note, how: opening(id, explanation) });
  /** What is in proportion to the GPU-hours. */
  const byHours = (id: string, name: string, value: number, unit: string, note: string) => {
    const values = `${integer(hours)} × ${figures(value / hours)} = ${integer(value)}${unit}`;
    add(id, name, `${integer(value)}${unit}`, note, { formula: say('perHourFormula'), values, kind: note });
  };
  const late = training.meetsDeadline === false ? say('missesDeadline') : null;
  add('time', say('trainingTime'), days(scene, seconds), late, {
    formula: say('trainingFormula'),
    values: `${scene.formats.count(seconds * rate)} ÷ ${integer(rate)} = ${days(scene, seconds)}`,
    kind: timeKind(scene),
  });
  if (training.cost !== null) byHours('cost', say('trainingCost'), training.cost, '', say('costNote'));
  if (training.costPerMillionTokens !== null && training.cost !== null)
    add('token-cost', say('tokenCost'), number(training.costPerMillionTokens), say('costNote'), {
      formula: say('tokenCostFormula'),
      values: `${integer(training.cost)} ÷ ${scene.formats.count(seconds * rate)} × 10⁶ = ${number(training.costPerMillionTokens)}`,
      kind: say('costNote'),
    });
  const { kilowattHours = null, kilogramsCo2 = null, litresWater = null } = footprint ?? {};
  if (kilowattHours !== null) byHours('energy', say('energy'), kilowattHours, ' kWh', say('footprintNote'));
  if (kilogramsCo2 !== null) byHours('co2', say('co2'), kilogramsCo2, ' kg', say('footprintNote'));
  if (litresWater !== null) byHours('water', say('water'), litresWater, ' l', say('footprintNote'));
  return list;
}

/** A plan as its differences from the present one, in one line. */
function changed({ planString }: SearchDocument['current'], plan: string): string {
  const words = planDifferences(planString, plan).map(
    ({ key, before, after }) => `${key} ${before ?? say('absent')} → ${after ?? say('absent')}`,
  );
  return words.join(', ') || say('asPresent');
}

/** A pass in words: for the tooltip as a list, for screen readers as a sentence. */
import { F_JOINED } from '../../src/engine/pipeline/order';
import { heldDuring, type Model, stageOfSlot } from './model';
import { PASS_NAMES } from './trace';
import type { Run } from './run';
import { say, scheduleName, type TimelineFormats } from './words';

export interface Description {
  readonly title: string;
  readonly facts: readonly { readonly name: string; readonly value: string }[];
}

export function describePass(model: Model, slot: number, formats: TimelineFormats): Description {
  const { order, simulation } = model.run;
  const { seconds } = formats;
  const stage = stageOfSlot(model, slot);
  const [start, end] = [simulation.start[slot], simulation.end[slot]];
  const idle = start - (slot > order.firstSlot[stage] ? simulation.end[slot - 1] : 0);
  const facts = [
    { name: say('start'), value: seconds(start) },
    { name: say('end'), value: seconds(end) },
    { name: say('duration'), value: seconds(end - start) },
    { name: say('waitsFor'), value: waitText(model, slot, formats) },
    { name: say('idleBefore'), value: seconds(isNothing(idle, end) ? 0 : idle) },
    { name: say('held'), value: heldText(model, stage, heldDuring(model, stage, slot), formats) },
  ];
  if (order.pass[slot] === F_JOINED) facts.push({ name: say('passKind'), value: say('joined') });
  return { title: passTitle(model, slot), facts };
}

/** The pause of a stage that a time falls into. */
export function describeIdle(model: Model, stage: number, next: number, formats: TimelineFormats): Description {
  const { order, simulation } = model.run;
  const start = next > order.firstSlot[stage] ? simulation.end[next - 1] : 0;
  const end = next < order.firstSlot[stage + 1] ? simulation.start[next] : model.makespan;
  const held = next > order.firstSlot[stage] ? model.heldAfter[next - 1] : 0;
  return {
    title: say('idleTitle', { stage }),
    facts: [
      { name: say('start'), value: formats.seconds(start) },
      { name: say('end'), value: formats.seconds(end) },
      { name: say('duration'), value: formats.seconds(end - start) },
      { name: say('held'), value: heldText(model, stage, held, formats) },
    ],
  };
}

export function sentence({ title, facts }: Description): string {
  return `${title}. ${facts.map(({ name, value }) => `${name}: ${value}`).join('. ')}.`;
}

function passTitle(model: Model, slot: number): string {
  const { order } = model.run;
  return say(order.chunks > 1 ? 'passTitleChunk' : 'passTitle', {
    kind: PASS_NAMES[order.pass[slot] as keyof typeof PASS_NAMES],
    microBatch: order.microBatch[slot],
    chunk: order.chunk[slot],
    stage: stageOfSlot(model, slot),
  });
}

function waitText(model: Model, slot: number, { seconds }: TimelineFormats): string {
  const { order, simulation, costs, input } = model.run;
  const needed = order.after[slot];
  if (needed < 0) return say('waitsForNothing');
  const stage = stageOfSlot(model, needed);
  const isSent = stage !== stageOfSlot(model, slot) && costs.p2p !== 0;
  return say(isSent ? 'waitsForMessage' : 'waitsForText', {
    pass: `${PASS_NAMES[order.pass[needed] as keyof typeof PASS_NAMES]}${order.microBatch[needed]}`,
    stage,
    end: seconds(simulation.end[needed]),
    message: seconds(input.p2pSeconds),
  });
}

function heldText({ run: { input } }: Model, stage: number, held: number, { bytes, number }: TimelineFormats): string {
  const each = input.activationBytesByStage?.[stage];
  // Sums of shares do not come back to zero exactly.
  const count = number(Math.abs(held) < 1e-4 ? 0 : held);
  return each === undefined
    ? say('heldBatches', { count })
    : say('heldBytes', { bytes: bytes(Math.abs(held) < 1e-4 ? 0 : held * each), count });
}

function isNothing(seconds: number, among: number): boolean {
  return seconds < among * 1e-9;
}

/** What a lane's drawing shows. */
export function runSentence({ input, simulation }: Run, { integer, seconds, percent }: TimelineFormats): string {
  return say('picture', {
    name: scheduleName(input.schedule),
    stages: integer(input.stages),
    microBatches: integer(input.microBatches),
    makespan: seconds(simulation.makespan),
    bubble: percent(simulation.bubbleFraction),
  });
}

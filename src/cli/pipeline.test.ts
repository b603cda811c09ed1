import assert from 'node:assert/strict';
import { pipelineCommand } from './pipeline';

describe('meshlens pipeline', () => {
  it('prints what a schedule costs, and its timeline', () => {
    const { document, problems } = pipelineCommand({ schedule: '1f1b', stages: 2, microBatches: 2 });
    assert.deepEqual(problems, []);
    assert.deepEqual(document, {
      costs: { forward: 1, backwardInput: 1, backwardWeight: 1, p2p: 0 },
      assumedCosts: ['forward', 'backwardInput', 'backwardWeight', 'p2p'],
      makespan: 9,
      bubbleFraction: 1 - 12 / 18,
      spanBubbleFraction: 1 - 12 / 18,
      idlePerStage: [3, 3],
      peakInFlight: [2, 1],
      timeline: [
        { stage: 0, op: 'F', microBatch: 0, chunk: 0, start: 0, end: 1 },
        { stage: 0, op: 'F', microBatch: 1, chunk: 0, start: 1, end: 2 },
        { stage: 0, op: 'B', microBatch: 0, chunk: 0, start: 4, end: 6 },
        { stage: 0, op: 'B', microBatch: 1, chunk: 0, start: 7, end: 9 },
        { stage: 1, op: 'F', microBatch: 0, chunk: 0, start: 1, end: 2 },
        { stage: 1, op: 'B', microBatch: 0, chunk: 0, start: 2, end: 4 },
        { stage: 1, op: 'F', microBatch: 1, chunk: 0, start: 4, end: 5 },
        { stage: 1, op: 'B', microBatch: 1, chunk: 0, start: 5, end: 7 },
      ],
    });
  });

  it('splits times over chunks and takes two where the schedule needs them', () => {
    const { document } = pipelineCommand({ schedule: 'interleaved-1f1b', stages: 4, microBatches: 8, forward: 2 });
    assert.equal(document.makespan, 8 * 4 + (3 * 4) / 2);
    assert.deepEqual(document.assumedCosts, ['backwardInput', 'backwardWeight', 'p2p']);
    const split = pipelineCommand({ schedule: 'zb-h1', stages: 2, microBatches: 2 }).document.timeline;
    assert.equal(split?.filter(entry => entry.op === 'W').length, 4);
  });

  it('reports what is wrong and leaves the rest unknown', () => {
    const shape = pipelineCommand({ schedule: 'dualpipe', stages: 3, microBatches: 8 });
    assert.equal(shape.problems[0].args['rule'], 'stages-even');
    assert.equal(shape.document.makespan, null);
    const negative = pipelineCommand({ schedule: '1f1b', stages: 2, microBatches: 2, forward: -1, p2p: NaN });
    assert.deepEqual(
      negative.problems.map(p => [p.code, p.args['key']]),
      [
        ['value-invalid', 'forward'],
        ['value-invalid', 'p2p'],
      ],
    );
  });
});

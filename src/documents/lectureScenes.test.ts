import assert from 'node:assert/strict';
import fc from 'fast-check';
import { algorithmsFor, buildSchedule } from '../engine/collectives/build';
import { execute } from '../engine/collectives/execute';
import { traceSchedule } from '../engine/collectives/trace';
import { lectureCommand } from './lecture';
import { lectureScenes, SCENE_DEMOS } from './lectureScenes';

/** Small enough for a test; the lecture's are 128 × 1024. */
const SIZES = { rows: 16, columns: 32, layers: 4 };

describe('the scenes of the lecture', () => {
  for (const demo of SCENE_DEMOS)
    it(`${demo}: together print what the command prints, each rank has a row and each row its columns`, () => {
      const scenes = lectureScenes(demo, SIZES);
      assert.deepEqual(
        scenes.flatMap(({ lines }) => lines),
        lectureCommand(demo, SIZES).lines,
      );
      const ranks = demo === 'pipeline-parallel' ? 2 : 4;
      for (const scene of scenes) {
        assert.equal(scene.ranks.length, ranks, scene.code);
        for (const row of scene.ranks) assert.equal(row.length, scene.columns.length, scene.code);
      }
    });

  it('collectives: the ring’s steps end with the lecture’s vectors', () => {
    const scenes = lectureScenes('collectives');
    // 2(n − 1) steps of all-reduce, n − 1 of the others, and a beginning each.
    assert.deepEqual(
      scenes.map(({ code }) => code).filter(code => code === 'step' || code === 'end').length,
      6 + 3 + 3,
    );
    const ends = scenes.filter(({ code }) => code === 'end');
    const held = (scene: number) => ends[scene]?.ranks.map(row => row[1]);
    assert.deepEqual(held(0), Array<string>(4).fill('[6, 10, 14, 18]'));
    // Every rank has its own block, whatever partial sums stand beside it: 6, 10, 14, 18.
    [6, 10, 14, 18].forEach((sum, rank) => {
      const values = held(1)?.[rank]?.replace(/[[\]]/g, '').split(', ') ?? [];
      assert.equal(Number(values[rank]), sum);
    });
    assert.deepEqual(held(2), Array<string>(4).fill('[6, 10, 14, 18]'));
  });

  it('data parallelism: gradients differ before the all-reduce and are one after it', () => {
    const scenes = lectureScenes('data-parallel', SIZES).filter(({ code }) => code === 'dp-gradient');
    assert.equal(scenes.length, SIZES.layers);
    for (const { ranks } of scenes) {
      assert.ok(new Set(ranks.map(([own]) => own)).size > 1);
      assert.equal(new Set(ranks.map(([, whole]) => whole)).size, 1);
    }
  });

  it('pipelines: what one rank sends the other receives, forward and back', () => {
    const scenes = lectureScenes('pipeline-parallel', SIZES);
    for (const { ranks } of scenes.filter(({ code }) => code === 'pp-forward'))
      assert.deepEqual([ranks[0]?.[0], ranks[0]?.[1]], [ranks[1]?.[1], '']);
    for (const { ranks } of scenes.filter(({ code }) => code === 'pp-backward'))
      assert.deepEqual([ranks[1]?.[0], ranks[1]?.[1]], [ranks[0]?.[1], '']);
  });
});

describe('the trace of a step list', () => {
  it('ends where the execution of the same list ends', () => {
    const ops = ['all-reduce', 'reduce-scatter', 'all-gather', 'broadcast'] as const;
    fc.assert(
      fc.property(fc.constantFrom(...ops), fc.integer({ min: 2, max: 8 }), fc.nat(), (op, ranks, pick) => {
        const algorithms = algorithmsFor(op).filter(name => {
          const built = buildSchedule(op, name, ranks);
          return built !== null && built.holders === ranks && built.split === 1 && built.blocks === ranks;
        });
        fc.pre(algorithms.length > 0);
        const schedule = buildSchedule(op, algorithms[pick % algorithms.length], ranks);
        assert.ok(schedule !== null);
        const inputs = Array.from({ length: ranks }, (_, r) => Array.from({ length: ranks }, (_x, c) => 10 * r + c));
        const traced = traceSchedule(schedule, inputs).steps.at(-1)?.held ?? [];
        const { outputs } = execute(schedule, {
          dtype: 'f64',
          reduction: 'sum',
          inputs: inputs.map((input, r) => Float64Array.from(op === 'all-gather' ? [input[r]] : input)),
        });
        outputs.forEach((output, rank) => {
          const held = op === 'reduce-scatter' ? [traced[rank]?.[rank]] : (traced[rank] ?? []);
          assert.deepEqual([...output], held);
        });
      }),
    );
  });
});

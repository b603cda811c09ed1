import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { chooseAlgorithm } from '../src/engine/collectives/choose';
import { collectiveSeconds } from '../src/engine/collectives/cost';
import type { DashboardState } from '../src/protocol/dashboard';
import { collectivesView, PLOTTED_OPS } from './collectives';

const read = (name: string) => JSON.parse(readFileSync(`test/fixtures/dashboard/${name}.json`, 'utf8')) as unknown;
const complete = read('complete') as DashboardState;

function withCluster(gpu: string | null, plan: Partial<DashboardState['estimate']['setup']['plan']>): DashboardState {
  const { estimate } = complete;
  const setup = {
    ...estimate.setup,
    cluster: { ...estimate.setup.cluster, gpu },
    plan: { ...estimate.setup.plan, ...plan },
  };
  return { ...complete, estimate: { ...estimate, setup } };
}

describe('series of collectives', () => {
  it('places the groups: neighbours for tp, tp apart for dp', () => {
    const { choices } = collectivesView(withCluster('h100-sxm', { tp: 2, cp: 2, dp: 8 }), 'all-reduce');
    const placed = choices.map(({ group: { axis, network } }) => [axis, network.ranks, network.ranksPerDomain]);
    // Nodes of eight: four pairs of tp in each, so four of the sixteen ranks that reduce gradients together.
    assert.deepEqual(placed, [
      ['tp', 2, 2],
      ['dp', 16, 4],
    ]);
  });

  it('names an algorithm for each size that none beats by more than a trifle, and changes only for a gain', () => {
    for (const op of PLOTTED_OPS)
      for (const { group, list } of collectivesView(withCluster('h100-sxm', { tp: 8, dp: 4 }), op).choices) {
        for (let bytes = 64; bytes < 2 ** 34; bytes *= 3) {
          const named = list.findLast(({ fromBytes }) => (fromBytes ?? 0) <= bytes);
          assert.ok(named !== undefined);
          const seconds = collectiveSeconds(op, named.algorithm, bytes, group.network) ?? Infinity;
          const best = chooseAlgorithm(op, bytes, group.network)?.seconds ?? 0;
          assert.ok(seconds <= best * 1.04, `${op} among ${group.axis}, ${bytes} bytes: ${named.algorithm}`);
        }
        list.slice(1).forEach(({ algorithm }, i) => assert.notEqual(algorithm, list[i]?.algorithm));
      }
  });

  it('takes published sweeps of the same architecture, across nodes where the group is', () => {
    const names = (gpu: string, plan: object) =>
      collectivesView(withCluster(gpu, plan), 'all-reduce').series.flatMap(one =>
        one.kind === 'published' ? [`${one.sweep.gpus} ${one.sweep.name} on ${one.sweep.nodes}`] : [],
      );
    assert.deepEqual(names('a100-40', { tp: 4, dp: 4 }), ['4 A100-SXM on 1']);
    assert.deepEqual(names('b200', { tp: 8, dp: 8 }), ['8 B200 on 1', '32 B200 on 4']);
    assert.deepEqual(names('mi300x', { tp: 8, dp: 8 }), []);
  });

  it('has the bus bandwidths that the sources print', () => {
    const busbw = (gpu: string, tp: number, bytes: number) =>
      collectivesView(withCluster(gpu, { tp, dp: 1, cp: 1 }), 'all-reduce')
        .series.find(({ kind }) => kind === 'published')
        ?.points.find(point => point.bytes === bytes)?.busbw;
    // GB/s: vTrain f8dda847 trace/a100/AR_GPU8 and trace/v100/AR_GPU4; stas00/ml-engineering 744d01e1 network/README.md.
    const printed: [gpu: string, tp: number, bytes: number, gigabytes: number][] = [
      ['a100-80', 8, 2 ** 20, 19.78],
      ['a100-80', 8, 2 ** 30, 229.35],
      ['v100-32', 4, 2 ** 30, 85.36],
      ['h200-sxm', 8, 2 ** 25, 275.84],
      ['b200', 8, 2 ** 34, 845.67],
    ];
    for (const [gpu, tp, bytes, gigabytes] of printed)
      assert.ok(Math.abs((busbw(gpu, tp, bytes) ?? 0) / (gigabytes * 1e9) - 1) < 1e-3, `${gpu} ${bytes}`);
  });

  it('has only what was measured where no accelerator is chosen', () => {
    const result = read('bench') as NonNullable<DashboardState['bench']>['result'];
    const state = { ...withCluster(null, {}), bench: { running: null, failure: null, result } };
    assert.deepEqual(
      collectivesView(state, 'broadcast').series.map(({ kind }) => kind),
      ['measured'],
    );
  });
});

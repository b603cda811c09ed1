import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Group, Program, Rank } from './communicator';
import { LINK_PROFILES } from './linkProfiles';
import { ALGORITHMS } from './schedule';
import { runWorld } from './world';
import type { WorldNetwork } from './worldNetwork';

const network: WorldNetwork = {
  domainSize: 4,
  linkBytesPerSecond: 450e9,
  nicBytesPerSecond: 50e9,
  profile: LINK_PROFILES.hopper,
};
const f32 = (...values: number[]) => Float32Array.from(values);
const world = <T>(ranks: number, program: (rank: Rank) => Program<T>, net: WorldNetwork | null = network) =>
  runWorld({ ranks, program, network: net });

describe('a world in virtual time', () => {
  it('sums over groups of two axes and counts their traffic apart', () => {
    const rows: Group[] = [
      { axis: 'tp', ranks: [0, 1] },
      { axis: 'tp', ranks: [2, 3] },
    ];
    const columns: Group[] = [
      { axis: 'dp', ranks: [0, 2] },
      { axis: 'dp', ranks: [1, 3] },
    ];
    const { results, traffic, diagnosis } = world(
      4,
      function* (rank) {
        const row = yield* rank.allReduce(f32(rank.rank + 1, 0), { group: rows[rank.rank >> 1] });
        const all = yield* rank.allGather(row, { group: columns[rank.rank & 1] });
        return [...all];
      },
      { ...network, algorithm: 'ring' },
    );
    assert.equal(diagnosis, null);
    assert.deepEqual(results, new Array(4).fill([3, 0, 7, 0]));
    const sent = (axis: string) => traffic.filter(t => t.axis === axis).map(t => [t.op, t.count, ...t.sentBytes]);
    assert.deepEqual(sent('tp'), [['all-reduce', 2, 8, 8, 8, 8]]);
    assert.deepEqual(sent('dp'), [['all-gather', 2, 8, 8, 8, 8]]);
  });

  it('hides communication behind compute where it is started early, and waiting twice is harmless', () => {
    const run = (early: boolean) =>
      world(2, function* (rank) {
        const request = rank.request('all-reduce', new Float32Array(2 ** 20).fill(1));
        const handle = early ? yield* rank.start(request) : null;
        yield* rank.compute(1);
        const output = handle ? yield* rank.wait(handle) : yield* rank.run(request);
        const again = handle ? yield* rank.wait(handle) : output;
        assert.equal(output, again);
        return output[0];
      });
    const [hidden, shown] = [run(true), run(false)];
    assert.deepEqual(
      [hidden.results, shown.results],
      [
        [2, 2],
        [2, 2],
      ],
    );
    assert.equal(hidden.seconds, 1);
    assert.ok(shown.seconds > 1);
  });

  it('takes for a message at least the time of its bytes on the link, of both who take part', () => {
    const bytes = 4 * 2 ** 20;
    for (const [to, rate] of [
      [1, 450e9],
      [4, 50e9],
    ] as const) {
      const { seconds, results } = world(8, function* (rank) {
        if (rank.rank === 0) yield* rank.send(to, new Float32Array(2 ** 20).fill(3));
        return rank.rank === to ? (yield* rank.receive(0))[2 ** 20 - 1] : 0;
      });
      assert.equal(results[to], 3);
      assert.ok(seconds >= bytes / rate && seconds < (10 * bytes) / rate, `${seconds} s to ${to}`);
    }
  });

  it('splits an all-to-all as it is told, where the parts add up', () => {
    // Rank 0 sends one value to itself and two to rank 1, which sends one to each.
    const { results, diagnosis } = world(2, function* (rank) {
      const [data, sendLengths] = rank.rank === 0 ? [f32(1, 2, 3), [1, 2]] : [f32(4, 5), [1, 1]];
      return [...(yield* rank.allToAll(data, { sendLengths }))];
    });
    assert.equal(diagnosis, null);
    assert.deepEqual(results, [
      [1, 4],
      [2, 3, 5],
    ]);
  });

  it('runs one rank’s communications one after the other', () => {
    const seconds = (calls: number) =>
      world(2, function* (rank) {
        const handles = [];
        for (let i = 0; i < calls; i++)
          handles.push(yield* rank.start(rank.request('all-reduce', new Float32Array(2 ** 20))));
        for (const handle of handles) yield* rank.wait(handle);
      }).seconds;
    assert.ok(Math.abs(seconds(4) / seconds(1) - 4) < 1e-9);
  });

  it('waits for the last rank', () => {
    const { clockSeconds } = world(
      3,
      function* (rank) {
        yield* rank.compute(rank.rank);
        yield* rank.barrier();
      },
      null,
    );
    assert.deepEqual([...clockSeconds], [2, 2, 2]);
  });

  it('passes messages between pairs in their order', () => {
    const { results, traffic } = world(3, function* (rank) {
      if (rank.rank === 0) {
        yield* rank.send(1, f32(1));
        yield* rank.send(1, f32(2));
        return [];
      }
      if (rank.rank === 2) return [...(yield* rank.receive(1, 7))];
      const first = yield* rank.receive(0);
      const second = yield* rank.receive(0);
      yield* rank.send(2, f32(first[0] * 10 + second[0]), 7);
      return [];
    });
    assert.deepEqual(results[2], [12]);
    assert.deepEqual([...(traffic[0]?.sentBytes ?? [])], [8, 4, 0]);
  });

  it('reads every algorithm with one meaning', () => {
    for (const algorithm of ALGORITHMS)
      for (const ranks of [1, 2, 3, 8]) {
        const { results, diagnosis } = world(
          ranks,
          function* (rank) {
            const part = yield* rank.reduceScatter(Float64Array.from({ length: 10 }, (_, i) => i * (rank.rank + 1)));
            return [...(yield* rank.allReduce(f32(part.length)))];
          },
          { ...network, algorithm },
        );
        assert.equal(diagnosis, null);
        assert.deepEqual(results, new Array(ranks).fill([10]), algorithm);
      }
  });
});

describe('a world that cannot go on', () => {
  it('names ranks and operations of a mismatched order', () => {
    const { diagnosis } = world(2, function* (rank) {
      if (rank.rank === 0) yield* rank.allReduce(f32(1));
      yield* rank.allGather(f32(1));
      if (rank.rank === 1) yield* rank.allReduce(f32(1));
    });
    assert.deepEqual(diagnosis, [
      {
        code: 'collective-mismatch',
        axis: 'world',
        sequence: 0,
        field: 'op',
        calls: [
          { rank: 0, op: 'all-reduce', value: 'all-reduce' },
          { rank: 1, op: 'all-gather', value: 'all-gather' },
        ],
      },
    ]);
  });

  it('names the rank that is missing and what it does instead', () => {
    const { diagnosis } = world(3, function* (rank) {
      if (rank.rank === 1) return;
      yield* rank.allReduce(f32(1));
    });
    assert.deepEqual(diagnosis, [
      {
        code: 'missing-rank',
        axis: 'world',
        sequence: 0,
        op: 'all-reduce',
        present: [0, 2],
        missing: [{ rank: 1, state: { doing: 'finished' } }],
      },
    ]);
  });

  it('names two shapes that do not fit', () => {
    const { diagnosis } = world(4, function* (rank) {
      yield* rank.barrier();
      yield* rank.allReduce(new Float32Array(rank.rank === 2 ? 5 : 4));
    });
    const [found] = diagnosis ?? [];
    assert.ok(found?.code === 'shape-mismatch');
    assert.deepEqual([found.op, found.sequence, found.axis], ['all-reduce', 1, 'world']);
    assert.deepEqual(found.calls.find(c => c.rank === 2)?.elements, 5);
    assert.deepEqual(found.calls.find(c => c.rank !== 2)?.elements, 4);
  });

  it('names types, reductions and roots that differ', () => {
    const field = (program: (rank: Rank) => Program<unknown>) => {
      const [first] = world(2, program).diagnosis ?? [];
      return first?.code === 'collective-mismatch' ? first.field : first?.code;
    };
    assert.equal(
      field(rank => rank.allReduce(rank.rank ? new Float64Array(1) : new Float32Array(1))),
      'dtype',
    );
    assert.equal(
      field(rank => rank.allReduce(f32(1), { reduction: rank.rank ? 'max' : 'sum' })),
      'reduction',
    );
    assert.equal(
      field(rank => rank.broadcast(f32(1), { root: rank.rank })),
      'root',
    );
    assert.equal(
      field(rank => rank.allToAll(f32(1, 2), { sendLengths: [1, 2] })),
      'shape-mismatch',
    );
    assert.equal(
      field(rank => rank.barrier({ axis: 'dp', ranks: [0] })),
      'not-a-member',
    );
  });

  it('names a cycle of blocking sends, and a receive that nobody answers', () => {
    const cycle = world(2, function* (rank) {
      yield* rank.send(1 - rank.rank, f32(1));
      yield* rank.receive(1 - rank.rank);
    });
    assert.deepEqual(
      cycle.diagnosis?.map(d => d.code),
      ['unmatched-send', 'unmatched-send'],
    );
    const lonely = world(2, function* (rank) {
      if (rank.rank === 0) yield* rank.receive(1, 3);
    });
    assert.deepEqual(lonely.diagnosis, [{ code: 'unmatched-receive', from: 1, to: 0, tag: 3 }]);
  });

  it('always ends: any programs of random calls run through or are diagnosed', () => {
    const call = fc.constantFrom('all-reduce', 'all-gather', 'barrier', 'send', 'receive', 'start');
    fc.assert(
      fc.property(fc.array(fc.array(call, { maxLength: 6 }), { minLength: 1, maxLength: 5 }), scripts => {
        const { diagnosis, results } = world(scripts.length, function* (rank) {
          const next = (rank.rank + 1) % rank.size;
          for (const name of scripts[rank.rank] as string[]) {
            if (name === 'send') yield* rank.send(next, f32(1));
            else if (name === 'receive') yield* rank.receive((rank.rank + rank.size - 1) % rank.size);
            else if (name === 'start') yield* rank.start(rank.request('all-reduce', f32(1)));
            else yield* rank.run(rank.request(name as 'barrier', f32(1)));
          }
          return 'done';
        });
        assert.equal(diagnosis === null, results.every(r => r === 'done') && diagnosis === null);
        if (diagnosis === null) assert.ok(results.every(r => r === 'done'));
        else assert.ok(diagnosis.length > 0);
      }),
      { numRuns: 300 },
    );
  });
});

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { coordinate, coordinates, denseMesh, expertMesh, groupOf, groupsOf, type Mesh, meshOf, rankAt } from './mesh';
import { spanOf } from './placement';

const anyMesh = fc
  .array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 5 })
  .map(sizes => meshOf(sizes.map((size, i) => ({ name: `a${i}`, size }))));

describe('mesh', () => {
  it('maps ranks to coordinates and back (200 random meshes)', () => {
    fc.assert(
      fc.property(anyMesh, mesh => {
        const seen = new Set<string>();
        for (let rank = 0; rank < mesh.size; rank++) {
          const coords = coordinates(mesh, rank);
          seen.add(coords.join());
          assert.equal(rankAt(mesh, coords), rank);
          mesh.axes.forEach((axis, i) => assert.equal(coordinate(mesh, rank, axis.name), coords[i]));
        }
        assert.equal(seen.size, mesh.size);
      }),
      { numRuns: 200 },
    );
  });

  it('groups of any axes part the world and differ on those axes only', () => {
    fc.assert(
      fc.property(anyMesh, fc.integer({ min: 1, max: 31 }), (mesh, bits) => {
        const axes = mesh.axes.map(a => a.name).filter((_, i) => bits & (1 << i));
        const groups = groupsOf(mesh, axes);
        assert.deepEqual(
          [...groups.ranks].sort((a, b) => a - b),
          [...Array(mesh.size).keys()],
        );
        for (let g = 0; g < groups.count; g++) {
          const members = groups.ranks.subarray(g * groups.groupSize, (g + 1) * groups.groupSize);
          assert.deepEqual([...groupOf(mesh, axes, members[0])], [...members]);
          for (const axis of mesh.axes.filter(a => !axes.includes(a.name)))
            assert.equal(new Set([...members].map(r => coordinate(mesh, r, axis.name))).size, 1);
        }
      }),
    );
  });

  it("nests Megatron's default order: tensor ranks adjacent, stages farthest apart", () => {
    const mesh = denseMesh({ dp: 2, tp: 4, cp: 1, pp: 2, ep: 1, etp: 1 });
    assert.deepEqual([...groupOf(mesh, ['tp'], 5)], [4, 5, 6, 7]);
    assert.deepEqual([...groupOf(mesh, ['dp'], 1)], [1, 5]);
    assert.deepEqual([...groupOf(mesh, ['pp'], 3)], [3, 11]);
  });

  // Megatron-LM core_r0.9 parallel_state docstring example: 16 ranks, tp 2, pp 4 gives dp groups [0,2] [1,3] …
  it('agrees with the sixteen-rank example of Megatron (tp 2, pp 4)', () => {
    const mesh = denseMesh({ dp: 2, tp: 2, cp: 1, pp: 4, ep: 1, etp: 1 });
    const list = (axes: string[]) => {
      const g = groupsOf(mesh, axes);
      return Array.from({ length: g.count }, (_, i) => [...g.ranks.subarray(i * g.groupSize, (i + 1) * g.groupSize)]);
    };
    assert.deepEqual(list(['dp']), [
      [0, 2],
      [1, 3],
      [4, 6],
      [5, 7],
      [8, 10],
      [9, 11],
      [12, 14],
      [13, 15],
    ]);
    assert.deepEqual(list(['pp']), [
      [0, 4, 8, 12],
      [1, 5, 9, 13],
      [2, 6, 10, 14],
      [3, 7, 11, 15],
    ]);
  });

  it('takes expert ranks out of dp·cp·tp and leaves the stages alone', () => {
    const degrees = { dp: 4, tp: 2, cp: 2, pp: 2, ep: 8, etp: 1 };
    const experts = expertMesh(degrees) as Mesh;
    assert.equal(experts.size, denseMesh(degrees).size);
    assert.deepEqual([...groupOf(experts, ['ep'], 0)], [0, 1, 2, 3, 4, 5, 6, 7]);
    assert.deepEqual([...groupOf(experts, ['edp'], 1)], [1, 9]);
    assert.deepEqual([...groupOf(experts, ['pp'], 5)], [...groupOf(denseMesh(degrees), ['pp'], 5)]);
    const wrong = expertMesh({ ...degrees, ep: 3 });
    assert.ok('code' in wrong && wrong.code === 'expert-ranks');
  });
});

describe('placement', () => {
  const placement = { gpusPerNode: 8, domainSize: 8 };

  it('says which links a group crosses', () => {
    const mesh = denseMesh({ dp: 4, tp: 8, cp: 1, pp: 2, ep: 1, etp: 1 });
    assert.equal(spanOf(mesh, ['tp'], placement).crossing, 'scale-up');
    const dp = spanOf(mesh, ['dp'], placement);
    assert.deepEqual([dp.crossing, dp.domains, dp.ranksPerDomain, dp.groupsPerDomain], ['scale-out', 4, 1, 8]);
    const both = spanOf(mesh, ['dp', 'tp'], placement);
    assert.deepEqual([both.ranks, both.domains, both.ranksPerDomain, both.groupsPerDomain], [32, 4, 8, 1]);
  });

  it('keeps a rack of 72 in one domain of many nodes', () => {
    const span = spanOf(meshOf([{ name: 'tp', size: 64 }]), ['tp'], { gpusPerNode: 4, domainSize: 72 });
    assert.deepEqual([span.crossing, span.nodes, span.domains], ['scale-up', 16, 1]);
  });

  it('handles a world of 100,000 ranks', () => {
    const mesh = meshOf([
      { name: 'pp', size: 10 },
      { name: 'dp', size: 1250 },
      { name: 'tp', size: 8 },
    ]);
    assert.equal(spanOf(mesh, ['dp'], placement).ranks, 1250);
    assert.equal(groupsOf(mesh, ['tp']).count, 12500);
  });
});

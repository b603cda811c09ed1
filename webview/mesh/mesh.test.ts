import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { DashboardState } from '../../src/protocol/dashboard';
import { cellAt, cornerOf, meshLayout } from './layout';
import { membersOf, meshModel, nodeRows, placeOn } from './model';

function model(name: string) {
  const file = path.join(import.meta.dirname, `../../test/fixtures/dashboard/${name}.json`);
  const found = meshModel((JSON.parse(readFileSync(file, 'utf8')) as DashboardState).estimate);
  assert.ok(found !== null);
  return found;
}

describe('the mesh of a plan', () => {
  it('of tp 8, dp 128, pp 16: rank 1027 is tp 3 of dp 0 in stage 1, by hand 1027 = 3 + 8·(0 + 128·1)', () => {
    const mesh = model('huge');
    assert.deepEqual(mesh.axes, ['tp', 'dp', 'pp']);
    const places = mesh.axes.map(axis => placeOn(mesh, axis, 1027));
    assert.deepEqual(places, [3, 0, 1]);
    assert.deepEqual(membersOf(mesh, 'tp', 1027), [1024, 1025, 1026, 1027, 1028, 1029, 1030, 1031]);
    assert.deepEqual(
      membersOf(mesh, 'pp', 1027),
      Array.from({ length: 16 }, (_, stage) => 3 + 1024 * stage),
    );
  });

  it('has the groups of experts on the same ranks', () => {
    const mesh = model('experts');
    assert.deepEqual(membersOf(mesh, 'ep', 37), [32, 33, 34, 35, 36, 37, 38, 39]);
  });

  it('lists all nodes, grouped where there are many', () => {
    const rows = nodeRows(model('huge'));
    assert.equal(rows.length, 16);
    assert.deepEqual(rows[0].nodes, [0, 127]);
    assert.deepEqual(rows[0].ranks, [0, 1023]);
    assert.deepEqual(rows.at(-1)?.ranks, [15 * 1024, 16383]);
    assert.deepEqual(rows.at(-1)?.places[2], [15, 15]);
  });
});

describe('the drawing of a mesh', () => {
  const cases = [
    [8, 8],
    [64, 8],
    [100, 8],
    [512, 4],
    [576, 72],
    [16384, 8],
    [131072, 8],
  ] as const;

  it('finds every cell again where it lies, and nothing beyond', () => {
    for (const width of [330, 800, 1136]) {
      for (const [gpus, gpusPerNode] of cases) {
        const layout = meshLayout(width, gpus, gpusPerNode);
        for (let index = 0; index < layout.cells; index += Math.ceil(layout.cells / 997)) {
          const [x, y] = cornerOf(layout, index);
          assert.equal(cellAt(layout, x + layout.cell / 2, y + layout.cell / 2), index);
          assert.ok(x + layout.cell <= width && y + layout.cell <= layout.height, `${gpus} at ${width}: ${x}, ${y}`);
        }
        assert.equal(cellAt(layout, width + 40, 1), null);
      }
    }
  });

  it('draws each of 16,384 GPUs in a panel of 800 pixels, and nodes of 131,072', () => {
    assert.equal(meshLayout(800, 16384, 8).ranksPerCell, 1);
    assert.ok(meshLayout(800, 16384, 8).height <= 460);
    assert.equal(meshLayout(800, 131072, 8).ranksPerCell, 8);
  });
});

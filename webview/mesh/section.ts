/** Where each rank stands and what it sends: the mesh with the traffic of its axes. */
import { h, type VNode } from '../dom';
import type { ChartData } from '../chartFiles';
import { figure, type Scene, section, table } from '../parts';
import { say } from '../words';
import { chosenAxis, chosenRank, MESH_AXIS, MESH_CANVAS, MESH_RANK } from './chosen';
import { meshLayout } from './layout';
import { membersOf, type MeshAxis, type MeshModel, meshModel, nodeRows, placeOn } from './model';
import { trafficPart } from './traffic';

export function meshSection(scene: Scene): VNode {
  const model = meshModel(scene.state.estimate);
  const heading = say('meshHeading');
  if (model === null) return section('mesh', heading, h('p', {}, say('meshWaits')));
  const axis = chosenAxis(model, scene.chosen);
  return section('mesh', heading, axis !== null && drawing(scene, model, axis), trafficPart(scene));
}

function drawing(scene: Scene, model: MeshModel, axis: MeshAxis): VNode {
  const { integer } = scene.formats;
  const sentence = say('meshChart', {
    gpus: integer(model.gpus),
    nodes: integer(Math.ceil(model.gpus / model.gpusPerNode)),
    axis,
    inner: model.axes[0],
  });
  // Whether cells are nodes depends on the width, of which the widest is the most generous.
  const aggregated = meshLayout(1136, model.gpus, model.gpusPerNode).ranksPerCell > 1;
  return h(
    'div',
    {},
    aggregated && h('p', { class: 'note' }, say('meshAggregated')),
    controls(scene, model, axis),
    h('p', { id: 'mesh-rank-text', role: 'status' }, rankText(scene, model, axis)),
    figure(
      scene,
      { id: MESH_CANVAS, label: sentence, source: 'planned', data: () => dataOf(model) },
      h('div', { class: 'mesh-box' }, h('canvas', { id: MESH_CANVAS, role: 'img', 'aria-label': sentence })),
      reachable => nodeTable(scene, model, reachable),
    ),
  );
}

function controls({ chosen }: Scene, model: MeshModel, axis: MeshAxis): VNode {
  return h(
    'div',
    { class: 'buttons' },
    h(
      'label',
      { class: 'choice' },
      say('meshAxis'),
      h(
        'select',
        { id: MESH_AXIS, 'data-choice': true },
        ...model.axes.map(name => h('option', { value: name, selected: name === axis }, name)),
      ),
    ),
    h(
      'label',
      { class: 'choice' },
      say('meshRank'),
      h('input', {
        id: MESH_RANK,
        type: 'number',
        min: 0,
        max: model.gpus - 1,
        value: chosen.get(MESH_RANK) ?? '0',
        'data-choice': true,
        'aria-describedby': 'mesh-rank-text',
      }),
    ),
  );
}

const MEMBERS_NAMED = 12;

function rankText({ formats, chosen }: Scene, model: MeshModel, axis: MeshAxis): string {
  const { integer } = formats;
  const rank = chosenRank(model, chosen);
  const others = membersOf(model, axis, rank).filter(member => member !== rank);
  const list = others.slice(0, MEMBERS_NAMED).map(integer).join(', ');
  const more = others.length - MEMBERS_NAMED;
  const members =
    others.length === 0
      ? say('meshAlone')
      : more > 0
        ? say('meshMembersMore', { list, more: integer(more) })
        : say(others.length === 1 ? 'meshMember' : 'meshMembers', { list });
  return say('meshRankText', {
    rank: integer(rank),
    gpu: rank % model.gpusPerNode,
    node: integer(Math.floor(rank / model.gpusPerNode)),
    coordinates: model.axes.map(name => `${name} ${placeOn(model, name, rank)}`).join(', '),
    axis,
    members,
  });
}

function nodeTable({ formats }: Scene, model: MeshModel, reachable: boolean): VNode {
  const { integer } = formats;
  const range = ([from, to]: readonly [number, number]) =>
    from === to ? integer(from) : say('nodeRange', { from: integer(from), to: integer(to) });
  return table(
    `${MESH_CANVAS}-twin`,
    say('meshNodeTable'),
    [
      { head: say('nodesColumn') },
      { head: say('ranksColumn'), numeric: true },
      ...model.axes.map(head => ({ head, numeric: true })),
    ],
    nodeRows(model).map(({ nodes, ranks, places }) => [range(nodes), range(ranks), ...places.map(range)]),
    { reachable },
  );
}

/** A row a rank. */
function dataOf(model: MeshModel): ChartData {
  return {
    columns: ['rank', 'node', ...model.axes],
    rows: Array.from({ length: Math.min(model.gpus, MOST_RANKS) }, (_, rank) => [
      rank,
      Math.floor(rank / model.gpusPerNode),
      ...model.axes.map(axis => placeOn(model, axis, rank)),
    ]),
  };
}

const MOST_RANKS = 2 ** 17;

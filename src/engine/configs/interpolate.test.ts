import assert from 'node:assert/strict';
import { interpolate } from './interpolate';
import { nodeAt, plainValue } from './tree';
import { parseYaml } from './yaml';

function resolve(text: string) {
  const { root } = parseYaml('x.yaml', text);
  assert.ok(root !== null);
  const resolved = interpolate(root);
  const missing = (...path: string[]) => {
    const node = nodeAt(resolved.root, ...path);
    return node?.kind === 'scalar' ? node.missing : undefined;
  };
  return {
    values: plainValue(resolved.root) as Record<string, Record<string, unknown>>,
    missing,
    problems: resolved.problems,
  };
}

describe('references in configs', () => {
  it('are followed from the root and from the map that holds them', () => {
    const { values } = resolve(
      'a: {h: 64, f: "${multiply:4, ${.h}}", g: "${..b.c}"}\nb: {c: 3, d: "${a.f}", e: "x-${b.c}"}\n',
    );
    assert.deepEqual(values, { a: { h: 64, f: 256, g: 3 }, b: { c: 3, d: 256, e: 'x-3' } });
  });

  it('divide, add and select with a default', () => {
    const { values } = resolve(
      'a: {n: 7, x: "${divide_floor:${.n},2}", y: "${divide_ceil:${.n},2}", z: "${oc.select:a.none,5}"}\n',
    );
    assert.deepEqual(values.a, { n: 7, x: 3, y: 4, z: 5 });
  });

  it('that leave the file name what is missing', () => {
    const { missing } = resolve(
      'a: {x: "${training.tp}", y: "${TP}", z: "${oc.env:WORLD}", m: "???", u: "${custom:1}"}\n',
    );
    assert.deepEqual(
      ['x', 'y', 'z', 'm', 'u'].map(key => missing('a', key)),
      ['training.tp', 'TP', 'WORLD', '???', 'custom:'],
    );
  });

  it('to the environment take their default, and say so', () => {
    const { values, problems } = resolve('a: {tp: "${PRIMUS_TP:2}", ep: "${EP:-8}", pp: "${oc.env:PP,4}"}\n');
    assert.deepEqual(values.a, { tp: 2, ep: 8, pp: 4 });
    assert.deepEqual(
      problems.map(({ args }) => [args.name, args.value]),
      [
        ['PRIMUS_TP', '2'],
        ['EP', '8'],
        ['PP', '4'],
      ],
    );
  });

  it('to themselves are missing', () => {
    const { missing } = resolve('a: {x: "${.y}", y: "${.x}", z: "${.z}"}\n');
    assert.ok(missing('a', 'x') !== undefined && missing('a', 'z') !== undefined);
  });
});

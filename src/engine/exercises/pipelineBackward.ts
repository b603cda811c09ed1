/**
 * The backward pass of a pipeline, which the lecture leaves as homework. Each rank holds one layer y = gelu(x·W); the loss
 * is the mean of squares over all rows. After all forward passes the statements run once for each micro-batch, with x, z
 * and y of its forward pass; `gradient`, zero at first, must in the end hold the gradient of the rank's w.
 *
 * Legend: B rows, D columns, p stages, m micro-batches.
 */
import type { Program, Rank } from '../collectives/communicator';
import { type Finding, finding, type Grade, WrongSolution } from './grade';
import { carryOut, LOCAL, matrices, type Operation, runRanks, type Value } from './interpreter';
import {
  equals,
  gelu,
  geluSlope,
  type Matrix,
  product,
  randomMatrix,
  rowsOf,
  scaled,
  shapeOf,
  sum,
  transposed,
  zeros,
} from './matrix';
import type { Statement } from './statements';
import { differs, result } from './tensorBackward';

const [B, D, STAGES, MICRO_BATCHES] = [8, 4, 3, 4];
const SIZE = B / MICRO_BATCHES;

/** The rank in the direction of the first argument. */
function neighbour({ rank, line, args, name }: Parameters<Operation>[0]): number {
  const [direction] = args;
  if (direction !== 'next' && direction !== 'previous')
    throw new WrongSolution(finding('arguments', line, { operation: name, expected: name === 'send' ? 2 : 1 }));
  const peer = rank.rank + (direction === 'next' ? 1 : -1);
  if (peer < 0 || peer >= rank.size)
    throw new WrongSolution(finding('no-neighbour', line, { rank: rank.rank, direction, operation: name }));
  return peer;
}

const OPERATIONS: Readonly<Record<string, Operation>> = {
  ...LOCAL,
  *loss_gradient(call) {
    const [y] = matrices(call, 1);
    return scaled(y, 2 / y.data.length);
  },
  *receive(call) {
    const peer = neighbour(call);
    const data = (yield* call.rank.receive(peer)) as Float64Array;
    return { rows: SIZE, columns: data.length / SIZE, data };
  },
  *send(call) {
    const peer = neighbour(call);
    const [a] = matrices({ ...call, args: call.args.slice(1) }, 1);
    if (a.rows !== SIZE)
      throw new WrongSolution(
        finding('shapes', call.line, { operation: call.name, left: shapeOf(a), right: `${SIZE}×${D}` }),
      );
    yield* call.rank.send(peer, a.data);
    return null;
  },
};

export function gradePipelineBackward(statements: readonly Statement[]): Grade {
  const weights = Array.from({ length: STAGES }, (_, stage) => randomMatrix(D, D, 10 + stage));
  const input = randomMatrix(B, D, 1);
  const passes = Array.from({ length: MICRO_BATCHES }, (_, m) => forward(rowsOf(input, m * SIZE, SIZE), weights));
  const run = runRanks(STAGES, function* (rank: Rank): Program<Matrix> {
    let gradient: Value = zeros(D, D);
    for (const pass of passes) {
      const names = new Map<string, Value>([
        ...Object.entries(pass[rank.rank]),
        ['w', weights[rank.rank]],
        ['gradient', gradient],
        ['micro_batches', MICRO_BATCHES],
        ['next', 'next'],
        ['previous', 'previous'],
      ]);
      yield* carryOut(rank, statements, OPERATIONS, names);
      gradient = result(names, 'gradient');
    }
    return gradient;
  });
  if ('code' in run) return run;
  const parts = passes.map(pass => backward(pass, weights));
  for (let stage = STAGES - 1; stage >= 0; stage--) {
    const wrong = stageFinding(
      run[stage],
      parts.map(part => part[stage]),
      stage,
      passes,
    );
    if (wrong !== null) return wrong;
  }
  return null;
}

type Pass = readonly Readonly<Record<'x' | 'z' | 'y', Matrix>>[];

function forward(input: Matrix, weights: readonly Matrix[]): Pass {
  let x = input;
  return weights.map(w => {
    const z = product(x, w);
    const layer = { x, z, y: gelu(z) };
    x = layer.y;
    return layer;
  });
}

/** Gradients of a micro-batch's own mean by stage. */
function backward(pass: Pass, weights: readonly Matrix[]): Matrix[] {
  const gradients: Matrix[] = [];
  const { y } = pass[STAGES - 1];
  let dy = scaled(y, 2 / y.data.length);
  for (let stage = STAGES - 1; stage >= 0; stage--) {
    const dz = geluSlope(dy, pass[stage].z);
    gradients[stage] = product(transposed(pass[stage].x), dz);
    dy = product(dz, transposed(weights[stage]));
  }
  return gradients;
}

function stageFinding(found: Matrix, parts: readonly Matrix[], stage: number, passes: readonly Pass[]): Finding | null {
  const total = parts.reduce(sum);
  const expected = scaled(total, 1 / MICRO_BATCHES);
  if (equals(found, expected)) return null;
  const last = parts[MICRO_BATCHES - 1];
  if (equals(found, scaled(last, 1 / MICRO_BATCHES)) || equals(found, last))
    return finding('last-micro-batch-only', null, { stage, microBatches: MICRO_BATCHES });
  if (equals(found, total)) return finding('not-averaged', null, { microBatches: MICRO_BATCHES });
  if (stage < STAGES - 1) return finding('earlier-stage', null, { stage, right: stage + 1 });
  const linear = passes
    .map(pass => product(transposed(pass[stage].x), scaled(pass[stage].y, 2 / (SIZE * D))))
    .reduce(sum);
  if (equals(found, scaled(linear, 1 / MICRO_BATCHES)))
    return finding('activation-skipped', null, { name: 'gradient' });
  return differs('gradient', found, expected, stage);
}

/**
 * The backward pass of a column-parallel layer, which the lecture leaves as homework: y = all-gather(gelu(x·Wᵢ)). Given x,
 * w = Wᵢ, z = x·Wᵢ and dy (of all columns) a rank must set dw, the gradient of its columns, and dx, that of the input.
 *
 * Legend: B rows, D columns, n ranks, Wᵢ (D, D/n).
 */
import type { Program, Rank } from '../collectives/communicator';
import { type Finding, finding, type Grade, WrongSolution } from './grade';
import { carryOut, LOCAL, matrices, type Operation, ownColumns, runRanks, type Value } from './interpreter';
import {
  columnsOf,
  difference,
  equals,
  geluSlope,
  type Matrix,
  product,
  randomMatrix,
  sameShape,
  scaled,
  shapeOf,
  sum,
  transposed,
} from './matrix';
import type { Statement } from './statements';

const [B, D, N] = [6, 8, 4];
const LOCAL_COLUMNS = D / N;
/** A gather of what is gathered already grows without end. */
const MOST_ELEMENTS = 4096;

const reduced = (reduction: 'sum' | 'average'): Operation =>
  function* (call) {
    const [a] = matrices(call, 1);
    return { ...a, data: (yield* call.rank.allReduce(a.data, { reduction })) as Float64Array };
  };

/** Columns of all ranks side by side: transposed, so that each rank's are contiguous. */
const gathered: Operation = function* (call) {
  const [a] = matrices(call, 1);
  if (a.data.length * call.rank.size > MOST_ELEMENTS)
    throw new WrongSolution(
      finding('shapes', call.line, { operation: call.name, left: shapeOf(a), right: shapeOf(a) }),
    );
  const data = (yield* call.rank.allGather(transposed(a).data)) as Float64Array;
  return transposed({ rows: a.columns * call.rank.size, columns: a.rows, data });
};

const OPERATIONS: Readonly<Record<string, Operation>> = {
  ...LOCAL,
  own_columns: ownColumns,
  all_reduce_sum: reduced('sum'),
  all_reduce_average: reduced('average'),
  all_gather: gathered,
};

export function gradeTensorBackward(statements: readonly Statement[]): Grade {
  const x = randomMatrix(B, D, 1);
  const whole = randomMatrix(D, D, 2);
  const dy = randomMatrix(B, D, 3);
  const weights = (rank: number) => columnsOf(whole, rank * LOCAL_COLUMNS, LOCAL_COLUMNS);
  const run = runRanks(N, function* (rank: Rank): Program<Record<'dw' | 'dx', Matrix>> {
    const w = weights(rank.rank);
    const names = new Map<string, Value>([
      ['x', x],
      ['w', w],
      ['z', product(x, w)],
      ['dy', dy],
    ]);
    yield* carryOut(rank, statements, OPERATIONS, names);
    return { dw: result(names, 'dw'), dx: result(names, 'dx') };
  });
  if ('code' in run) return run;
  const dz = geluSlope(dy, product(x, whole));
  const [dw, dx] = [product(transposed(x), dz), product(dz, transposed(whole))];
  const parts = run.map((_, rank) =>
    product(columnsOf(dz, rank * LOCAL_COLUMNS, LOCAL_COLUMNS), transposed(weights(rank))),
  );
  const slices = run.map((_, rank) => columnsOf(dw, rank * LOCAL_COLUMNS, LOCAL_COLUMNS));
  for (const [rank, found] of run.entries()) {
    const wrong =
      weightFinding(
        found.dw,
        slices,
        rank,
        product(transposed(x), columnsOf(dy, rank * LOCAL_COLUMNS, LOCAL_COLUMNS)),
      ) ?? inputFinding(found.dx, dx, parts[rank], rank);
    if (wrong !== null) return wrong;
  }
  return null;
}

export function result(names: ReadonlyMap<string, Value>, name: string): Matrix {
  const value = names.get(name);
  if (typeof value !== 'object') throw new WrongSolution(finding('missing-result', null, { name }));
  return value;
}

function weightFinding(found: Matrix, slices: readonly Matrix[], rank: number, linear: Matrix): Finding | null {
  const expected = slices[rank];
  if (equals(found, expected)) return null;
  if (equals(found, linear)) return finding('activation-skipped', null, { name: 'dw' });
  if (equals(found, slices.reduce(sum))) return finding('weight-gradient-reduced', null);
  return differs('dw', found, expected, rank);
}

function inputFinding(found: Matrix, expected: Matrix, part: Matrix, rank: number): Finding | null {
  if (equals(found, expected)) return null;
  if (equals(found, part)) return finding('input-gradient-partial', null, { rank, ranks: N });
  if (equals(found, scaled(expected, 1 / N))) return finding('input-gradient-averaged', null, { ranks: N });
  return differs('dx', found, expected, rank);
}

export function differs(name: string, found: Matrix, expected: Matrix, rank: number): Finding {
  return finding('differs', null, {
    name,
    rank,
    found: shapeOf(found),
    expected: shapeOf(expected),
    difference: sameShape(found, expected) ? difference(found, expected) : null,
  });
}

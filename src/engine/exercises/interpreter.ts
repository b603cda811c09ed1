/** Carries out the statements of one rank on the simulated mesh. Only the operations of the exercise exist. */
import type { Program, Rank } from '../collectives/communicator';
import type { Diagnosis } from '../collectives/diagnosis';
import { runWorld } from '../collectives/world';
import { type Finding, finding, WrongSolution } from './grade';
import { columnsOf, geluSlope, type Matrix, product, sameShape, scaled, shapeOf, sum, transposed } from './matrix';
import type { Expression, Guard, Statement } from './statements';

export type Value = Matrix | number | 'next' | 'previous';

/** What an operation gets: its arguments carried out, and where it stands. */
export interface Call {
  readonly rank: Rank;
  readonly line: number;
  readonly name: string;
  readonly args: readonly Value[];
}

export type Operation = (call: Call) => Program<Matrix | null>;

const isMatrix = (value: Value | undefined): value is Matrix => typeof value === 'object';

const wrong = (found: Finding) => new WrongSolution(found);

/** The matrices that a call has, exactly `count` of them and nothing else. */
export function matrices({ name, line, args }: Call, count: number): Matrix[] {
  const list = args.filter(isMatrix);
  if (list.length !== count || args.length !== count)
    throw wrong(finding('arguments', line, { operation: name, expected: count }));
  return list;
}

function shapes({ name, line }: Call, holds: boolean, a: Matrix, b: Matrix): void {
  if (!holds) throw wrong(finding('shapes', line, { operation: name, left: shapeOf(a), right: shapeOf(b) }));
}

/** An operation that needs no other rank. */
const local = (compute: (call: Call) => Matrix): Operation =>
  function* (call) {
    return compute(call);
  };

export const LOCAL: Readonly<Record<string, Operation>> = {
  matmul: local(call => {
    const [a, b] = matrices(call, 2);
    shapes(call, a.columns === b.rows, a, b);
    return product(a, b);
  }),
  transpose: local(call => transposed(matrices(call, 1)[0])),
  add: local(call => {
    const [a, b] = matrices(call, 2);
    shapes(call, sameShape(a, b), a, b);
    return sum(a, b);
  }),
  gelu_backward: local(call => {
    const [dy, z] = matrices(call, 2);
    shapes(call, sameShape(dy, z), dy, z);
    return geluSlope(dy, z);
  }),
  divide: local(({ name, line, args }) => {
    const [a, by] = args;
    if (!isMatrix(a) || typeof by !== 'number' || args.length !== 2 || by === 0)
      throw wrong(finding('arguments', line, { operation: name, expected: 2 }));
    return scaled(a, 1 / by);
  }),
};

/** The columns of a matrix that belong to the rank. */
export const ownColumns: Operation = local(call => {
  const [a] = matrices(call, 1);
  const count = Math.floor(a.columns / call.rank.size);
  return columnsOf(a, call.rank.rank * count, count);
});

/** Runs all statements once; names and results are kept in `names`. */
export function* carryOut(
  rank: Rank,
  statements: readonly Statement[],
  operations: Readonly<Record<string, Operation>>,
  names: Map<string, Value>,
): Program<void> {
  for (const { line, guard, target, value } of statements) {
    if (!applies(guard, rank)) continue;
    const result = yield* evaluate(rank, line, value, operations, names);
    if (target !== null && result !== null) names.set(target, result);
    else if (target !== null) throw wrong(finding('missing-result', line, { name: target }));
  }
}

function applies(guard: Guard | null, { rank, size }: Rank): boolean {
  switch (guard) {
    case null:
      return true;
    case 'first':
      return rank === 0;
    case 'last':
      return rank === size - 1;
    case 'not first':
      return rank > 0;
    case 'not last':
      return rank < size - 1;
  }
}

function* evaluate(
  rank: Rank,
  line: number,
  expression: Expression,
  operations: Readonly<Record<string, Operation>>,
  names: ReadonlyMap<string, Value>,
): Program<Value | null> {
  if (expression.kind === 'number') return expression.value;
  const { name } = expression;
  if (expression.kind === 'name') {
    const value = names.get(name);
    if (value === undefined) throw wrong(finding('unknown-name', line, { name }));
    return value;
  }
  if (!Object.hasOwn(operations, name))
    throw wrong(finding('unknown-operation', line, { operation: name, known: Object.keys(operations).join(', ') }));
  const args: Value[] = [];
  for (const argument of expression.args) {
    const value = yield* evaluate(rank, line, argument, operations, names);
    if (value === null) throw wrong(finding('arguments', line, { operation: name, expected: expression.args.length }));
    args.push(value);
  }
  return yield* operations[name]({ rank, line, name, args });
}

function deadlock(found: Diagnosis): Finding {
  switch (found.code) {
    case 'unmatched-send':
    case 'unmatched-receive':
      return finding('deadlock', null, { kind: found.code, from: found.from, to: found.to });
    case 'missing-rank':
      return finding('deadlock', null, { kind: found.code, from: found.present[0], to: found.missing[0].rank });
    default:
      return finding('deadlock', null, { kind: found.code });
  }
}

/** Runs a program on all ranks: what they return, or the finding that stopped them. */
export function runRanks<T>(ranks: number, program: (rank: Rank) => Program<T>): readonly T[] | Finding {
  try {
    const { results, diagnosis } = runWorld({ ranks, program });
    if (diagnosis === null) return results as readonly T[];
    return deadlock(diagnosis[0]);
  } catch (error) {
    if (error instanceof WrongSolution) return error.found;
    throw error;
  }
}

/** Small matrices in double precision, and what the graders compare. */
import { geluBackward, geluForward } from '../trainer/pointwise';
import { normal } from '../trainer/random';

/** Row by row. */
export interface Matrix {
  readonly rows: number;
  readonly columns: number;
  readonly data: Float64Array;
}

export const matrix = (rows: number, columns: number, at: (row: number, column: number) => number): Matrix => ({
  rows,
  columns,
  data: Float64Array.from({ length: rows * columns }, (_, i) => at(Math.floor(i / columns), i % columns)),
});

export const randomMatrix = (rows: number, columns: number, stream: number): Matrix =>
  matrix(rows, columns, (row, column) => normal(1, stream, row * columns + column));

export const shapeOf = ({ rows, columns }: Matrix): string => `${rows}×${columns}`;

export function product(a: Matrix, b: Matrix): Matrix {
  return matrix(a.rows, b.columns, (row, column) => {
    let sum = 0;
    for (let k = 0; k < a.columns; k++) sum += a.data[row * a.columns + k] * b.data[k * b.columns + column];
    return sum;
  });
}

export const transposed = (a: Matrix): Matrix =>
  matrix(a.columns, a.rows, (row, column) => a.data[column * a.columns + row]);

export const scaled = (a: Matrix, factor: number): Matrix => ({ ...a, data: a.data.map(value => value * factor) });

export const sum = (a: Matrix, b: Matrix): Matrix => ({ ...a, data: a.data.map((value, i) => value + b.data[i]) });

/** Columns first … first + count − 1. */
export const columnsOf = (a: Matrix, first: number, count: number): Matrix =>
  matrix(a.rows, count, (row, column) => a.data[row * a.columns + first + column]);

export const rowsOf = (a: Matrix, first: number, count: number): Matrix => ({
  rows: count,
  columns: a.columns,
  data: a.data.slice(first * a.columns, (first + count) * a.columns),
});

export function gelu(z: Matrix): Matrix {
  const data = new Float64Array(z.data.length);
  geluForward(data, z.data);
  return { ...z, data };
}

export function geluSlope(dy: Matrix, z: Matrix): Matrix {
  const data = new Float64Array(z.data.length);
  geluBackward(data, dy.data, z.data);
  return { ...z, data };
}

export const zeros = (rows: number, columns: number): Matrix => matrix(rows, columns, () => 0);

export const sameShape = (a: Matrix, b: Matrix): boolean => a.rows === b.rows && a.columns === b.columns;

/** Largest difference relative to the largest expected value. */
export function difference(found: Matrix, expected: Matrix): number {
  const largest = expected.data.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1;
  return expected.data.reduce((most, value, i) => Math.max(most, Math.abs(value - found.data[i])), 0) / largest;
}

/** Rounding of sums in another order, far under any mistake. */
const TOLERANCE = 1e-12;

export const equals = (found: Matrix, expected: Matrix): boolean =>
  sameShape(found, expected) && difference(found, expected) <= TOLERANCE;

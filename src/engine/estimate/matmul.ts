/**
 * Time of a matrix product by its own shape.
 *
 * Legend: (m×k)·(k×n), `batch` of them; a tile is the part of the result that one SM makes at a time, a wave is one tile
 * on every SM. efficiency = ceiling · waves/⌈waves⌉ · K/(K + K₀) · alignment, the best over tiles and split-K, and
 * never faster than memory allows: t = max(FLOPs / (peak · efficiency), bytes / bandwidth).
 */
import type { MatmulShape } from '../model/operator';
import { matmulBytes, matmulFlops } from '../model/operator';

/** Rows, columns and the share of the ceiling that kernels with this tile reach. */
const TILES = [
  [128, 256, 1],
  [256, 128, 1],
  [128, 192, 0.98],
  [192, 128, 0.98],
  [128, 128, 0.92],
  [64, 128, 0.72],
  [64, 64, 0.5],
] as const;

const SPLITS = [1, 2, 4, 8] as const;
const SPLIT_SHARE = 0.93;
/** Below this depth a split is not worth its reduction. */
const SHALLOWEST_SPLIT = 256;

/** By the largest power of two that divides n and k: below 8 elements (16 bytes) vectorised loads are lost. */
const MISALIGNMENT = [7, 5, 3, 1, 0] as const;

/** What of a product does not depend on fitted constants. */
export interface MatmulWork {
  readonly flops: number;
  readonly bytes: number;
  /** Weight of the misalignment of n and k, 0 where both are multiples of 16 elements. */
  readonly misalignment: number;
  /** Choices of tile and split that can be best: share of the ceiling by occupation, then depth; pairs. */
  readonly choices: readonly number[];
}

export interface MatmulRate {
  readonly flopsPerSecond: number;
  readonly halfK: number;
  readonly memoryBytesPerSecond: number;
  /** Factor for a unit of misalignment. */
  readonly alignment: number;
}

/** A search meets the same shapes under many plans; the count of a shape never changes. */
const counted = new Map<string, MatmulWork>();
const MOST_COUNTED = 50_000;

/** `sms`: multiprocessors; null where waves of tiles do not apply. */
export function matmulWork(shape: MatmulShape, sms: number | null): MatmulWork {
  const key = `${shape.m},${shape.n},${shape.k},${shape.batch},${sms}`;
  let work = counted.get(key);
  if (work === undefined) {
    work = countMatmul(shape, sms);
    if (counted.size >= MOST_COUNTED) counted.clear();
    counted.set(key, work);
  }
  return work;
}

function countMatmul(shape: MatmulShape, sms: number | null): MatmulWork {
  return {
    flops: matmulFlops(shape),
    bytes: matmulBytes(shape),
    misalignment: MISALIGNMENT[Math.min(4, powersOfTwo(shape.n), powersOfTwo(shape.k))],
    choices: sms === null ? [1, shape.k] : tileChoices(shape, sms),
  };
}

/** Seconds of a product at a device's rate. */
export function matmulSeconds(work: MatmulWork, rate: MatmulRate): number {
  if (work.flops === 0) return 0;
  const { choices } = work;
  let best = 0;
  for (let i = 0; i < choices.length; i += 2) {
    const depth = choices[i + 1];
    const efficiency = (choices[i] * depth) / (depth + rate.halfK);
    if (efficiency > best) best = efficiency;
  }
  const aligned = work.misalignment === 0 ? 1 : rate.alignment ** work.misalignment;
  return Math.max(work.flops / (rate.flopsPerSecond * best * aligned), work.bytes / rate.memoryBytesPerSecond);
}

function tileChoices({ m, n, k, batch }: MatmulShape, sms: number): number[] {
  const all: [number, number][] = [];
  for (const [rows, columns, share] of TILES) {
    const tiles = Math.ceil(m / rows) * Math.ceil(n / columns) * batch;
    const useful = (m / rows) * (n / columns) * batch;
    for (const split of SPLITS) {
      if (split > 1 && k / split < SHALLOWEST_SPLIT) break;
      const occupied = (useful * split) / (Math.ceil((tiles * split) / sms) * sms);
      all.push([occupied * share * (split === 1 ? 1 : SPLIT_SHARE), k / split]);
    }
  }
  // Only those that no other beats in both.
  const kept = all.filter(
    ([share, depth], i) => !all.some(([s, d], j) => s >= share && d >= depth && (s > share || d > depth || j < i)),
  );
  return kept.flat();
}

function powersOfTwo(value: number): number {
  let count = 0;
  for (let rest = Math.round(value); rest > 0 && rest % 2 === 0 && count < 6; rest /= 2) count++;
  return count;
}

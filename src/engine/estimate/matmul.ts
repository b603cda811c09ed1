/**
 * Time of a matrix product by its own shape.
 *
 * Legend: (m×k)·(k×n), `batch` of them; a tile is the part of the result that one SM makes at a time, a wave is one tile
 * on every SM. efficiency = ceiling · waves/⌈waves⌉ · K/(K + K₀) · alignment, the best over tiles and split-K, and
 * never faster than memory allows: t = max(FLOPs / (peak · efficiency), bytes / bandwidth).
 */
import type { MatmulShape } from '../model/operators';
import { matmulBytes, matmulFlops } from '../model/operators';

export interface MatmulDevice {
  readonly peakFlopsPerSecond: number;
  /** Share of the peak that large products sustain. */
  readonly ceiling: number;
  readonly halfK: number;
  /** null where waves of tiles do not apply. */
  readonly sms: number | null;
  readonly memoryBytesPerSecond: number;
  readonly alignmentLoss: number;
}

/** Rows, columns and the share of the ceiling that kernels with this tile reach. */
const TILES = [
  [128, 256, 1],
  [256, 128, 1],
  [128, 128, 0.92],
  [64, 128, 0.72],
  [64, 64, 0.5],
] as const;

const SPLITS = [1, 2, 4, 8] as const;
const SPLIT_SHARE = 0.93;
/** Below this depth a split is not worth its reduction. */
const SHALLOWEST_SPLIT = 256;

export function matmulSeconds(shape: MatmulShape, device: MatmulDevice): number {
  const flops = matmulFlops(shape);
  if (flops === 0) return 0;
  const rate =
    device.peakFlopsPerSecond *
    device.ceiling *
    shapeEfficiency(shape, device) *
    alignment(shape, device.alignmentLoss);
  return Math.max(flops / rate, matmulBytes(shape) / device.memoryBytesPerSecond);
}

/** Tiles, waves and the ramp in K: the share of the ceiling that this shape can reach. */
export function shapeEfficiency(
  { m, n, k, batch }: MatmulShape,
  { sms, halfK }: Pick<MatmulDevice, 'sms' | 'halfK'>,
): number {
  if (sms === null) return k / (k + halfK);
  let best = 0;
  for (const [rows, columns, share] of TILES) {
    const tiles = Math.ceil(m / rows) * Math.ceil(n / columns) * batch;
    const useful = (m / rows) * (n / columns) * batch;
    for (const split of SPLITS) {
      if (split > 1 && k / split < SHALLOWEST_SPLIT) break;
      const depth = k / split;
      const occupied = (useful * split) / (Math.ceil((tiles * split) / sms) * sms);
      const efficiency = occupied * share * (split === 1 ? 1 : SPLIT_SHARE) * (depth / (depth + halfK));
      if (efficiency > best) best = efficiency;
    }
  }
  return best;
}

/** Dimensions that are no multiple of 16 elements lose vectorised loads: a factor for each halving below. */
function alignment({ n, k }: MatmulShape, loss: number): number {
  const halvings = 4 - Math.min(4, powersOfTwo(n), powersOfTwo(k));
  return Math.exp(-loss * halvings);
}

function powersOfTwo(value: number): number {
  let count = 0;
  for (let rest = Math.round(value); rest > 0 && rest % 2 === 0 && count < 6; rest /= 2) count++;
  return count;
}

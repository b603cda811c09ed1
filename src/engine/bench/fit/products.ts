/**
 * The cost model's product (estimate/matmul.ts) fitted to measured ones: t = c + max(F / (R·s·d/(d + K)), bytes / B), where
 *
 *   c  seconds of a launch          F, bytes  the product's operations and traffic
 *   R  rate of deep full products   s, d      share of a wave's tiles in use and depth of the best tiling
 *   K  depth of half the rate       B         bandwidth of the device's memory (its datasheet's)
 *
 * Micro-benchmarks run cooler than steps, so that what is found describes the device and moves no constant.
 */
import { matmulSeconds, matmulWork } from '../../estimate/matmul';
import type { ProductRecord } from '../records';
import { leastSquares } from './leastSquares';

export interface ProductFit {
  readonly shapes: number;
  readonly flopsPerSecond: number;
  readonly halfK: number;
  readonly launchSeconds: number;
  /** Standard deviations, as shares. */
  readonly rateUncertainty: number;
  readonly halfUncertainty: number;
  /** Median of |predicted / measured − 1|. */
  readonly medianError: number;
}

export interface ProductDevice {
  readonly sms: number | null;
  readonly memoryBytesPerSecond: number;
}

const SIGMA = 0.03;
const FEWEST = 5;
/** What is known of any device before: products of less depth than this are slow. */
const HALF_K = { prior: 250, spread: 1.5 };
const LAUNCH = { prior: 5e-6, spread: 2 };
const NO_DEVICE: ProductDevice = { sms: null, memoryBytesPerSecond: Infinity };

/** null with fewer than five shapes, which leave the curve open. */
export function fitProducts(records: readonly ProductRecord[], device: ProductDevice = NO_DEVICE): ProductFit | null {
  const shapes = new Set(records.map(({ m, k, n }) => `${m} ${k} ${n}`)).size;
  if (shapes < FEWEST) return null;
  const works = records.map(({ m, k, n }) => matmulWork({ m, k, n, batch: 1 }, device.sms));
  const fastest = Math.max(...works.map(({ flops }, i) => flops / records[i].seconds));
  const { constants, residuals } = leastSquares(
    [
      { name: 'rate', prior: fastest, spread: Infinity },
      { name: 'halfK', ...HALF_K },
      { name: 'launch', ...LAUNCH },
    ],
    ([flopsPerSecond, halfK, launch]) => {
      const rate = { flopsPerSecond, halfK, alignment: 1, memoryBytesPerSecond: device.memoryBytesPerSecond };
      return works.map((work, i) => Math.log((launch + matmulSeconds(work, rate)) / records[i].seconds));
    },
    SIGMA,
  );
  const [rate, half, launch] = constants;
  const errors = residuals.map(r => Math.abs(Math.exp(r) - 1)).sort((a, b) => a - b);
  return {
    shapes,
    flopsPerSecond: rate.value,
    halfK: half.value,
    launchSeconds: launch.value,
    rateUncertainty: rate.uncertainty,
    halfUncertainty: half.uncertainty,
    medianError: errors[errors.length >> 1] ?? 0,
  };
}

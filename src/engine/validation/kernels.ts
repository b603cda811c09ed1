/**
 * Single kernels against published measurements: products by shape (constants fitted on half of a device's shapes,
 * judged on the other half), and whole layers priced with the product's own constants.
 *
 * Micro-benchmarks run cool and reach a higher ceiling than steps sustain, so their constants are not the product's.
 */
import { accelerator, isAcceleratorId } from '../hardware/accelerators';
import { deviceRates } from '../estimate/device';
import { matmulSeconds, type MatmulWork, matmulWork } from '../estimate/matmul';
import type { Row } from './pack';
import { groupBy, median } from './statistics';

interface ProductRow {
  readonly key: string;
  readonly work: MatmulWork;
  readonly peak: number;
  readonly memoryBytesPerSecond: number;
  readonly seconds: number;
}

/** Constants of one device and dtype on a micro-benchmark. */
export interface ProductConstants {
  readonly ceiling: number;
  readonly halfK: number;
  readonly memoryShare: number;
  readonly launchSeconds: number;
}

export interface ProductScore {
  readonly shapes: number;
  readonly constants: ProductConstants;
  /** Median |error| on the half that was not fitted. */
  readonly medianError: number;
}

const FEWEST_SHAPES = 10;

/** By device and dtype with at least ten shapes: even rows are fitted, odd rows judged. */
export function scoreProducts(rows: readonly Row[]): Record<string, ProductScore> {
  const known = rows.flatMap(readProduct);
  const scores: Record<string, ProductScore> = {};
  for (const [key, list] of groupBy(known, row => row.key)) {
    if (list.length < FEWEST_SHAPES) continue;
    const constants = fitProducts(list.filter((_, i) => i % 2 === 0));
    const unseen = list.filter((_, i) => i % 2 === 1);
    const errors = unseen.map(row => Math.abs(predict(row, constants) / row.seconds - 1));
    scores[key] = { shapes: list.length, constants, medianError: median(errors) };
  }
  return scores;
}

/** Rows of the best shape found (MAMF) are ceilings, not shapes to predict. */
function readProduct(row: Row): ProductRow[] {
  const [m, n, k, teraflops] = [row.M, row.N, row.K, row.tflops].map(Number);
  if (!isAcceleratorId(row.gpu_id) || m === 0 || k === 0 || /best shape|Triton tutorial/.test(row.notes)) return [];
  const entry = accelerator(row.gpu_id);
  const rates = deviceRates(row.gpu_id, entry);
  const peak = row.dtype.startsWith('fp8') ? rates.peak8 : row.dtype.startsWith('bf16') ? rates.peak16 : rates.peak4;
  if (peak === null) return [];
  const work = matmulWork({ m, n, k, batch: Number(row.groups) || 1 }, rates.sms);
  const bytes = row.dtype.startsWith('bf16') ? work.bytes : work.bytes / 2;
  return [
    {
      key: `${row.gpu_id} ${row.dtype.split(' ')[0]}`,
      work: { ...work, bytes },
      peak,
      memoryBytesPerSecond: rates.memoryBytesPerSecond,
      seconds: work.flops / (teraflops * 1e12),
    },
  ];
}

function predict(row: ProductRow, { ceiling, halfK, memoryShare, launchSeconds }: ProductConstants): number {
  const rate = {
    flopsPerSecond: row.peak * ceiling,
    halfK,
    memoryBytesPerSecond: row.memoryBytesPerSecond * memoryShare,
    alignment: 0.9,
  };
  return launchSeconds + matmulSeconds(row.work, rate);
}

const STARTS = [0.55, 0.65, 0.75, 0.85].flatMap(ceiling => [100, 300].map(halfK => ({ ceiling, halfK })));

/** The constants with the smallest mean |log error|, by rounds of a search along each from several starts. */
function fitProducts(rows: readonly ProductRow[]): ProductConstants {
  const loss = (constants: ProductConstants) =>
    rows.reduce((sum, row) => sum + Math.abs(Math.log(predict(row, constants) / row.seconds)), 0);
  const fits = STARTS.map(start => search({ ...start, memoryShare: 0.8, launchSeconds: 2e-6 }, loss));
  return fits.reduce((best, next) => (loss(next) < loss(best) ? next : best));
}

function search(start: ProductConstants, loss: (constants: ProductConstants) => number): ProductConstants {
  let best = start;
  for (let width = 1.5; width > 1.005; width = 1 + (width - 1) * 0.9) {
    for (const key of ['ceiling', 'halfK', 'memoryShare', 'launchSeconds'] as const) {
      for (const factor of [width, 1 / width]) {
        const moved = { ...best, [key]: best[key] * factor };
        if (moved.ceiling <= 1 && moved.memoryShare <= 1 && loss(moved) < loss(best)) best = moved;
      }
    }
  }
  return best;
}

/** mamf-finder: shapes M×N×K with TFLOPS (stas00/ml-engineering, compute/accelerator/benchmarks/mamf-finder.py). */
import type { Importer } from './importer';

const OLD_ROW = /\b(\d+(?:\.\d+)?) ?TFLOPS @ (\d+)x(\d+)x(\d+) \(MxNxK\)/;
/** One row a shape: number, shape, then mean, median and most TFLOPS. */
const ROW = /^\s*\d+\s+(\d+)x(\d+)x(\d+)\s+([\d.]+)\s+([\d.]+)\s+([\d.]+)\b/;
const MIDDLE_ROW =
  /\b(\d+(?:\.\d+)?)\(mean\)\s+(\d+(?:\.\d+)?)\(median\)\s+(\d+(?:\.\d+)?)\(max\) TFLOPS? ?\|? ?@? ?(\d+)x(\d+)x(\d+)/;
const DTYPE = /^\*\* Dtype: (?:torch\.)?(\w+)/;

export const MAMF: Importer = {
  format: 'mamf-finder',
  sign: /TFLOPS @ \d+x\d+x\d+ \(MxNxK\)|^\s*#\s+MxNxK\s+mean|^\*\* Dtype: /,
  read(lines, found) {
    let dtype: string | null = null;
    for (const line of lines) {
      dtype = DTYPE.exec(line.text)?.[1] ?? dtype;
      const old = OLD_ROW.exec(line.text);
      const row = ROW.exec(line.text);
      const middle = MIDDLE_ROW.exec(line.text);
      const cells =
        old !== null
          ? [old[2], old[3], old[4], old[1]]
          : row !== null
            ? [row[1], row[2], row[3], row[5]]
            : middle !== null
              ? [middle[4], middle[5], middle[6], middle[2]]
              : null;
      if (cells === null) {
        if (/\dx\d+x\d/.test(line.text) && /TFLOPS|^\s*\d+\s+\d+x/.test(line.text))
          found.broken(line, 'shape-and-tflops-expected');
        continue;
      }
      const [m = 0, n = 0, k = 0, tflops = 0] = cells.map(Number);
      if (!(m > 0 && n > 0 && k > 0 && tflops > 0)) found.broken(line, 'shape-and-tflops-expected');
      else
        found.add({ kind: 'product', line: line.number, m, k, n, dtype, seconds: (2 * m * n * k) / (tflops * 1e12) });
    }
  },
};

/**
 * Rotary positions (Su et al., arXiv 2104.09864, equation 34) on heads of width d, halves rotated against each other
 * as Llama's implementation in transformers does.
 *
 * Rows are tokens, position-major: row r is position `start + ⌊r / b⌋`.
 */
import type { Real } from './heap';

const BASE = 10000;

/** Turns every head of every row; `direction` −1 turns back, which is the backward pass. */
export function rotate(
  x: Real,
  { b, heads, d, start }: { b: number; heads: number; d: number; start: number },
  direction: 1 | -1,
): void {
  const width = heads * d;
  const half = d / 2;
  for (let r = 0; r < x.length / width; r++) {
    const position = start + Math.floor(r / b);
    for (let i = 0; i < half; i++) {
      const angle = position * BASE ** (-i / half);
      const cos = Math.cos(angle);
      const sin = direction * Math.sin(angle);
      for (let at = r * width + i; at < (r + 1) * width; at += d) {
        const [p, q] = [x[at], x[at + half]];
        x[at] = p * cos - q * sin;
        x[at + half] = p * sin + q * cos;
      }
    }
  }
}

/**
 * Makespans of unequal stages without simulation.
 *
 * Legend: p stages, m micro-batches, v chunks a stage; f_k, b_k seconds of a forward and a whole backward pass on stage
 * k; w_k = min(m, p − k) forwards that stage k runs before its first backward.
 */
interface PassTimes {
  readonly forward: Float64Array;
  readonly backwardInput: Float64Array;
  readonly backwardWeight: Float64Array;
}

/**
 * 1F1B (Narayanan et al., arXiv 2104.04473, section 2.2), as the longest path through its passes. A path enters stage
 * k after the stages before it, waits R_k until its first backward, alternates m − w_k times, and drains through S_k:
 *   R_k = max(w_k·f_k, f_k + R_{k+1} + b_{k+1}),  S_k = max(w_k·b_k, b_k + f_{k+1} + S_{k+1}),
 *   makespan = max over k of Σ_{i<k}(f_i + b_i) + R_k + (m − w_k)(f_k + b_k) + S_k.
 */
export function oneForwardOneBackward(p: number, m: number, times: PassTimes): number {
  const { forward, backwardInput, backwardWeight } = times;
  let total = 0;
  for (let k = 0; k < p; k++) total += forward[k] + backwardInput[k] + backwardWeight[k];
  let rise = 0;
  let drain = 0;
  let after = 0;
  let best = 0;
  let nextForward = 0;
  let nextBackward = 0;
  for (let k = p - 1; k >= 0; k--) {
    const f = forward[k];
    const b = backwardInput[k] + backwardWeight[k];
    const w = Math.min(m, p - k);
    rise = Math.max(w * f, f + rise + nextBackward);
    drain = Math.max(w * b, b + nextForward + drain);
    after += f + b;
    // With fewer micro-batches than warm-up forwards a path turns once, not twice.
    const path = m > p - k ? rise + (m - w) * (f + b) + drain : Math.max(rise + m * b, m * f + drain);
    best = Math.max(best, total - after + path);
    nextForward = f;
    nextBackward = b;
  }
  return best;
}

/**
 * Interleaved 1F1B: the slowest stage's work, and the ramp of the others over v chunks; exact for equal stages where p
 * divides m. A last round that is not full costs the micro-batches that it lacks, in chunks.
 */
export function interleavedMakespan(p: number, m: number, v: number, times: PassTimes): number {
  const { forward, backwardInput, backwardWeight } = times;
  let total = 0;
  let slowest = 0;
  for (let k = 0; k < p; k++) {
    const busy = forward[k] + backwardInput[k] + backwardWeight[k];
    total += busy;
    if (busy > slowest) slowest = busy;
  }
  const lacking = m % p === 0 ? 0 : (p - (m % p)) * (v - 1);
  return m * slowest + (total - slowest + lacking * slowest) / v;
}

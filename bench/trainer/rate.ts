/** GFLOP/s of the fastest calls that fit into so many seconds, after calls to warm up. */
export function rate(flops: number, seconds: number, call: () => void): number {
  const calls = Math.max(1, Math.round(8e6 / flops));
  const end = performance.now() + 1000 * seconds;
  let best = Infinity;
  for (let turn = 0; turn < 4 || performance.now() < end; turn++) {
    const start = performance.now();
    for (let i = 0; i < calls; i++) call();
    best = Math.min(best, (performance.now() - start) / calls);
  }
  return flops / best / 1e6;
}

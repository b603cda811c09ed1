/**
 * Buckets of gradients in data parallelism: the last one cannot hide under the backward pass, and each costs a call.
 *
 * Legend: s gradient bytes of a rank, n_b buckets, w bytes/s at which gradients are reduced, o seconds of overhead a
 * call. Source: CS336 assignment 2, bucketed data parallelism: computing a bucket takes as long as reducing it.
 */
export interface BucketInput {
  readonly gradientBytes: number;
  readonly bytesPerSecond: number;
  readonly callSeconds: number;
}

/** Communication that stays visible after the backward pass: s/(n_b·w) + n_b·o. */
export function exposedSeconds({ gradientBytes, bytesPerSecond, callSeconds }: BucketInput, buckets: number): number {
  return gradientBytes / (buckets * bytesPerSecond) + buckets * callSeconds;
}

/** The size of a bucket at which the least stays visible: √(s·w·o) bytes, from n_b = √(s/(w·o)). */
export function bestBucketBytes({ gradientBytes, bytesPerSecond, callSeconds }: BucketInput): number {
  return Math.min(gradientBytes, Math.sqrt(gradientBytes * bytesPerSecond * callSeconds));
}

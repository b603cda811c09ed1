/**
 * The best size of a bucket of gradients, where each bucket's all-reduce overlaps the rest of the backward pass.
 * `bucket_bytes = …` is graded by a timeline: the backward pass takes as long as all communication, gradients become ready
 * evenly, and each call costs an overhead that nothing hides (CS336 assignment 2, section on bucketing).
 *
 * Legend: s bytes of all gradients, w bytes a second of the all-reduce, o seconds a call, n buckets.
 * The exposed time is s/(n·w) + n·o, least where a bucket has √(s·w·o) bytes.
 */
import { finding, type Grade } from './grade';
import type { Statement } from './statements';

export const BUCKETS = { bytes: 8e9, bytesPerSecond: 1e11, overheadSeconds: 50e-6 };

/** Above the least exposed time, this much is as good. */
const SLACK = 1.02;

/** Seconds by which a step with buckets of this size is longer than its backward pass alone: from a timeline. */
export function exposedSeconds(bucketBytes: number): number {
  const { bytes, bytesPerSecond, overheadSeconds } = BUCKETS;
  const count = Math.ceil(bytes / bucketBytes);
  const backward = bytes / bytesPerSecond;
  let [compute, network, left] = [0, 0, bytes];
  for (let i = 0; i < count; i++) {
    const size = Math.min(bucketBytes, left);
    left -= size;
    compute += (backward * size) / bytes + overheadSeconds;
    network = Math.max(network, compute) + size / bytesPerSecond;
  }
  return network - backward;
}

export function gradeBucketSize(statements: readonly Statement[]): Grade {
  const statement = statements.find(({ target }) => target === 'bucket_bytes');
  if (statement === undefined) return finding('missing-result', null, { name: 'bucket_bytes' });
  const { line, value } = statement;
  const answer = value.kind === 'number' ? value.value : NaN;
  // A bucket smaller than this has millions of calls.
  const { bytes, bytesPerSecond, overheadSeconds } = BUCKETS;
  const best = Math.sqrt(bytes * bytesPerSecond * overheadSeconds);
  if (!(answer > 0)) return finding('arguments', line, { operation: 'bucket_bytes', expected: 1 });
  const near = (wanted: number) => answer > wanted / 1.3 && answer < wanted * 1.3;
  if (near(bytes / best)) return finding('count-not-bytes', line, { count: answer });
  if (near(best / 1e6)) return finding('megabytes', line, { megabytes: answer });
  const least = exposedSeconds(best);
  if (answer >= bytes) return finding('one-bucket', line, { exposedSeconds: exposedSeconds(bytes), least });
  const exposed = exposedSeconds(Math.max(answer, 1e4));
  if (exposed <= SLACK * least) return null;
  const args = { calls: Math.ceil(bytes / answer), exposedSeconds: exposed, least };
  return finding(answer < best ? 'bucket-small' : 'bucket-large', line, args);
}

/**
 * DualPipe (DeepSeek-V3 report, arXiv 2412.19437, section 3.2.1) and DualPipeV, its half ("cut-in-half", Sea AI Lab),
 * in the eight phases of deepseek-ai/DualPipe at 3da1bbe. Two streams of micro-batches meet on each stage: in DualPipe
 * one from each end of the pipeline, in DualPipeV the same micro-batches on their way there and on their way back.
 *
 * Legend: p stages, m micro-batches; near is the stream that reaches a stage first, far the other one; distance counts
 * the stages between this one and where the streams turn or meet (0 there), `edge` those between it and the near end.
 */
import { B, BW, F, F_JOINED, OrderWriter, W, type Order } from '../order';
import { placement } from '../placement';

const NEAR = 0;
const FAR = 1;
type Stream = typeof NEAR | typeof FAR;

/** Each stage holds chunk 0 of the way down (micro-batches 0 … m/2 − 1) and chunk 1 of the way up (the others). */
export function dualPipe(stages: number, microBatches: number): Order {
  const writer = new OrderWriter(placement(stages, 2, 'v', 2), microBatches, 3);
  const half = microBatches / 2;
  for (let stage = 0; stage < stages; stage++) {
    const isDown = stage < stages / 2;
    const edge = isDown ? stage : stages - 1 - stage;
    const chunkOf = (stream: Stream) => (isDown ? stream : 1 - stream);
    new Streams(writer, stage, chunkOf, chunk => chunk * half).run(half, edge, stages / 2 - 1 - edge);
  }
  return writer.finish('dualpipe');
}

/** Each stage holds chunk 0 on the way to the last stage and chunk 1 on the way back. */
export function dualPipeV(stages: number, microBatches: number): Order {
  const writer = new OrderWriter(placement(stages, 2, 'v'), microBatches, 3);
  for (let stage = 0; stage < stages; stage++) {
    const chunkOf = (stream: Stream) => stream;
    new Streams(writer, stage, chunkOf, () => 0).run(microBatches, stage, stages - 1 - stage);
  }
  return writer.finish('dualpipe-v');
}

/** The passes of one stage: the next forward and backward of each stream, and the W put off. */
class Streams {
  private readonly forwards = [0, 0];
  private readonly backwards = [0, 0];
  private readonly deferred: { microBatch: number; chunk: number }[] = [];
  private nextDeferred = 0;

  constructor(
    private readonly writer: OrderWriter,
    private readonly stage: number,
    private readonly chunkOf: (stream: Stream) => number,
    private readonly firstMicroBatch: (chunk: number) => number,
  ) {}

  /** `count` micro-batches in each stream. */
  run(count: number, edge: number, distance: number): void {
    repeat(2 * distance, () => this.forward(NEAR));
    repeat(edge + 1, () => {
      this.forward(NEAR);
      this.forward(FAR);
    });
    repeat(distance, () => {
      this.backward(FAR, true);
      this.weight();
      this.forward(FAR);
    });
    for (let k = 0; k < count - 2 * distance - edge - 1; k++) {
      // Where the streams meet, the first pair runs one after the other, to pass the forward on sooner.
      this.forward(NEAR, k > 0 || distance > 0);
      this.backward(FAR);
      this.forward(FAR, true);
      this.backward(NEAR);
    }
    repeat(distance, () => {
      this.backward(FAR);
      this.forward(FAR, true);
      this.backward(NEAR);
    });
    // From the middle of this phase on, W is put off to fill the bubbles that the end of the pipeline leaves.
    for (let k = 0; k < 2 * (edge + 1); k++) this.backward(k % 2 === 0 ? FAR : NEAR, k > edge);
    repeat(distance, () => {
      this.weight();
      this.backward(NEAR, true);
    });
    while (this.nextDeferred < this.deferred.length) this.weight();
  }

  private forward(stream: Stream, isJoined = false): void {
    const chunk = this.chunkOf(stream);
    this.writer.put(this.stage, isJoined ? F_JOINED : F, this.firstMicroBatch(chunk) + this.forwards[stream]++, chunk);
  }

  private backward(stream: Stream, isSplit = false): void {
    const chunk = this.chunkOf(stream);
    const microBatch = this.firstMicroBatch(chunk) + this.backwards[stream]++;
    this.writer.put(this.stage, isSplit ? B : BW, microBatch, chunk);
    if (isSplit) this.deferred.push({ microBatch, chunk });
  }

  private weight(): void {
    const { microBatch, chunk } = this.deferred[this.nextDeferred++];
    this.writer.put(this.stage, W, microBatch, chunk);
  }
}

function repeat(count: number, step: () => void): void {
  for (let k = 0; k < count; k++) step();
}

/**
 * Megatron-LM and what descends from it (Megatron-DeepSpeed, GPT-NeoX, FlagScale): one line an iteration, per rank a
 * line of memory, and tables of timers (NVIDIA/Megatron-LM d98e8a64, megatron/training/training.py and utils).
 */
import { type Line, positiveOf } from '../lines';
import { NO_STEP } from '../records';
import { fieldsOf, type Found, type Importer, OncePerStep } from './importer';

const ITERATION = /\biteration\s+(\d+)\/\s*(\d+) \|(.*)/;
const MEMORY = /(?:\[Rank (\d+)\] )?\(?after \d+ iterations\)? memory \(MB\) \| (.*)/;
const TIMER = /^\s+([a-z][\w-]*) ?\.*: \((\d+(?:\.\d+)?), (\d+(?:\.\d+)?)\)/;
const MIB = 2 ** 20;

export const MEGATRON: Importer = {
  format: 'megatron-log',
  sign: /^(?=.*\biteration\s+\d+\/\s*\d+ \|).*elapsed time per iteration/,
  read(lines, found) {
    const steps = new OncePerStep();
    for (const line of lines) {
      // Ranks that write at once share a line.
      for (const text of line.text.includes('memory (MB)') ? line.text.split(/(?=\[Rank \d+\])/) : [line.text]) {
        const memory = MEMORY.exec(text);
        if (memory !== null)
          readMemory(memory[1] === undefined ? line.rank : Number(memory[1]), memory[2] ?? '', line, found);
      }
      const iteration = ITERATION.exec(line.text);
      if (iteration !== null) readIteration(Number(iteration[1]), iteration[3] ?? '', line, found, steps);
      const timer = TIMER.exec(line.text);
      if (timer === null) continue;
      const [, name = '', least, most] = timer;
      found.add({
        kind: 'part',
        line: line.number,
        name,
        leastSeconds: Number(least) / 1000,
        mostSeconds: Number(most) / 1000,
      });
    }
  },
};

function readIteration(step: number, rest: string, line: Line, found: Found, steps: OncePerStep): void {
  const fields = fieldsOf(rest);
  const milliseconds = fields.get('elapsed time per iteration (ms)');
  const written = milliseconds ?? fields.get('elapsed time per iteration (s)');
  // Newer versions print the last and the mean: 283.9/290.1.
  const time = positiveOf(written?.split('/')[0]);
  if (time === null) return found.broken(line, 'elapsed-time-expected');
  if (!steps.isNew(step)) return;
  const tflops = positiveOf(fields.get('throughput per GPU (TFLOP/s/GPU)')?.split('/')[0] ?? fields.get('TFLOPs'));
  found.add({
    ...NO_STEP,
    line: line.number,
    step,
    seconds: milliseconds === undefined ? time : time / 1000,
    tokensPerSecondPerGpu: positiveOf(fields.get('tokens per gpu per second (tgs)') ?? fields.get('tokens/sec/GPU')),
    samplesPerSecond: positiveOf(fields.get('samples per second')),
    flopsPerSecondPerGpu: tflops === null ? null : tflops * 1e12,
    globalBatch: positiveOf(fields.get('global batch size')),
  });
}

function readMemory(rank: number | null, rest: string, line: Line, found: Found): void {
  const fields = fieldsOf(rest);
  const bytes = (key: string) => {
    const value = positiveOf(fields.get(key));
    return value === null ? null : value * MIB;
  };
  const [allocatedBytes, reservedBytes] = [bytes('max allocated'), bytes('max reserved')];
  if (allocatedBytes === null && reservedBytes === null) return found.broken(line, 'max-allocated-expected');
  found.add({ kind: 'peak', line: line.number, rank, allocatedBytes, reservedBytes, failures: null });
}

/** DeepSpeed: lines of its throughput timer and of its pipeline engine (deepspeedai/DeepSpeedExamples 45b4b715, DeepSpeed-Chat's training logs). Its GB are GiB. */
import { positiveOf } from '../lines';
import { NO_STEP } from '../records';
import { type Importer, OncePerStep } from './importer';

const TIMER =
  /(?:global_step=(\d+)|\b\d+\/(\d+)), RunningAvgSamplesPerSec=([\d.e+-]+)(?:, CurrSamplesPerSec=([\d.e+-]+))?(?:, MemAllocated=([\d.]+)GB)?(?:, MaxMemAllocated=([\d.]+)GB)?/;
const PIPELINE = /^\s*steps: (\d+) loss: \S+ iter time \(s\): (\S*)(?: samples\/sec: ([\d.]+))?/;

export const DEEPSPEED: Importer = {
  format: 'deepspeed-log',
  sign: /RunningAvgSamplesPerSec=|^\s*steps: \d+ loss: \S+ iter time \(s\): /,
  read(lines, found) {
    const steps = new OncePerStep();
    for (const line of lines) {
      const timer = TIMER.exec(line.text);
      const pipeline = PIPELINE.exec(line.text);
      if (pipeline !== null) {
        const seconds = positiveOf(pipeline[2]);
        if (seconds === null) found.broken(line, 'iteration-time-expected');
        else if (steps.isNew(Number(pipeline[1]))) {
          const samplesPerSecond = positiveOf(pipeline[3]);
          found.add({ ...NO_STEP, line: line.number, step: Number(pipeline[1]), seconds, samplesPerSecond });
        }
      } else if (timer !== null) {
        const isCut = timer[4] === undefined && line.text.includes('CurrSamplesPerSec=');
        const samplesPerSecond = isCut ? null : positiveOf(timer[4] ?? timer[3]);
        if (samplesPerSecond === null) found.broken(line, 'samples-per-second-expected');
        else if (steps.isNew(Number(timer[1] ?? timer[2])))
          found.add({ ...NO_STEP, line: line.number, step: Number(timer[1] ?? timer[2]), samplesPerSecond });
        const peak = positiveOf(timer[6]);
        if (peak !== null)
          found.add({
            kind: 'peak',
            line: line.number,
            rank: line.rank ?? 0,
            allocatedBytes: peak * 2 ** 30,
            reservedBytes: null,
            failures: null,
          });
      } else if (line.text.includes('RunningAvgSamplesPerSec=')) found.broken(line, 'samples-per-second-expected');
    }
  },
};

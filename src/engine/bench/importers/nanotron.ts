/** nanotron: `iteration: 5 / 100 | consumed_tokens: 5.24M | elapsed_time_per_iteration_ms: 4.71K | …` (huggingface/nanotron 2411b022, src/nanotron/trainer.py and logging/base.py). */
import { positiveOf } from '../lines';
import { NO_STEP } from '../records';
import { fieldsOf, type Importer, OncePerStep } from './importer';

const ITERATION = /\biteration: (\d+) \/ \d+ \| (.*)/;

export const NANOTRON: Importer = {
  format: 'nanotron-log',
  sign: /^(?=.*\biteration: \d+ \/ \d+ \| ).*(?:elapsed_time_per_iteration_ms|time_per_iteration_ms|tokens_per_sec): /,
  read(lines, found) {
    const steps = new OncePerStep();
    for (const line of lines) {
      const match = ITERATION.exec(line.text);
      if (match === null) continue;
      const fields = fieldsOf(match[2] ?? '');
      const time = positiveOf(fields.get('elapsed_time_per_iteration_ms') ?? fields.get('time_per_iteration_ms'));
      if (time === null) {
        found.broken(line, 'elapsed-time-expected');
        continue;
      }
      const step = Number(match[1]);
      if (!steps.isNew(step)) continue;
      const tflops = positiveOf(fields.get('model_tflops_per_gpu'));
      found.add({
        ...NO_STEP,
        line: line.number,
        step,
        seconds: time / 1000,
        tokensPerSecond: positiveOf(fields.get('tokens_per_sec')),
        tokensPerSecondPerGpu: positiveOf(fields.get('tokens_per_sec_per_gpu')),
        flopsPerSecondPerGpu: tflops === null ? null : tflops * 1e12,
        globalBatch: positiveOf(fields.get('global_batch_size')),
      });
      const reservedBytes = positiveOf(fields.get('cuda_max_memory_reserved'));
      if (reservedBytes !== null)
        found.add({
          kind: 'peak',
          line: line.number,
          rank: line.rank,
          allocatedBytes: null,
          reservedBytes,
          failures: null,
        });
    }
  },
};

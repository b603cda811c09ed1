/** NeMo: lines of its logger, and states of Lightning's progress bar (mlcommons/training aa344c7f; NVIDIA NeMo docs). */
import { positiveOf } from '../lines';
import { NO_STEP } from '../records';
import { fieldsOf, type Importer, OncePerStep } from './importer';

const LOGGED = /(?:Training epoch \d+, iteration (\d+)\/\d+ \| |^(?=global_step: ))(.*)/;
const BAR_STEP = /\bglobal_step=([\d.e+]+)/;
const BAR_TIMING = /\btrain_step_timing in s=([\d.]+)?/;

export const NEMO: Importer = {
  format: 'nemo-log',
  sign: /train_step_timing in s[:=]|Training epoch \d+, iteration \d+\/\d+ \|/,
  read(lines, found) {
    const steps = new OncePerStep();
    for (const line of lines) {
      const logged = LOGGED.exec(line.text);
      const barStep = BAR_STEP.exec(line.text);
      const barTiming = BAR_TIMING.exec(line.text);
      if (logged === null && (barStep === null || barTiming === null)) continue;
      const fields = logged === null ? null : fieldsOf(logged[2] ?? '');
      const step = Number(fields?.get('global_step') ?? barStep?.[1] ?? logged?.[1]);
      const seconds = positiveOf(fields === null ? barTiming?.[1] : fields.get('train_step_timing in s'));
      if (seconds === null) found.broken(line, 'step-timing-expected');
      else if (steps.isNew(step)) {
        const tflops = positiveOf(fields?.get('TFLOPS_per_GPU') ?? fields?.get('tflops_per_sec_per_gpu'));
        found.add({
          ...NO_STEP,
          line: line.number,
          step,
          seconds,
          flopsPerSecondPerGpu: tflops === null ? null : tflops * 1e12,
          globalBatch: positiveOf(fields?.get('global_batch_size')),
        });
      }
    }
  },
};

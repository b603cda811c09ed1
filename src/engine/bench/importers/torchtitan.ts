/** torchtitan: `step: 20  loss: 8.1  memory: 48.87GiB(51.44%)  tps: 4,376  tflops: 253.41  mfu: 25.62%`, in colours (pytorch/torchtitan b5bcd76c, torchtitan/components/metrics.py). */
import { positiveOf } from '../lines';
import { NO_STEP } from '../records';
import { type Importer, OncePerStep } from './importer';

const STEP = /\bstep: *(\d+) {2}(loss: .*)/;
const FIELD = /\b(\w+): +([\d.,]+)(GiB|%)?/g;

export const TORCHTITAN: Importer = {
  format: 'torchtitan-log',
  sign: /^(?=.*\bstep: *\d+ {2}loss: ).*\b(?:tps|wps): /,
  read(lines, found) {
    const steps = new OncePerStep();
    let peak = 0;
    for (const line of lines) {
      const match = STEP.exec(line.text);
      if (match === null) continue;
      const fields = new Map([...(match[2] ?? '').matchAll(FIELD)].map(([, key = '', value = '']) => [key, value]));
      const rate = positiveOf(fields.get('tps') ?? fields.get('wps'));
      if (rate === null) {
        found.broken(line, 'tokens-per-second-expected');
        continue;
      }
      const memory = positiveOf(fields.get('memory'));
      if (memory !== null && memory > peak) {
        peak = memory;
        const reservedBytes = memory * 2 ** 30;
        found.add({
          kind: 'peak',
          line: line.number,
          rank: line.rank,
          allocatedBytes: null,
          reservedBytes,
          failures: null,
        });
      }
      if (!steps.isNew(Number(match[1]))) continue;
      const [tflops, mfu] = [positiveOf(fields.get('tflops')), positiveOf(fields.get('mfu'))];
      found.add({
        ...NO_STEP,
        line: line.number,
        step: Number(match[1]),
        tokensPerSecondPerGpu: rate,
        flopsPerSecondPerGpu: tflops === null ? null : tflops * 1e12,
        mfu: mfu === null ? null : mfu / 100,
      });
    }
  },
};

/**
 * The dictionaries that Hugging Face's Trainer prints, and with it LLaMA-Factory (ff6d4d12), axolotl (067b021c,
 * core/trainers/base.py) and ms-swift, with the progress bar between them.
 */
import { positiveOf } from '../lines';
import { NO_STEP } from '../records';
import { type Found, type Importer, OncePerStep } from './importer';
import type { Line } from '../lines';

const DICTIONARY = /\{'(?:loss|train_runtime|eval_loss|train_loss)': /;
const PAIR = /'([^']+)': '?([^,'}]+)'?/g;
const BAR = /\|\s*(\d+)\/(\d+) \[([^\][]*)/;
const RATE = /,\s*([\d.]+)(s\/it|it\/s)\b/;
/** LLaMA-Factory's table of metrics at the end. */
const METRIC = /^\s*(train_\w+)\s+=\s+(\S.*)$/;

export const HF_TRAINER: Importer = {
  format: 'hf-trainer-log',
  sign: /\{'(?:loss|train_runtime)': |^\s*train_steps_per_second\s+=/,
  read(lines, found) {
    const steps = new OncePerStep();
    let total: number | null = null;
    let hasSummary = false;
    for (const line of lines) {
      const bar = BAR.exec(line.text);
      if (bar !== null) {
        const [, done, of, rest = ''] = bar;
        const [, pace, unit] = RATE.exec(rest) ?? [];
        total = Number(of);
        const rate = positiveOf(pace);
        const step = Number(done);
        if (rate !== null && step > 0 && steps.isNew(step))
          found.add({ ...NO_STEP, line: line.number, step, seconds: unit === 's/it' ? rate : 1 / rate });
        continue;
      }
      const metric = METRIC.exec(line.text);
      if (metric !== null && metric[1] === 'train_steps_per_second' && !hasSummary) {
        const rate = positiveOf(metric[2]);
        if (rate === null) found.broken(line, 'steps-per-second-expected');
        else found.add({ ...NO_STEP, line: line.number, step: total ?? 0, seconds: 1 / rate });
        continue;
      }
      if (!DICTIONARY.test(line.text)) continue;
      if (!line.text.includes('}')) found.broken(line, 'closing-brace-expected');
      else hasSummary = readDictionary(line, found, total, steps) || hasSummary;
    }
  },
};

/** Whether it was the summary of the run. */
function readDictionary(line: Line, found: Found, total: number | null, steps: OncePerStep): boolean {
  const fields = new Map([...line.text.matchAll(PAIR)].map(([, key = '', value = '']) => [key, value.trim()]));
  const gib = positiveOf(
    fields.get('memory/max_allocated (GiB)') ?? fields.get('memory/max_active (GiB)') ?? fields.get('memory(GiB)'),
  );
  if (gib !== null) {
    const allocatedBytes = gib * 2 ** 30;
    found.add({
      kind: 'peak',
      line: line.number,
      rank: line.rank,
      allocatedBytes,
      reservedBytes: null,
      failures: null,
    });
  }
  const perSecond = positiveOf(fields.get('train_steps_per_second'));
  if (fields.has('train_runtime')) {
    if (perSecond === null) {
      found.broken(line, 'steps-per-second-expected');
      return false;
    }
    found.add({
      ...NO_STEP,
      line: line.number,
      step: total ?? 0,
      seconds: 1 / perSecond,
      samplesPerSecond: positiveOf(fields.get('train_samples_per_second')),
    });
    return true;
  }
  const tokens = positiveOf(fields.get('tokens/train_per_sec_per_gpu') ?? fields.get('tokens_per_second_per_gpu'));
  const speed = positiveOf(fields.get('train_speed(iter/s)'));
  const step = Number((fields.get('global_step/max_steps') ?? '').split('/')[0]) || line.number;
  if ((tokens !== null || speed !== null) && steps.isNew(step))
    found.add({
      ...NO_STEP,
      line: line.number,
      step,
      seconds: speed === null ? null : 1 / speed,
      tokensPerSecondPerGpu: tokens,
    });
  return false;
}

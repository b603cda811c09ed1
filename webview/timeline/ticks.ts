/** Round times on an axis, and their text. */
import { language } from '../../src/words/language';

export interface Axis {
  readonly step: number;
  readonly first: number;
  readonly count: number;
  readonly text: (seconds: number) => string;
}

const UNITS = [
  { seconds: 1, name: 's' },
  { seconds: 1e-3, name: 'ms' },
  { seconds: 1e-6, name: 'µs' },
  { seconds: 1e-9, name: 'ns' },
] as const;

/** About `wanted` ticks at 1, 2 or 5 times a power of ten. */
export function timeAxis(from: number, to: number, wanted: number): Axis {
  const rough = (to - from) / Math.max(wanted, 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find(factor => factor * power >= rough) ?? 10);
  const first = Math.max(0, Math.ceil(from / step - 1e-9));
  // The unit of the largest label, so that all labels share it, but none finer than the step needs.
  const unit = UNITS.find(({ seconds }) => to >= seconds) ?? UNITS[3];
  const digits = Math.max(0, Math.ceil(-Math.log10(step / unit.seconds) - 1e-9));
  const format = new Intl.NumberFormat(language(), {
    minimumFractionDigits: Math.min(digits, 12),
    maximumFractionDigits: Math.min(digits, 12),
  });
  return {
    step,
    first: first * step,
    count: Math.max(0, Math.floor(to / step + 1e-9) - first + 1),
    text: seconds => `${format.format(seconds / unit.seconds)} ${unit.name}`,
  };
}

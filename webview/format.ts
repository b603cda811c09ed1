/** Numbers as the reader's language writes them. GB is 10⁹ bytes, GiB 2³⁰: both are told apart by name. */
import { formatBytes, formatCount, formatInteger, formatNumber } from '../src/words/format';
import { language } from '../src/words/language';

export interface Formats {
  readonly bytes: (bytes: number) => string;
  /** 61.2 GB (57.0 GiB) */
  readonly bytesBoth: (bytes: number) => string;
  /** The number of GB alone, for columns with GB in their head: two decimals, so that they stand below each other. */
  readonly gigabytes: (bytes: number) => string;
  /** 4 MiB: sizes of messages, which are powers of two. */
  readonly binaryBytes: (bytes: number) => string;
  /** 0.1, 12.3 */
  readonly number: (value: number) => string;
  /** 12.0: three figures always, so that the numbers of a column stand below each other. */
  readonly figures: (value: number) => string;
  readonly date: (iso: string) => string;
  readonly seconds: (seconds: number) => string;
  readonly percent: (fraction: number) => string;
  /** 80 %, where a decimal would claim too much. */
  readonly wholePercent: (fraction: number) => string;
  readonly integer: (value: number) => string;
  /** 8.03 B parameters */
  readonly count: (value: number) => string;
  /** 368 TFLOP/s */
  readonly flopsPerSecond: (value: number) => string;
  /** 57.9 GFLOP */
  readonly flops: (value: number) => string;
  /** 1.38× */
  readonly times: (factor: number) => string;
}

const PREFIXES = ['', 'k', 'M', 'G', 'T', 'P', 'E'];

export function formats(): Formats {
  const locale = language();
  const fixed = (value: number, digits: number) =>
    value.toLocaleString(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  const prefixed = (value: number, unit: string) => {
    const step = value < 1000 ? 0 : Math.min(Math.floor(Math.log10(value) / 3), PREFIXES.length - 1);
    return `${formatNumber(value / 1000 ** step, 3)} ${PREFIXES[step]}${unit}`;
  };
  const bytes = (value: number) => formatBytes(value);
  // Always three figures, so that the numbers of a column stand below each other.
  const three = (value: number) =>
    value.toLocaleString(locale, { minimumSignificantDigits: 3, maximumSignificantDigits: 3 });
  const seconds = (value: number) => {
    // What sums of doubles leave is no time.
    if (Math.abs(value) < 1e-12) return '0 s';
    if (value >= 100) return `${formatInteger(value)} s`;
    if (value >= 1) return `${three(value)} s`;
    if (value >= 1e-3) return `${three(value * 1e3)} ms`;
    return value >= 1e-6 ? `${three(value * 1e6)} µs` : `${three(value * 1e9)} ns`;
  };
  return {
    bytes,
    bytesBoth: value => `${bytes(value)} (${fixed(value / 2 ** 30, 1)} GiB)`,
    binaryBytes: value => {
      const step = value < 1024 ? 0 : Math.min(Math.floor(Math.log2(value) / 10), PREFIXES.length - 1);
      return `${formatNumber(value / 1024 ** step, 3)} ${step === 0 ? 'B' : `${(PREFIXES[step] ?? '').toUpperCase()}iB`}`;
    },
    figures: three,
    number: value => formatNumber(value, 3),
    date: iso => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(iso)),
    gigabytes: value => fixed(value / 1e9, 2),
    seconds,
    percent: value => (value === 0 ? '0 %' : `${fixed(value * 100, 1)} %`),
    wholePercent: value => `${fixed(value * 100, 0)} %`,
    integer: value => formatInteger(value),
    count: value => formatCount(value),
    flopsPerSecond: value => prefixed(value, 'FLOP/s'),
    flops: value => prefixed(value, 'FLOP'),
    times: value => `${fixed(value, 2)}×`,
  };
}

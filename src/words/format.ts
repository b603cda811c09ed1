/** Numbers as people read them in their language. GB is 10⁹ bytes, GiB 2³⁰; both are told apart by name. */
import { language, translated, withMark } from './language';

export function formatInteger(value: number): string {
  return new Intl.NumberFormat(language(), { maximumFractionDigits: 0 }).format(value);
}

export function formatNumber(value: number, digits = 3): string {
  return new Intl.NumberFormat(language(), { maximumSignificantDigits: digits }).format(value);
}

/** 61.2 GB */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];
  let [value, unit] = [bytes, 0];
  while (Math.abs(value) >= 1000 && unit < units.length - 1) [value, unit] = [value / 1000, unit + 1];
  const digits = value >= 100 || unit === 0 ? 0 : 1;
  return `${new Intl.NumberFormat(language(), { maximumFractionDigits: digits, minimumFractionDigits: digits }).format(value)} ${units[unit]}`;
}

const COUNT_UNITS = translated(
  { names: ['', ' K', ' M', ' B', ' T'] },
  { names: ['', ' tis.', ' mil.', ' mld.', ' bil.'] },
);

/** 8.03 B, 405.9 B: parameters. */
export function formatCount(count: number): string {
  const units = COUNT_UNITS.names;
  let [value, unit] = [count, 0];
  while (value >= 1000 && unit < units.length - 1) [value, unit] = [value / 1000, unit + 1];
  const digits = unit === 0 ? 0 : value >= 100 ? 1 : 2;
  return `${new Intl.NumberFormat(language(), { maximumFractionDigits: digits }).format(value)}${units[unit]}`;
}

/** 276.9 ms, 13.8 s */
export function formatSeconds(seconds: number): string {
  // What sums of doubles leave is no time.
  if (Math.abs(seconds) < 1e-12) return '0 s';
  if (seconds >= 100) return `${formatInteger(seconds)} s`;
  if (seconds >= 1) return `${formatNumber(seconds, 3)} s`;
  if (seconds >= 1e-3) return `${formatNumber(seconds * 1e3, 3)} ms`;
  if (seconds >= 1e-6) return `${formatNumber(seconds * 1e6, 3)} µs`;
  return `${formatNumber(seconds * 1e9, 3)} ns`;
}

export function formatPercent(fraction: number): string {
  return `${new Intl.NumberFormat(language(), { maximumFractionDigits: 1 }).format(fraction * 100)} %`;
}

/** 1.2e-15: differences too small for decimals. */
export const formatExponent = (value: number): string => (value === 0 ? '0' : withMark(value.toExponential(1)));

/** All digits. */
export const formatExact = (value: number | string): string => withMark(String(value));

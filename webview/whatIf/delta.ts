/** How a figure differs from the file's, in words and with a sign, never by colour alone. */
import type { Formats } from '../format';
import { say } from '../words';

/** Below this share two figures read alike. */
const SAME = 5e-4;

/** null: both are unknown, or there is nothing to compare with. */
export function deltaText(
  after: number | null,
  before: number | null | undefined,
  text: (value: number) => string,
  { percent }: Formats,
): string | null {
  if (before === undefined || after === null) return null;
  if (before === null) return say('deltaNew');
  const share = after / before - 1;
  if (Math.abs(share) < SAME || !Number.isFinite(share)) return say('deltaSame');
  return say(share > 0 ? 'deltaMore' : 'deltaLess', { percent: percent(Math.abs(share)), value: text(before) });
}

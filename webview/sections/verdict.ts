/** Whether the setup fits, in one word. */
import type { MemoryDocument } from '../../src/documents/types';
import type { Scene } from '../parts';
import { say, type WordKey } from '../words';

export type Verdict = 'good' | 'tight' | 'bad' | 'unknown';

export function verdictOf({ fits, uncertain }: Pick<MemoryDocument, 'fits' | 'uncertain'>): Verdict {
  if (fits === null) return 'unknown';
  if (uncertain === true) return 'tight';
  return fits ? 'good' : 'bad';
}

export function verdictWord({ state }: Scene): string {
  const { memory } = state.estimate;
  const tight: WordKey = memory.fits === true ? 'fitsClosely' : 'mayNotFit';
  return say(({ good: 'fits', tight, bad: 'doesNotFit', unknown: 'fitUnknown' } as const)[verdictOf(memory)]);
}

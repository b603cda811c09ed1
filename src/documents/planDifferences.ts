/** What a plan changes of another one, both spelled out whole. */
import type { CandidateDocument } from './types';

export function planDifferences(before: string, after: string): CandidateDocument['changes'] {
  const [old, next] = [before, after].map(pairs);
  return [...new Set([...old.keys(), ...next.keys()])]
    .filter(key => old.get(key) !== next.get(key))
    .map(key => ({ key, before: old.get(key) ?? null, after: next.get(key) ?? null }));
}

function pairs(plan: string): Map<string, string> {
  return new Map(plan.split(',').map(pair => pair.split('=', 2) as [string, string]));
}

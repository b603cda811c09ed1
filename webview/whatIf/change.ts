/** The change that the user tries out, kept as text among what is chosen: `tp=8,gpus=64`. */
import { formatPlanValue, isPlanKey, parsePlanValue, type PlanKey, type PlanValue } from '../../src/engine/plan/keys';
import type { Change } from '../local/engine';

/** Key of the text in what is chosen. */
export const WHAT_IF = 'what-if';

export type ChangeKey = PlanKey | 'gpus';

export function changeOf(chosen: ReadonlyMap<string, string>): Change {
  return parseChange(chosen.get(WHAT_IF) ?? '');
}

/** What is no key or value is left out: the text may be of an older version of the page. */
export function parseChange(text: string): Change {
  const plan: Record<string, PlanValue> = {};
  let gpus: number | null = null;
  for (const pair of text.split(',')) {
    const at = pair.indexOf('=');
    const [key, value] = [pair.slice(0, at), pair.slice(at + 1)];
    if (key === 'gpus' && /^[1-9]\d{0,6}$/.test(value)) gpus = Number(value);
    const parsed = isPlanKey(key) ? parsePlanValue(key, value) : undefined;
    if (parsed !== undefined) plan[key] = parsed;
  }
  return { plan: plan, gpus };
}

export function isNothing({ plan, gpus }: Change): boolean {
  return gpus === null && Object.keys(plan).length === 0;
}

/** The text with one key set anew, or without it where the value is that of the file. */
export function withValue(text: string, key: ChangeKey, value: string, fileValue: string): string {
  const { plan, gpus } = parseChange(text);
  const entries = new Map<string, string>(
    Object.entries(plan).map(([name, given]) => [name, formatPlanValue(given as Exclude<PlanValue, null>)]),
  );
  if (gpus !== null) entries.set('gpus', String(gpus));
  if (value === fileValue) entries.delete(key);
  else entries.set(key, value);
  return [...entries].map(pair => pair.join('=')).join(',');
}

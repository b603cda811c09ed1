/** What an agent gave, checked. What is wrong is said in words from which the agent can mend its call. */
import * as v from 'valibot';
import { ACCELERATORS } from '../engine/hardware/accelerators';
import {
  isPlanKey,
  PLAN_KEY_NAMES,
  PLAN_KEYS,
  type PlanKey,
  type PlanValue,
  parsePlanValue,
} from '../engine/plan/keys';
import type { Fixed } from '../engine/search/points';
import { override } from '../engine/setup/override';
import { SetupBuilder } from '../engine/setup/setup';

/** The agent can mend it. */
export class ToolError extends Error {}

const Value = v.union([v.string(), v.number(), v.boolean()]);
const Values = v.record(v.string(), Value);

const Arguments = v.object({
  files: v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(50)),
  cluster: v.optional(Values, {}),
  set: v.optional(Values, {}),
  fix: v.optional(v.record(v.string(), v.union([Value, v.array(Value)])), {}),
  top: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(20)), 3),
  key: v.optional(v.string()),
});

export interface ToolArguments {
  readonly files: readonly string[];
  /** In the order in which they apply. */
  readonly values: readonly (readonly [key: string, value: string])[];
  readonly fixed: Fixed;
  readonly top: number;
  readonly key: PlanKey | null;
}

const EMPTY = new SetupBuilder().build();

/** @throws ToolError */
export function parseArguments(raw: unknown): ToolArguments {
  const parsed = v.safeParse(Arguments, raw);
  if (!parsed.success) {
    const [issue] = parsed.issues;
    throw new ToolError(`The argument \`${v.getDotPath(issue) ?? 'files'}\` is not right: ${issue.message}`);
  }
  const { files, cluster, set, fix, top, key = null } = parsed.output;
  if (key !== null && !isPlanKey(key)) throw unknownKey(key);
  const values = Object.entries({ ...cluster, ...set }).map(([name, value]) => checked(name, String(value)));
  return { files, values, fixed: fixedOf(fix), top, key };
}

function checked(key: string, value: string): readonly [string, string] {
  const result = override(EMPTY, key, value);
  if (!('code' in result)) return [key, value];
  switch (result.code) {
    case 'unknown-key':
      throw unknownKey(key);
    case 'unknown-gpu':
      throw new ToolError(
        `There is no accelerator “${value}”. Choose one of: ${Object.keys(ACCELERATORS).join(', ')}.`,
      );
    case 'unknown-value':
      throw new ToolError(`${key} cannot be “${value}”${choices(key)}.`);
  }
}

function choices(key: string): string {
  const values = isPlanKey(key) ? PLAN_KEYS[key].values : undefined;
  return values === undefined ? '' : `: it is one of ${values.join(', ')}`;
}

function unknownKey(key: string): ToolError {
  return new ToolError(`There is no key “${key}”. Keys of the plan: ${PLAN_KEY_NAMES.join(', ')}.`);
}

function fixedOf(fix: Readonly<Record<string, unknown>>): Fixed {
  const fixed: Partial<Record<PlanKey, PlanValue[]>> = {};
  for (const [key, given] of Object.entries(fix)) {
    if (!isPlanKey(key)) throw unknownKey(key);
    fixed[key] = (Array.isArray(given) ? given : [given]).map(value => {
      const parsed = parsePlanValue(key, String(value));
      if (parsed === undefined) throw new ToolError(`${key} cannot be “${String(value)}”${choices(key)}.`);
      return parsed;
    });
  }
  return fixed as Fixed;
}

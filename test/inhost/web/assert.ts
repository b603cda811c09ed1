/** As much of Node's strict assertions as the suites use, for the host that has no Node. */
class AssertionError extends Error {}

function fail(message: string | undefined, otherwise: string): never {
  throw new AssertionError(message ?? otherwise);
}

const shown = (value: unknown): string => JSON.stringify(value) ?? String(value);

function isDeepEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [Object.entries(a), new Map(Object.entries(b))];
  return (
    left.length === right.size && left.every(([key, value]) => right.has(key) && isDeepEqual(value, right.get(key)))
  );
}

const assert = {
  ok(value: unknown, message?: string): asserts value {
    if (!value) fail(message, `${shown(value)} is not true`);
  },
  equal(actual: unknown, expected: unknown, message?: string): void {
    if (!Object.is(actual, expected)) fail(message, `${shown(actual)} is not ${shown(expected)}`);
  },
  notEqual(actual: unknown, expected: unknown, message?: string): void {
    if (Object.is(actual, expected)) fail(message, `${shown(actual)} is what it must not be`);
  },
  deepEqual(actual: unknown, expected: unknown, message?: string): void {
    if (!isDeepEqual(actual, expected)) fail(message, `${shown(actual)} is not ${shown(expected)}`);
  },
  notDeepEqual(actual: unknown, expected: unknown, message?: string): void {
    if (isDeepEqual(actual, expected)) fail(message, `${shown(actual)} is what it must not be`);
  },
  match(text: string, pattern: RegExp, message?: string): void {
    if (!pattern.test(text)) fail(message, `${shown(text)} does not match ${String(pattern)}`);
  },
};

// Stands for node:assert/strict, which the suites import so.
// eslint-disable-next-line no-restricted-syntax
export default assert;

/** Cells of a table: an empty one is unknown. */

export function number(value: string | undefined): number | null {
  if (value === undefined || value.trim() === '') return null;
  const n = Number(value);
  return Number.isFinite(n) ? n : null;
}

export function text(value: string | undefined): string | null {
  return value === undefined || value === '' ? null : value;
}

export function flag(value: string | undefined): boolean | null {
  return value === '1' ? true : value === '0' ? false : null;
}

/** Rows as a compact table of columns: each column lists its values once, and the rows name them by number. */

export type Row = Readonly<Record<string, string>>;

export interface PackedColumn {
  readonly name: string;
  readonly values: readonly string[];
  /** By row, base 36, joined by commas; `i*n` stands for n times i. */
  readonly index: string;
}

/** Packs the named columns of rows. */
export function packRows(rows: readonly Row[], names: readonly string[]): PackedColumn[] {
  return names.map(name => {
    const numberOf = new Map<string, number>();
    const index = rows.map(row => {
      const value = row[name] ?? '';
      const known = numberOf.get(value) ?? numberOf.size;
      numberOf.set(value, known);
      return known;
    });
    return { name, values: [...numberOf.keys()], index: encode(index) };
  });
}

export function unpackRows(columns: readonly PackedColumn[]): Row[] {
  const decoded = columns.map(({ name, values, index }) => ({ name, values, index: decode(index) }));
  const count = decoded[0]?.index.length ?? 0;
  return Array.from({ length: count }, (_, i) =>
    Object.fromEntries(decoded.map(({ name, values, index }) => [name, values[index[i]]])),
  );
}

function encode(index: readonly number[]): string {
  const parts: string[] = [];
  for (let start = 0; start < index.length; ) {
    let end = start + 1;
    while (end < index.length && index[end] === index[start]) end++;
    const value = index[start].toString(36);
    parts.push(end - start === 1 ? value : `${value}*${(end - start).toString(36)}`);
    start = end;
  }
  return parts.join(',');
}

function decode(text: string): number[] {
  if (text === '') return [];
  return text.split(',').flatMap(part => {
    const [value, count] = part.split('*');
    return new Array<number>(count === undefined ? 1 : parseInt(count, 36)).fill(parseInt(value, 36));
  });
}

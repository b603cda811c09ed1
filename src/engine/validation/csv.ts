/** Comma-separated text with a header row and quoted fields (RFC 4180). */

/** One record a row, by the names of the header; missing fields are empty. */
export function parseCsv(text: string): Record<string, string>[] {
  const [header, ...rows] = parseRows(text);
  if (header === undefined) return [];
  return rows.map(row => Object.fromEntries(header.map((name, i) => [name, row[i] ?? ''])));
}

function parseRows(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let field = '';
  let quoted = false;
  const endField = () => {
    row.push(field);
    field = '';
  };
  const endRow = () => {
    endField();
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
  };
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (quoted) {
      if (c !== '"') field += c;
      else if (text[i + 1] === '"') field += text[++i];
      else quoted = false;
    } else if (c === '"') quoted = true;
    else if (c === ',') endField();
    else if (c === '\n') endRow();
    else if (c !== '\r') field += c;
  }
  endRow();
  return rows;
}

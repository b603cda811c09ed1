import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { UNCERTAINTY } from '../../src/engine/hardware/calibration';
import type { DashboardState } from '../../src/protocol/dashboard';
import { inLanguage } from '../../src/words/language';
import { asCsv, asJson, asMarkdown } from './export';
import { columnNames, front, rowsOf, sorted } from './rows';

const file = path.join(import.meta.dirname, '../../test/fixtures/dashboard/explored.json');
const { search } = JSON.parse(readFileSync(file, 'utf8')) as DashboardState;
assert.ok(search.phase === 'done');
const { document } = search;
const rows = rowsOf(document);

describe('layouts as rows', () => {
  it('each layout stands once, with all lists that it is in', () => {
    assert.equal(new Set(rows.map(({ planString }) => planString)).size, rows.length);
    assert.deepEqual(rows[0].lists.slice(0, 1), ['best']);
    const cells = rows.filter(({ lists }) => lists.includes('layout'));
    assert.equal(cells.length, document.layouts.length);
  });

  it('figures of proposals and cells are of one kind', () => {
    const [cell] = rows.filter(({ candidate }) => candidate === null);
    const [proposal] = rows;
    assert.ok(proposal.mfu !== null && cell.mfu !== null && proposal.speedup !== null && cell.speedup !== null);
    assert.ok(Math.abs(cell.mfu / proposal.mfu - cell.speedup / proposal.speedup) < 1e-9);
    assert.ok(Math.abs(proposal.speedup - (document.best[0].speedup ?? 0)) < 1e-9);
  });

  it('sorts by figures, numbers and words, the unknown last', () => {
    const memory = sorted(rows, 'memory', false).map(({ peakBytes }) => peakBytes);
    assert.deepEqual(
      memory,
      [...memory].sort((a, b) => a - b),
    );
    const words = sorted(rows, 'schedule', true).map(({ keys }) => keys.get('schedule'));
    assert.deepEqual(words, [...words].sort().reverse());
    const last = sorted(rows, 'cpkind', true).at(-1);
    assert.equal(last?.keys.get('cpKind'), undefined);
  });

  it('tells what surely fits from what fits closely', () => {
    const surely = (row: (typeof rows)[number]) => row.peakBytes * Math.exp(UNCERTAINTY.memoryUnknownStack) <= 85.5e9;
    const closeRows = rows.filter(row => row.field('fit')?.toString() === 'close');
    assert.ok(closeRows.length > 0 && closeRows.length < rows.length);
    assert.ok(closeRows.every(({ uncertain }) => uncertain === true));
    assert.equal(closeRows.filter(surely).length, 0);
    assert.ok(asCsv(closeRows.slice(0, 1)).includes(',true,'));
  });

  it('names every key of the plans', () => {
    for (const name of ['tp', 'microbatch', 'schedule', 'memory', 'list']) assert.ok(columnNames(rows).has(name), name);
  });

  it('the front is what no other beats', () => {
    const beaten = (a: { peakBytes: number; tokensPerSecond: number }) =>
      rows.some(b => b.peakBytes < a.peakBytes && b.tokensPerSecond > a.tokensPerSecond);
    const edge = front(rows);
    assert.ok(edge.length > 2);
    assert.ok(edge.every(row => !beaten(row)));
    assert.ok(
      rows.every(
        row =>
          edge.includes(row) ||
          edge.some(b => b.peakBytes <= row.peakBytes && b.tokensPerSecond >= row.tokensPerSecond),
      ),
    );
  });
});

describe('layouts as files', () => {
  const some = rows.slice(0, 3);

  it('CSV quotes what has a comma', () => {
    const [head, first, ...rest] = asCsv(some).trimEnd().split('\r\n');
    assert.equal(head, 'plan,lists,speedup,tokensPerSecond,stepSeconds,mfu,peakBytes,uncertain,bubbleFraction');
    assert.ok(first.startsWith(`"${rows[0].planString}",`));
    assert.equal(rest.length, 2);
  });

  it('a spreadsheet never takes a field for a formula', () => {
    const [, line] = asCsv([{ ...rows[0], planString: '=HYPERLINK("x")' }]).split('\r\n');
    assert.ok(line.startsWith(`"'=HYPERLINK(""x"")"`));
  });

  it('both have points and English keys in Slovak too', () => {
    for (const write of [asCsv, asJson])
      assert.equal(
        inLanguage('sk', () => write(some)),
        write(some),
      );
    assert.match(asCsv(some), /,\d+\.\d+,/);
  });

  it('JSON reads back', () => {
    const read = JSON.parse(asJson(some)) as { planString: string }[];
    assert.deepEqual(
      read.map(({ planString }) => planString),
      some.map(({ planString }) => planString),
    );
  });

  it('Markdown cannot be broken by a bar', () => {
    assert.match(asMarkdown({ ...rows[0], planString: 'a|b' }), /a\\\|b/);
  });
});

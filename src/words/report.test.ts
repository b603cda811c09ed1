import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { EstimateDocument } from '../documents/types';
import type { OwnMeasurements } from '../documents/ownMeasurements';
import { inLanguage } from './language';
import { estimateMarkdown } from './markdown';
import { reportHtml } from './report';

function document(name: string): EstimateDocument {
  const file = path.join(import.meta.dirname, `../../test/fixtures/dashboard/${name}.json`);
  return (JSON.parse(readFileSync(file, 'utf8')) as { estimate: EstimateDocument }).estimate;
}

describe('the report', () => {
  it('has a waterfall whose bars join and add up to the step', () => {
    const html = reportHtml(document('complete'), ['train.json']);
    const svg = html.slice(html.lastIndexOf('<svg'), html.lastIndexOf('</svg>'));
    const bars = [...svg.matchAll(/<rect x="([\d.]+)" y="\d+" width="([\d.]+)" height="18"/g)].map(([, x, width]) => [
      Number(x),
      Number(width),
    ]);
    const total = bars.pop();
    assert.ok(total !== undefined && bars.length > 5);
    bars.forEach(([x, width], i) => {
      const next = bars[i + 1]?.[0] ?? total[0] + total[1];
      // Bars that would be invisible are half a pixel wide.
      assert.ok(Math.abs(x + width - next) < 0.51, `bar ${i}`);
    });
  });

  it('loads nothing, runs nothing and keeps text as text', () => {
    const hostile = '<script>alert(1)</script><img src=http://example.org/x onerror=alert(1)>';
    const found = document('out-of-memory');
    const setup = { ...found.setup, model: { ...found.setup.model, name: hostile } };
    const html = reportHtml({ ...found, setup }, [hostile]);
    assert.doesNotMatch(html, /<script|<img|<link|@import|url\((?!#)/);
    assert.match(html, /&lt;script&gt;/);
  });

  it('says only what is known', () => {
    const html = reportHtml(document('unknown'), ['config.json']);
    assert.doesNotMatch(html, /NaN|undefined|Infinity|>null</);
    assert.match(html, /8,030,261,248/);
  });

  it('has own measurements where there are any, as HTML and as Markdown, and keeps their names as text', () => {
    const file = path.join(import.meta.dirname, '../../test/fixtures/dashboard/measured.json');
    const own = JSON.parse(readFileSync(file, 'utf8')) as OwnMeasurements;
    const hostile = { ...own, runs: own.runs.map(run => ({ ...run, name: '<b>x|y</b>' })) };
    const html = reportHtml(document('complete'), ['train.json'], hostile);
    assert.match(html, /&lt;b&gt;x\|y/);
    // The run was logged at 2.5 s where 2 s are predicted; the latest benchmark reached 2.2 GB/s.
    assert.match(html, /<th scope="row">step<\/th><td>2.5 s<\/td><td>2 s<\/td>/);
    assert.match(html, /2026-11-29T08:00:00\.000Z.*2\.2 GB\/s/);
    const markdown = estimateMarkdown(document('complete'), ['train.json'], hostile);
    assert.match(markdown, /## Own measurements/);
    assert.match(markdown, /&lt;b>x\\\|y/);
    assert.match(markdown, /\| all-grads-sync \| 180 ms \| 60 ms \|/);
    assert.match(markdown, /- Loading data takes time/);
    assert.match(
      inLanguage('sk', () => estimateMarkdown(document('complete'), ['train.json'], own)),
      /## Vlastné merania/,
    );
    const none = { profile: null, runs: [], history: [] };
    assert.equal(reportHtml(document('complete'), ['x'], none), reportHtml(document('complete'), ['x']));
  });
});

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';
import { llama8bOn, toEnd } from '../../../bench/search/testSetups';
import { DEFAULT_OPTIONS, type SearchOptions, type SearchResult } from '../../engine/search/result';
import { search, type Walker } from '../../engine/search/search';
import { SearchHelper } from './helper';

const SETUP = llama8bOn({
  gpu: 'h100-sxm',
  gpus: 32,
  globalBatch: 64,
  seqLen: 4096,
});
const OPTIONS: SearchOptions = {
  ...DEFAULT_OPTIONS,
  fixed: { recompute: ['none', 'full'], vpp: [1, 2], cp: [1, 2], sharding: ['zero1', 'zero3'] },
};

function finish(walk?: Walker): SearchResult {
  return toEnd(search(SETUP, OPTIONS, walk));
}

describe('a search in two threads', function () {
  this.timeout(60_000);
  let folder = '';
  let helper: SearchHelper;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'meshlens-search-'));
    const outfile = join(folder, 'worker.mjs');
    buildSync({
      entryPoints: ['src/node/search/worker.ts'],
      bundle: true,
      format: 'esm',
      platform: 'node',
      mainFields: ['module', 'main'],
      target: 'node20',
      outfile,
    });
    helper = new SearchHelper(pathToFileURL(outfile), () => true);
  });
  after(async () => {
    await helper.dispose();
    rmSync(folder, { recursive: true });
  });

  it('answers as one thread does, bit for bit, the first time and when both are warm', () => {
    const alone = finish();
    assert.ok(alone.feasible > 1000);
    assert.deepEqual(finish(helper.walk), alone);
    assert.deepEqual(finish(helper.walk), alone);
  });

  it('answers where the other thread never starts', () => {
    const lame = new SearchHelper(pathToFileURL(join(folder, 'missing.mjs')), () => true);
    assert.deepEqual(finish(lame.walk), finish());
  });

  it('can be cancelled and asked again', () => {
    const run = search(SETUP, OPTIONS, helper.walk);
    run.next();
    run.return(null as never);
    assert.deepEqual(finish(helper.walk), finish());
  });
});

import assert from 'node:assert/strict';
import { PUBLISHED, searched } from '../../../bench/search/published';

/** The small ones; bench/search/published.bench.ts does all. */
const QUICK = ['GPT 175B on 64 A100', 'GPT 530B on 280 A100', 'GPT 145.6B on 1,536 A100'];

describe('published layouts', () => {
  for (const name of QUICK) {
    it(`${name} is legal, fits, and is among the best tenth of what its software could run`, () => {
      const layout = PUBLISHED.find(published => published.name === name);
      assert.ok(layout !== undefined);
      const { current, faster, feasible, setup } = searched(layout, layout.era ?? {});
      assert.ok(current !== null && faster !== null);
      assert.ok(current.peakBytes <= (setup.cluster.capacityBytes ?? 0));
      assert.ok(faster <= feasible / 10, `${faster} of ${feasible} are faster`);
    });
  }
});

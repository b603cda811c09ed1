/** Where published layouts stand among all feasible plans: `npx tsx bench/search/published.bench.ts`. */
import { formatPlan } from '../../src/engine/plan/keys';
import type { SearchResult } from '../../src/engine/search/result';
import { PUBLISHED, searched } from './published';

for (const layout of PUBLISHED) {
  const { name, source, era, exception } = layout;
  const all = searched(layout, {});
  console.log(`${name} (${source})`);
  console.log(`  of all plans: ${standing(all)}${exception === null ? '' : `; exception: ${exception}`}`);
  if (era !== null) console.log(`  of those that its software could run: ${standing(searched(layout, era))}`);
  if (all.best[0] !== undefined)
    console.log(`  best ${all.best[0].stepSeconds.toFixed(2)} s: ${formatPlan(all.best[0].plan)}`);
}

function standing({ current, faster, feasible, setup }: SearchResult): string {
  if (current === null || faster === null) return 'ILLEGAL';
  const fits = current.peakBytes <= (setup.cluster.capacityBytes ?? 0) ? 'fits' : 'does not fit';
  const share = `${((100 * faster) / feasible).toFixed(2)} % of ${feasible} feasible plans are faster`;
  return `${current.stepSeconds.toFixed(2)} s, ${fits} in ${(current.peakBytes / 1e9).toFixed(1)} GB, ${share}`;
}

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { busFactor } from './bandwidth';
import { chooseAlgorithm } from './choose';
import { LINK_PROFILES, linkFamily } from './linkProfiles';
import type { CollectiveOp } from './schedule';

// Datasheet rates of the links, bytes/s of one direction (NVIDIA and AMD datasheets).
const LINK: Record<string, number> = {
  'a100-80': 300e9,
  'h100-sxm': 450e9,
  'h200-sxm': 450e9,
  b200: 900e9,
  gb300: 900e9,
  mi355x: 535.5e9,
};

interface Row {
  op: CollectiveOp;
  device: string;
  bytes: number;
  ratio: number;
}

// Measured rows of nccl-tests; source and locator stand in the file.
const rows: Row[] = readFileSync('test/fixtures/collectives/published.csv', 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map(line => {
    const [, , op, device, ranks, domain, nic, bytes, microseconds] = line.split(',');
    const size = Number(bytes);
    const best = chooseAlgorithm(op as CollectiveOp, size, {
      ranks: Number(ranks),
      ranksPerDomain: Number(domain),
      linkBytesPerSecond: LINK[device],
      nicBytesPerSecond: nic ? Number(nic) * 1e9 : null,
      profile: LINK_PROFILES[linkFamily(device)],
    });
    assert.ok(best);
    return {
      op: op as CollectiveOp,
      device: device,
      bytes: size,
      ratio: Number(microseconds) / 1e6 / best.seconds,
    };
  });

const median = (list: number[]) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];

describe('published bandwidths', () => {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = `${row.op} on ${row.device}`;
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  for (const [name, list] of groups) {
    const above = list.filter(r => r.bytes > 2 ** 20).map(r => Math.abs(r.ratio - 1));
    const below = list.filter(r => r.bytes <= 2 ** 20).map(r => Math.max(r.ratio, 1 / r.ratio));
    if (above.length > 0)
      it(`${name}: median error of ${above.length} rows above 1 MiB is 20 % or less`, () =>
        assert.ok(median(above) <= 0.2, `${median(above)}`));
    if (below.length > 0)
      it(`${name}: median of ${below.length} rows up to 1 MiB within a factor of 2`, () =>
        assert.ok(median(below) <= 2, `${median(below)}`));
  }

  it('counts bytes as nccl-tests does', () => {
    // doc/PERFORMANCE.md of nccl-tests: factors for n ranks.
    assert.deepEqual(
      (['all-reduce', 'all-gather', 'reduce-scatter', 'all-to-all', 'broadcast', 'reduce'] as const).map(op =>
        busFactor(op, 8),
      ),
      [1.75, 0.875, 0.875, 0.875, 1, 1],
    );
  });
});

/** Fits against constants that are known: synthetic times with noise, and the published table of a third party. */
import assert from 'node:assert/strict';
import { busFactor } from '../../collectives/bandwidth';
import { allReduceSeconds } from '../../estimate/network';
import { networkRates, prepareDevice, prepareTopology } from '../../estimate/prepare';
import { CALIBRATION } from '../../hardware/calibration.generated';
import { emptyCluster, emptySetup } from '../../setup/setup';
import type { CollectiveRecord, ProductRecord } from '../records';
import { fitLinks, linkSeconds } from './alphaBeta';
import { fitLinkConstants } from './links';
import { fitProducts } from './products';
import { fitProfile } from './profile';

/** A generator with a fixed seed (mulberry32), and normal numbers from it (Box and Muller). */
function normals(seed: number): () => number {
  let state = seed;
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return (((t ^ (t >>> 14)) >>> 0) + 0.5) / 2 ** 32;
  };
  return () => Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random());
}

const record = (bytes: number, seconds: number, ranks: number): CollectiveRecord => ({
  kind: 'collective',
  line: 1,
  op: 'all-reduce',
  bytes,
  ranks,
  nodes: 1,
  seconds,
});

describe('fits of links', () => {
  it('find latency and bandwidth within 3 % under noise of 5 %, and say how sure they are', () => {
    for (const seed of [1, 2, 3]) {
      const normal = normals(seed);
      const [alpha, rate, ranks] = [42e-6, 300e9, 8];
      const list = Array.from({ length: 400 }, (_, i) => {
        const bytes = 2 ** (10 + (i % 21));
        return record(
          bytes,
          (alpha + (busFactor('all-reduce', ranks) * bytes) / rate) * Math.exp(0.05 * normal()),
          ranks,
        );
      });
      // Two outliers of a busy machine do not move it.
      const [fit] = fitLinks([...list, record(2 ** 20, 1, ranks), record(2 ** 12, 1, ranks)]);
      assert.ok(fit !== undefined);
      assert.ok(Math.abs(fit.alphaSeconds / alpha - 1) < 0.03, `alpha ${fit.alphaSeconds}`);
      assert.ok(Math.abs(fit.bytesPerSecond / rate - 1) < 0.03, `rate ${fit.bytesPerSecond}`);
      assert.ok(fit.alphaUncertainty > 0.001 && fit.alphaUncertainty < 0.2);
    }
  });

  it('tell the published table of a third party to 3 %, and its largest all-reduce to 5 %', () => {
    // damek/cs336-assignment2-systems: milliseconds of float32 buffers of 1, 10, 100 and 1000 MB; then one flat
    // all-reduce of 1,998,235,200 parameters on two ranks, 0.403 to 0.427 s, median 0.4098 s.
    const table: Readonly<Record<number, readonly number[]>> = {
      2: [0.118, 0.594, 5.27, 50.8],
      4: [0.173, 0.865, 7.9, 77.8],
    };
    const records = Object.entries(table).flatMap(([ranks, list]) =>
      list.map((milliseconds, i) => record(10 ** (6 + i), milliseconds / 1000, Number(ranks))),
    );
    const fits = fitLinks(records);
    assert.equal(fits.length, 2);
    for (const { worstError } of fits) assert.ok(worstError <= 0.03, String(worstError));
    const [two, four] = fits;
    assert.ok(two !== undefined && four !== undefined);
    assert.ok(Math.abs(two.bytesPerSecond / four.bytesPerSecond - 1) < 0.03);
    assert.ok(Math.abs(linkSeconds(two, 4 * 1_998_235_200) / 0.4098 - 1) < 0.05);
  });

  it('find the cost model’s own constants from what it would measure, and leave the rest', () => {
    const cluster = { ...emptyCluster(), gpu: 'h100-sxm', gpusPerNode: 8 };
    const device = prepareDevice(cluster, CALIBRATION);
    assert.ok(device !== null);
    const rates = networkRates(prepareTopology(cluster, device), 0.55, {
      ...CALIBRATION.common,
      linkLatencySeconds: 2 * CALIBRATION.common.linkLatencySeconds,
    });
    const normal = normals(5);
    const list = [2, 4, 8].flatMap(ranks =>
      Array.from({ length: 60 }, (_, i) => {
        const bytes = 2 ** (14 + (i % 17));
        const group = { ranks, local: ranks, crossesNodes: false };
        return record(bytes, allReduceSeconds(group, rates, bytes) * Math.exp(0.03 * normal()), ranks);
      }),
    );
    const found = fitLinkConstants(list, cluster);
    const value = (name: string) => found?.constants.find(one => one.name === name)?.value ?? 0;
    assert.ok(Math.abs(value('linkShare') / 0.55 - 1) < 0.03, String(value('linkShare')));
    assert.ok(Math.abs(value('linkLatencySeconds') / (2 * CALIBRATION.common.linkLatencySeconds) - 1) < 0.03);
    assert.ok((found?.afterError ?? 1) < 0.05 && (found?.beforeError ?? 0) > 0.1);
    const { profile } = fitProfile(list, [], { ...emptySetup(), cluster });
    assert.deepEqual(Object.keys(profile.devices), ['hopper']);
    assert.deepEqual(profile.stacks, {});
  });

  it('find the rate and the half depth of products within 3 % under noise of 3 %, and say how sure they are', () => {
    // By the formula on paper, for products that fill their tiles: t = c + 2mkn / (R·k / (k + K)).
    const [rate, halfK, launch] = [712e12, 340, 8e-6];
    for (const seed of [1, 2, 3]) {
      const normal = normals(seed);
      const products = [128, 256, 512, 1024, 2048, 4096, 8192].flatMap(k =>
        [2048, 4096, 8192].flatMap(m =>
          Array.from({ length: 12 }, (): ProductRecord => {
            const seconds = launch + (2 * m * k * 4096) / ((rate * k) / (k + halfK));
            const noisy = seconds * Math.exp(0.03 * normal());
            return { kind: 'product', line: 1, m, k, n: 4096, dtype: 'bf16', seconds: noisy };
          }),
        ),
      );
      const fit = fitProducts(products);
      assert.ok(fit !== null);
      assert.ok(Math.abs(fit.flopsPerSecond / rate - 1) < 0.03, `rate ${fit.flopsPerSecond}`);
      assert.ok(Math.abs(fit.halfK / halfK - 1) < 0.03, `half ${fit.halfK}`);
      assert.ok(fit.rateUncertainty > 1e-4 && fit.rateUncertainty < 0.03);
      assert.ok(fit.medianError < 0.04);
    }
    assert.equal(fitProducts([]), null);
  });
});

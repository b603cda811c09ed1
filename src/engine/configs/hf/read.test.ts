import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { countParameters } from '../../model/parameters';
import { setupModel } from '../../setup/setup';
import { parseJson } from '../json';
import { isHfConfig, readHfConfig } from './read';

interface Fixture {
  models: { model: string; config: Record<string, unknown>; total: number; active: number | null; buffers?: number }[];
}

const fixture = JSON.parse(readFileSync('test/fixtures/parameters.json', 'utf8')) as Fixture;

function readText(text: string) {
  const { root, problems } = parseJson('config.json', text);
  assert.ok(root !== null);
  assert.ok(isHfConfig(root));
  return readHfConfig('config.json', root, problems);
}

function model(text: string) {
  const { setup } = readText(text);
  assert.ok(setup !== null);
  const built = setupModel(setup);
  assert.ok(built !== null);
  return built;
}

describe('parameter counts of Hugging Face configs', () => {
  for (const { model: name, config, total, active, buffers } of fixture.models) {
    it(name, () => {
      const counts = countParameters(model(JSON.stringify(config)));
      assert.equal(counts.total, total);
      if (active !== null) assert.equal(counts.active, active);
      if (buffers !== undefined) assert.equal(counts.buffers, buffers);
      assert.equal(
        counts.perLayer.length,
        (config.num_hidden_layers ?? config.n_layer ?? config.n_layers ?? config.num_layers) as number,
      );
    });
  }
});

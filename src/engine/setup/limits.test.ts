import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { mergeReadings } from '../configs/merge';
import { readConfig } from '../configs/registry';
import { ZOO } from '../model/zoo';
import { setupModel } from './setup';

const FOLDER = 'test/fixtures/configs/hf';

/** Whether a setup has layers whose sequence is mixed by something else than attention, and whether that is said. */
function looked(files: Readonly<Record<string, string>>): { hybrid: boolean; said: number } {
  const readings = Object.entries(files).map(([file, text]) => readConfig(file, text));
  const { setup, problems } = mergeReadings(readings);
  const layers = setupModel(setup)?.groups.map(({ layer }) => layer) ?? [];
  // Layers that are feed-forward alone mix nothing.
  const hybrid = layers.some(({ extra }) => extra.length > 0);
  return { hybrid, said: problems.filter(({ args }) => args.what === 'layer-parts').length };
}

const trainOf = (model: string) =>
  `base_model: ${model}\nmicro_batch_size: 1\ngradient_accumulation_steps: 1\nsequence_len: 2048\ndatasets: []\n`;

describe('what layers have beside attention', () => {
  it('is said of each hybrid, wherever its sizes come from', () => {
    const found: string[] = [];
    const cases: [string, Record<string, string>][] = [
      ...readdirSync(FOLDER)
        .filter(name => name.endsWith('.json') && !name.includes('expected'))
        .map((name): [string, Record<string, string>] => [name, { [name]: readFileSync(`${FOLDER}/${name}`, 'utf8') }]),
      ...Object.keys(ZOO).map((id): [string, Record<string, string>] => [id, { 'train.yaml': trainOf(id) }]),
    ];
    for (const [name, files] of cases) {
      const { hybrid, said } = looked(files);
      if (hybrid) found.push(name);
      assert.equal(said, hybrid ? 1 : 0, name);
    }
    // Mamba in Jamba and Nemotron-H; an indexer in DeepSeek-V3.2.
    for (const name of ['jamba.json', 'nemotron-nano.json', 'deepseek-v3.2.json'])
      assert.ok(found.includes(name), name);
  });
});

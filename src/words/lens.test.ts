import assert from 'node:assert/strict';
import { estimate } from '../engine/estimate/estimate';
import { mergeReadings } from '../engine/configs/merge';
import { readAll } from '../engine/configs/registry';
import { estimateDocument } from '../documents/build';
import { missing } from './lens';

function missingOf(file: string, text: string) {
  const { setup, problems } = mergeReadings(readAll([{ file, text }]));
  return missing(estimateDocument(estimate(setup, problems)));
}

describe('what the line above a config asks for', () => {
  it('is the model where a file states none, and no key that would not help', () => {
    const text = '{"zero_optimization": {"stage": 3}, "train_batch_size": "auto", "bf16": {"enabled": "auto"}}';
    const { model, keys } = missingOf('ds_config.json', text);
    assert.deepEqual({ model, keys }, { model: true, keys: [] });
  });

  it('is each key of the plan once, by its own name', () => {
    const text =
      'base_model: NousResearch/Llama-2-7b-hf\nadapter: qlora\nload_in_4bit: true\nsequence_len: 512\nbf16: auto\nmicro_batch_size: 2\ngradient_accumulation_steps: 4\n';
    const { model, cluster, keys } = missingOf('qlora.yml', text);
    assert.deepEqual({ model, cluster }, { model: false, cluster: true });
    assert.deepEqual(keys, [...new Set(keys)]);
    assert.ok(keys.length > 0 && keys.every(key => key.startsWith('plan.')), String(keys));
  });

  it('is no model of a diffusion config', () => {
    const { model } = missingOf(
      'flux.toml',
      '[model]\nname = "flux"\nflavor = "flux-dev"\n[training]\nlocal_batch_size = 4\n',
    );
    assert.equal(model, false);
  });
});

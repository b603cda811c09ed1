import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { runCli } from './main';

/** A QLoRA recipe that leaves the number of GPUs to the launcher, as most of its kind do. */
const QLORA = `base_model: NousResearch/Llama-2-7b-hf
load_in_4bit: true
adapter: qlora
lora_r: 32
lora_target_linear: true
sequence_len: 4096
gradient_accumulation_steps: 4
micro_batch_size: 2
optimizer: paged_adamw_32bit
bf16: auto
gradient_checkpointing: true
flash_attention: true
`;
const ZERO3 = '{"zero_optimization": {"stage": 3}, "train_batch_size": "auto", "bf16": {"enabled": true}}';
const LLAMA = JSON.stringify({
  architectures: ['LlamaForCausalLM'],
  model_type: 'llama',
  hidden_size: 64,
  intermediate_size: 128,
  num_hidden_layers: 2,
  num_attention_heads: 4,
  vocab_size: 100,
});

describe('the next step of the command line', () => {
  let folder = '';
  before(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'meshlens-next-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  const next = (name: string, text: string, ...options: string[]) => {
    const file = path.join(folder, name);
    writeFileSync(file, text);
    const [command = 'estimate', ...rest] = options;
    return /^next +(.*)$/m.exec(runCli([command, file, ...rest]).stdout)?.[1] ?? null;
  };

  it('asks for the number of GPUs, from which the batch follows', () => {
    const expected = 'Give what no file states: --gpus N';
    for (const command of ['estimate', 'search'])
      assert.equal(next('qlora.yml', QLORA, command, '--gpu', 'rtx-4090'), expected);
    assert.equal(next('qlora.yml', QLORA, 'estimate', '--gpu', 'rtx-4090', '--gpus', '1'), null, 'nothing is missing');
  });

  it('asks for accelerator, GPUs and keys at once', () => {
    const expected =
      'Give what no file states: --gpu ID (--gpu list prints them) --gpus N --set microBatch=…,globalBatch=…,seqLen=…';
    assert.equal(next('config.json', LLAMA, 'estimate'), expected);
    const whole = ['--gpu', 'h100-sxm', '--gpus', '8', '--set', 'microBatch=1,globalBatch=8,seqLen=128'];
    assert.equal(next('config.json', LLAMA, 'estimate', ...whole), null);
  });

  it('asks for the model before all else', () => {
    for (const command of ['estimate', 'search', 'prove'])
      assert.match(next('ds.json', ZERO3, command, '--gpus', '4') ?? '', /config\.json of the model/, command);
  });

  it('asks a proof for its ranks alone', () => {
    assert.equal(next('config.json', LLAMA, 'prove'), 'Give the ranks to lay out: --gpus N, or --set dp=…');
    assert.equal(next('config.json', LLAMA, 'prove', '--gpus', '2', '--steps', '1'), null);
  });
});

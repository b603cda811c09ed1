import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { closeAll, lensTitles, open, product, replace, until, workspaceFile } from './support';

const isLink = (code: vscode.Diagnostic['code']): code is { value: string; target: vscode.Uri } =>
  typeof code === 'object';
/** The problem whose code leads to the framework's rule. */
const isHeads = ({ code }: vscode.Diagnostic) => isLink(code) && code.value === 'heads-tp';

/** Small configs of our own, one a kind of text, with the tp that they state. */
const CONFIGS: Readonly<Record<string, string>> = {
  'nanotron.yaml': `general:
  project: ours
model:
  model_config: { hidden_size: 2048, intermediate_size: 8192, num_attention_heads: 32, num_hidden_layers: 16, num_key_value_heads: 8, vocab_size: 128256, is_llama_config: true, max_position_embeddings: 4096, tie_word_embeddings: true }
parallelism:
  dp: 2
  pp: 1
  tp: 4 # one node
tokens:
  batch_accumulation_per_replica: 8
  micro_batch_size: 1
  sequence_length: 4096
`,
  'titan.toml': `[job]
description = "ours"

[model]
name = "llama3"
flavor = "8B"

[training]
local_batch_size = 1
seq_len = 8192
steps = 10

[parallelism]
data_parallel_shard_degree = -1
tensor_parallel_degree = 4

[activation_checkpoint]
mode = "none"
`,
  'train.sh': `#!/bin/bash
torchrun --nproc_per_node 8 --nnodes 1 pretrain_gpt.py \\
  --num-layers 16 --hidden-size 2048 --num-attention-heads 32 \\
  --seq-length 4096 --max-position-embeddings 4096 --vocab-size 50257 \\
  --micro-batch-size 1 --global-batch-size 64 --tensor-model-parallel-size 4 --bf16
`,
};

describe('kinds of configs in the editor', () => {
  afterEach(closeAll);

  for (const [name, text] of Object.entries(CONFIGS)) {
    it(`reads ${name}`, async () => {
      await vscode.workspace.fs.writeFile(workspaceFile('kinds', name, name), new TextEncoder().encode(text));
      const document = await open('kinds', name, name);
      const view = await (await product()).setups.ensure(document);
      assert.equal(view?.answer.document.setup.plan.tp, 4);
      assert.match((await lensTitles(document.uri))[0] ?? '', /params/);
    });
  }

  it('offers a quick fix that makes the problem go away', async () => {
    const train = await open('llama-3.1-8b', 'train.json');
    const { setups } = await product();
    await setups.ensure(train);
    await replace(train, '"tp_size": 4', '"tp_size": 3');
    const marked = await until(
      () => vscode.languages.getDiagnostics(train.uri).find(isHeads),
      vscode.languages.onDidChangeDiagnostics,
    );
    assert.match(
      isLink(marked.code) ? marked.code.target.toString() : '',
      /huggingface\/picotron\/blob\/\w+\/picotron\/model.py#L95/,
    );
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      train.uri,
      marked.range,
    );
    const fix = actions.find(({ edit }) => edit !== undefined);
    assert.ok(fix?.edit !== undefined, 'a fix is offered');
    assert.ok(await vscode.workspace.applyEdit(fix.edit));
    await until(
      () => (vscode.languages.getDiagnostics(train.uri).some(isHeads) ? undefined : true),
      vscode.languages.onDidChangeDiagnostics,
    );
    await vscode.window.showTextDocument(train);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });
});

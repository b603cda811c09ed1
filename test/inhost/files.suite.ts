import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { closeAll, open, product, until, workspaceFile } from './support';

const ENV = `TP=4
MODEL_ARGS="--num-layers 16 --hidden-size 2048 --num-attention-heads 32 --seq-length 4096 --max-position-embeddings 4096"
`;
const TRAIN = `#!/bin/bash
source ../common/env.sh
torchrun --nproc_per_node 8 --nnodes 1 pretrain_gpt.py $MODEL_ARGS --vocab-size 50257 --bf16 \\
  --micro-batch-size 1 --global-batch-size 64 --tensor-model-parallel-size $TP --deepspeed --deepspeed_config zero.json
`;

async function write(text: string, ...parts: string[]): Promise<vscode.Uri> {
  const uri = workspaceFile('files', ...parts);
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  return uri;
}

describe('setups spread over files', () => {
  const tpOf = async (uri: vscode.Uri) => (await product()).setups.view(uri)?.answer.document.setup.plan.tp;

  before(async () => {
    await write(ENV, 'common', 'env.sh');
    await write(TRAIN, 'jobs', 'train.sh');
    await write('{"zero_optimization": {"stage": 1}}', 'jobs', 'zero.json');
    await write('{"zero_optimization": {"stage": 2}}', 'elsewhere', 'zero2.json');
  });
  afterEach(closeAll);

  it('take what a script sources from elsewhere in the workspace, and follow it', async () => {
    const train = await open('files', 'jobs', 'train.sh');
    const { setups } = await product();
    const view = await setups.ensure(train);
    assert.equal(view?.answer.document.setup.plan.tp, 4);
    assert.equal(view.answer.document.setup.plan.sharding, 'zero1');
    const field = view.answer.fields.find(({ path }) => path === 'plan.tp');
    assert.equal(field?.file, 'files/common/env.sh');

    const env = await vscode.workspace.openTextDocument(workspaceFile('files', 'common', 'env.sh'));
    const edit = new vscode.WorkspaceEdit();
    edit.replace(env.uri, new vscode.Range(0, 0, 0, 4), 'TP=8');
    assert.ok(await vscode.workspace.applyEdit(edit));
    const typed = () => (setups.view(train.uri)?.answer.document.setup.plan.tp === 8 ? true : undefined);
    await until(typed, setups.onDidChange);
    await vscode.window.showTextDocument(env);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    assert.equal(await tpOf(train.uri), 8);
  });

  it('are what the user chose, until the choice is taken back', async () => {
    const train = await open('files', 'jobs', 'train.sh');
    const { setups } = await product();
    await setups.ensure(train);
    await setups.choose(train.uri, [workspaceFile('files', 'elsewhere', 'zero2.json')]);
    assert.equal(setups.view(train.uri)?.answer.document.setup.plan.sharding, 'zero2');
    await setups.choose(train.uri, null);
    assert.equal(setups.view(train.uri)?.answer.document.setup.plan.sharding, 'zero1');
  });
});

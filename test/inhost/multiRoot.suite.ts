import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Setups } from '../../src/extension/setups';
import { closeAll, product, until } from './support';

async function openIn(folder: string): Promise<vscode.TextDocument> {
  const found = vscode.workspace.workspaceFolders?.find(({ name }) => name === folder);
  assert.ok(found, folder);
  const document = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(found.uri, 'train.json'));
  await vscode.window.showTextDocument(document);
  return document;
}

const gpuOf = (setups: Setups, { uri }: vscode.TextDocument) => setups.view(uri)?.answer.document.setup.cluster.gpu;

describe('a workspace of two folders', () => {
  afterEach(closeAll);

  it('takes the settings of each folder for its configs', async () => {
    const { setups } = await product();
    for (const [folder, gpu] of [
      ['one', 'h100-sxm'],
      ['two', 'a100-80'],
    ] as const) {
      const document = await openIn(folder);
      const view = await setups.ensure(document);
      assert.equal(gpuOf(setups, document), gpu);
      // The model's file of the same folder belongs to it, and no other.
      assert.deepEqual(
        view?.answer.files.map(({ file }) => file),
        [`${folder}/train.json`, `${folder}/config.json`],
      );
    }
  });

  it('takes the meshlens.json of each folder for its configs', async () => {
    const { setups } = await product();
    const [one, two] = [await openIn('one'), await openIn('two')];
    const file = vscode.Uri.joinPath(two.uri, '..', 'meshlens.json');
    await Promise.all([setups.ensure(one), setups.ensure(two)]);
    await vscode.workspace.fs.writeFile(file, new TextEncoder().encode('{ "cluster": { "gpu": "b200" } }'));
    await until(() => (gpuOf(setups, two) === 'b200' ? true : undefined), setups.onDidChange);
    assert.equal(gpuOf(setups, one), 'h100-sxm');
    await vscode.workspace.fs.delete(file);
    await until(() => (gpuOf(setups, two) === 'a100-80' ? true : undefined), setups.onDidChange);
  });
});

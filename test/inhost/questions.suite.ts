/** Every question of the extension, answered in VS Code's own boxes as a user answers it. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { EstimateDocument } from '../../src/documents/types';
import type { Asked } from '../../src/extension/ask';
import { missing } from '../../src/words/lens';
import { closeAll, open, product, until, workspaceFile } from './support';

const FOLDER = 'llama-3.1-8b';
const ACCEPT = 'workbench.action.acceptSelectedQuickOpenItem';
const LEAVE = 'workbench.action.closeQuickOpen';

type Answer = (box: Asked) => Promise<void>;

const isPick = (box: Asked): box is vscode.QuickPick<vscode.QuickPickItem> => 'items' in box;

/** Changes of a box travel with the next message; showing it again is one that goes at once. */
async function accept(box: Asked): Promise<void> {
  box.show();
  await vscode.commands.executeCommand(ACCEPT);
}

const choose =
  (...labels: readonly string[]): Answer =>
  async box => {
    assert.ok(isPick(box), 'entries are offered');
    const items = labels.map(label => box.items.find(item => item.label === label));
    assert.ok(
      items.every(item => item !== undefined),
      `${labels.join()} among ${box.items.map(({ label }) => label).join()}`,
    );
    if (box.canSelectMany) box.selectedItems = items;
    else box.activeItems = items;
    await accept(box);
  };

const type =
  (text: string): Answer =>
  async box => {
    assert.ok(!isPick(box), 'a text is asked for');
    box.value = text;
    await accept(box);
  };

const leave: Answer = async () => void (await vscode.commands.executeCommand(LEAVE));

/** Runs a command and answers its questions in their order; each must be asked. */
async function answering(command: string, args: readonly unknown[], ...answers: readonly Answer[]): Promise<Asked[]> {
  const { onDidAsk } = await product();
  const boxes: Asked[] = [];
  let failure: unknown;
  const listener = onDidAsk(box => {
    const answer = answers[boxes.length];
    boxes.push(box);
    (answer ?? leave)(box).catch((error: unknown) => {
      failure ??= error;
      box.hide();
    });
  });
  try {
    await vscode.commands.executeCommand(command, ...args);
  } finally {
    listener.dispose();
  }
  if (failure !== undefined) throw failure as Error;
  assert.equal(boxes.length, answers.length, 'as many questions as answers');
  return boxes;
}

const TARGETS = [
  ['workspaceValue', vscode.ConfigurationTarget.Workspace],
  ['workspaceFolderValue', vscode.ConfigurationTarget.WorkspaceFolder],
] as const;

/** Settings that answers write, as they are now; gives what puts them back. */
function settingsNow(): () => Promise<void> {
  const settings = () => vscode.workspace.getConfiguration('meshlens', workspaceFile(FOLDER));
  const cluster = ['gpu', 'nodes', 'gpusPerNode', 'nicBytesPerSecond', 'domainSize'].map(key => `cluster.${key}`);
  const before = [...cluster, 'exclude', 'statusBar.enabled'].map(key => ({ key, found: settings().inspect(key) }));
  return async () => {
    for (const { key, found } of before)
      for (const [name, target] of TARGETS)
        await settings()
          .update(key, found?.[name], target)
          .then(undefined, () => undefined);
  };
}

describe('questions', () => {
  let resetSettings: () => Promise<void>;

  beforeEach(() => {
    resetSettings = settingsNow();
  });
  afterEach(async () => {
    await resetSettings();
    await closeAll();
    await vscode.workspace.fs.delete(workspaceFile('bare'), { recursive: true }).then(undefined, () => undefined);
  });

  const clusterOf = async (uri: vscode.Uri) => {
    const { setups } = await product();
    return () => setups.view(uri)?.answer.document.setup.cluster;
  };

  it('a machine and its nodes are chosen, and the estimate follows', async () => {
    const { uri } = await open(FOLDER, 'train.json');
    const { setups } = await product();
    const cluster = await clusterOf(uri);
    const [machines] = await answering('meshlens.chooseCluster', [uri], choose('DGX A100 80GB'), type('4'));
    assert.ok(machines !== undefined && isPick(machines));
    const found = await until(() => (cluster()?.gpu === 'a100-80' ? cluster() : undefined), setups.onDidChange);
    // NVIDIA's DGX A100 datasheet: eight GPUs, eight HDR InfiniBand adapters of 200 Gb/s.
    assert.deepEqual([found.gpusPerNode, found.nodes, found.nicBytesPerSecond], [8, 4, 25e9]);
  });

  it('an accelerator asks how many stand in a node; an answer that is no number stays', async () => {
    const { uri } = await open(FOLDER, 'train.json');
    const { setups } = await product();
    const cluster = await clusterOf(uri);
    const twice: Answer = async box => {
      await type('four')(box);
      assert.ok('validationMessage' in box && box.validationMessage !== undefined, 'it says what is wrong');
      await type('2')(box);
    };
    await answering('meshlens.chooseCluster', [uri], choose('RTX-4090-24GB'), twice, type(''));
    const found = await until(() => (cluster()?.gpu === 'rtx-4090' ? cluster() : undefined), setups.onDidChange);
    assert.equal(found.gpusPerNode, 2);
  });

  it('leaving in the midst changes nothing', async () => {
    const { uri } = await open(FOLDER, 'train.json');
    await (await product()).setups.ensure(await vscode.workspace.openTextDocument(uri));
    const cluster = await clusterOf(uri);
    const before = cluster();
    await answering('meshlens.chooseCluster', [uri], choose('DGX A100 80GB'), leave);
    assert.deepEqual(cluster(), before);
  });

  /** A model in a folder of its own, so that nothing beside it states a plan. */
  async function bareModel(): Promise<vscode.Uri> {
    const uri = workspaceFile('bare', 'config.json');
    await vscode.workspace.fs.copy(workspaceFile(FOLDER, 'config.json'), uri, { overwrite: true });
    await vscode.window.showTextDocument(uri);
    const view = await (await product()).setups.ensure(await vscode.workspace.openTextDocument(uri));
    assert.ok(view !== undefined);
    return uri;
  }

  it('values that no file states are asked for one by one, and fill in the estimate', async () => {
    const uri = await bareModel();
    const { setups } = await product();
    const plan = () => setups.view(uri)?.answer.document.setup.plan;
    const values: Readonly<Record<string, string>> = { seqLen: '4096', microBatch: '2', globalBatch: '16' };
    const unknown = missing(setups.view(uri)?.answer.document as EstimateDocument).keys;
    assert.ok(unknown.length > 1, unknown.join());
    const byKey: Answer = box => type(values[/\((\w+)\)$/.exec(box.title ?? '')?.[1] ?? ''] ?? '1')(box);
    await answering('meshlens.askValues', [uri], ...unknown.map(() => byKey));
    const { seqLen, microBatch } = await until(
      () => (plan()?.seqLen === 4096 ? plan() : undefined),
      setups.onDidChange,
    );
    assert.deepEqual([seqLen, microBatch], [4096, 2]);
  });

  it('the files of a setup are ticked in a list', async () => {
    const uri = await bareModel();
    const { setups } = await product();
    const files = () => setups.view(uri)?.answer.files.map(({ file }) => file);
    await answering('meshlens.chooseFiles', [uri], choose(`${FOLDER}/train.json`));
    assert.deepEqual(files(), ['bare/config.json', `${FOLDER}/train.json`]);
    await answering('meshlens.chooseFiles', [uri], choose('By the files themselves'));
    assert.deepEqual(files(), ['bare/config.json']);
  });

  it('a plan is kept under the name that is entered', async () => {
    const { uri } = await open(FOLDER, 'train.json');
    const { plans, setups } = await product();
    await setups.ensure(await vscode.workspace.openTextDocument(uri));
    await answering('meshlens.savePlan', [uri], type('as it was'));
    const [plan] = plans.getChildren();
    assert.equal(plan?.name, 'as it was');
    await vscode.commands.executeCommand('meshlens.deletePlan', plan);
  });

  it('an exercise is chosen by its title', async () => {
    const [titles] = await answering('meshlens.exercise', [], async box => {
      assert.ok(isPick(box));
      await choose(box.items[0]?.label ?? '')(box);
    });
    assert.ok(titles !== undefined && isPick(titles) && titles.items.length > 1);
    assert.equal(vscode.window.activeTextEditor?.document.isUntitled, true);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('what is hidden is chosen from a list', async () => {
    const { uri } = await open(FOLDER, 'train.json');
    const { setups } = await product();
    await setups.ensure(await vscode.workspace.openTextDocument(uri));
    await answering('meshlens.hide', [uri], choose('The entry in the status bar'));
    assert.equal(vscode.workspace.getConfiguration('meshlens', uri).get('statusBar.enabled'), false);
  });
});

import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { VIEW_TYPE } from '../../src/extension/panel';
import { closeAll, loaded, open, product, replace, until, workspaceFile } from './support';

const FOLDER = 'llama-3.1-8b';

function dashboards(): vscode.Tab[] {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith(VIEW_TYPE));
}

/** Opens the dashboard of the file and waits until its page has drawn the figures and loaded the rest. */
async function drawn(uri: vscode.Uri) {
  await vscode.commands.executeCommand('meshlens.openDashboard', uri);
  const panel = (await product()).panel(uri);
  assert.ok(panel !== undefined);
  await loaded(panel);
  return panel;
}

async function closed(): Promise<void> {
  await closeAll();
  await until(() => (dashboards().length === 0 ? true : undefined), vscode.window.tabGroups.onDidChangeTabs);
}

describe('the dashboard panel', () => {
  afterEach(closed);

  it('is one for a setup, however fast it is asked for', async () => {
    const { uri } = await open(FOLDER, 'train.json');
    await Promise.all([1, 2, 3].map(() => vscode.commands.executeCommand('meshlens.openDashboard', uri)));
    await drawn(uri);
    assert.equal(dashboards().length, 1);
  });

  it('comes back after a reload for the file of its state', async () => {
    const { uri } = await open(FOLDER, 'train.json');
    const host = await product();
    const kept = vscode.window.createWebviewPanel(VIEW_TYPE, 'kept', vscode.ViewColumn.Beside);
    await host.restorePanel(kept, { uri: uri.toString(), open: [], scroll: 0, chosen: { page: 'memory' } });
    const panel = host.panel(uri);
    assert.ok(panel !== undefined);
    const report = await until(() => panel.report, panel.onDidReport);
    assert.equal(report['parameters'], '8030261248');
  });

  it('keeps what a search found until what was asked changes', async () => {
    const document = await open(FOLDER, 'train.json');
    const panel = await drawn(document.uri);
    const { setups } = await product();
    await panel.startSearch();
    await setups.refreshAll();
    assert.equal(panel.searchState.phase, 'done');
    await replace(document, '"tp_size": 4', '"tp_size": 2');
    await until(() => (panel.searchState.phase === 'idle' ? true : undefined), setups.onDidChange);
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  it('closes where the file of its state is gone', async () => {
    const host = await product();
    const gone = vscode.window.createWebviewPanel(VIEW_TYPE, 'gone', vscode.ViewColumn.One);
    let disposed = false;
    gone.onDidDispose(() => (disposed = true));
    await host.restorePanel(gone, { uri: workspaceFile(FOLDER, 'gone.json').toString() });
    assert.ok(disposed);
  });

  it('is sent anew when it is shown again', async () => {
    const train = await open(FOLDER, 'train.json');
    const panel = await drawn(train.uri);
    const before = panel.state?.version ?? 0;
    const column =
      vscode.window.tabGroups.all.findIndex(({ tabs }) => dashboards().some(tab => tabs.includes(tab))) + 1;
    await vscode.window.showTextDocument(workspaceFile(FOLDER, 'config.json'), { viewColumn: column });
    panel.reveal();
    await until(() => ((panel.state?.version ?? 0) > before ? true : undefined), panel.onDidReport);
    assert.ok(panel.report !== undefined);
  });
});

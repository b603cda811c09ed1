import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { VIEW_TYPE } from '../../src/extension/panel';
import { closeAll, loaded, open, product, until, workspaceFile } from './support';

const FOLDER = 'llama-3.1-8b';

/** How often the dashboard is opened and closed; `npm run soak panels` does it more often. */
const ROUNDS = Number(process.env['MESHLENS_PANELS'] ?? 10);

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

  it('leaves nothing behind when it is opened and closed again and again', async () => {
    const train = await open(FOLDER, 'train.json');
    const host = await product();
    (await drawn(train.uri)).reveal();
    await closed();
    const resources = () => process.getActiveResourcesInfo().filter(name => /Worker|MessagePort/.test(name)).length;
    const before = resources();
    const panels = [];
    for (let round = 0; round < ROUNDS; round++) {
      await vscode.commands.executeCommand('meshlens.openDashboard', train.uri);
      const panel = host.panel(train.uri);
      assert.ok(panel !== undefined && panel.listeners > 0);
      panels.push(panel);
      // The tab comes a little later than the panel.
      await until(() => (dashboards().length === 1 ? true : undefined), vscode.window.tabGroups.onDidChangeTabs);
      await vscode.window.tabGroups.close(dashboards());
      await until(() => (host.panel(train.uri) === undefined ? true : undefined), panel.onDidDispose);
    }
    assert.equal(new Set(panels).size, ROUNDS);
    assert.deepEqual(new Set(panels.map(({ listeners }) => listeners)), new Set([0]));
    assert.equal(host.panel(train.uri), undefined);
    assert.ok(resources() <= before, `${resources()} workers and ports, ${before} before`);
  }).timeout(120_000);
});

import assert from 'node:assert/strict';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as vscode from 'vscode';
import type { DashboardPanel } from '../../src/extension/panel';
import { closeAll, loaded, open, product } from './support';

/** How often the dashboard is opened and closed; the soak sets more. */
const CYCLES = Number(process.env.MESHLENS_CYCLES ?? 5);
const MOST_SECONDS_A_CYCLE = 25;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const threads = (): number => process.getActiveResourcesInfo().filter(kind => kind === 'MessagePort').length;

async function openAndClose(
  panelOf: (uri: vscode.Uri) => DashboardPanel | undefined,
): Promise<WeakRef<DashboardPanel>> {
  const train = await open('llama-3.1-8b', 'train.json');
  await vscode.commands.executeCommand('meshlens.openDashboard', train.uri);
  const panel = panelOf(train.uri);
  assert.ok(panel !== undefined);
  await loaded(panel);
  await closeAll();
  assert.equal(panelOf(train.uri), undefined);
  assert.equal(panel.listeners, 0);
  return new WeakRef(panel);
}

describe('dashboards opened and closed', () => {
  afterEach(closeAll);

  it('report each time, and leave no panel, listener or thread behind', async function () {
    this.timeout(CYCLES * MOST_SECONDS_A_CYCLE * 1000);
    const lens = await product();
    const panelOf = (uri: vscode.Uri) => lens.panel(uri);
    await openAndClose(panelOf);
    const before = threads();
    const closed: WeakRef<DashboardPanel>[] = [];
    for (let cycle = 0; cycle < CYCLES; cycle++) closed.push(await openAndClose(panelOf));
    assert.equal(threads(), before);
    // Two turns: what the last turn's promises hold is free only after them.
    for (let turn = 0; turn < 2; turn++) {
      await new Promise(resolve => setImmediate(resolve));
      collectGarbage();
    }
    const held = closed.filter(panel => panel.deref() !== undefined).length;
    console.info(`dashboards: ${CYCLES} opened and closed, ${held} still held`);
    // A listener that was left would hold its panel. VS Code itself may still know the last one.
    assert.ok(held <= 1, `${held} of ${CYCLES} closed panels are still held`);
  });
});

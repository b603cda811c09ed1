import assert from 'node:assert/strict';
import { cpSync, rmSync } from 'node:fs';
import { queryObjects, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as vscode from 'vscode';
import { product, replace, until, workspaceFile } from './support';

/** How often a config is opened, edited and closed; the soak sets more. */
const EDITS = Number(process.env.MESHLENS_EDITS ?? 15);
const FOLDERS = 5;
const MOST_SECONDS_A_CYCLE = 30;
/** Each listener is a function, as is each promise's continuation; VS Code's own caches grow to their sizes at first. */
const MOST_FUNCTIONS_A_CYCLE = 3;
const MOST_BYTES_A_CYCLE = 20_000;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

async function inUse() {
  for (let turn = 0; turn < 3; turn++) {
    await new Promise(resolve => setImmediate(resolve));
    collectGarbage();
  }
  return {
    functions: queryObjects(Function, { format: 'count' }),
    heap: process.memoryUsage().heapUsed,
    resident: process.memoryUsage().rss,
  };
}

describe('configs opened, edited and closed', () => {
  const name = (turn: number) => `cycle-${turn % FOLDERS}`;
  before(() => {
    for (let k = 0; k < FOLDERS; k++)
      cpSync(workspaceFile('llama-3.1-8b').fsPath, workspaceFile(name(k)).fsPath, { recursive: true });
  });
  after(() => {
    for (let k = 0; k < FOLDERS; k++) rmSync(workspaceFile(name(k)).fsPath, { recursive: true });
  });

  it('leave no view, listener or memory behind', async function () {
    this.timeout(EDITS * MOST_SECONDS_A_CYCLE * 1000);
    const { setups } = await product();
    const known = setups.all().length;
    const cycle = async (turn: number) => {
      const uri = workspaceFile(name(turn), 'train.json');
      // As a user opens it: what an extension opens by itself VS Code keeps for minutes.
      await vscode.commands.executeCommand('vscode.open', uri);
      const document = vscode.window.activeTextEditor?.document;
      assert.equal(document?.uri.toString(), uri.toString());
      await until(() => setups.view(uri), setups.onDidChange);
      await replace(document, '"tp_size": 4', '"tp_size": 2');
      const tp = () => (setups.view(uri)?.answer.document.setup.plan.tp === 2 ? true : undefined);
      await until(tp, setups.onDidChange);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
      await until(() => (setups.view(uri) === undefined ? true : undefined), setups.onDidChange);
    };
    const warm = Math.ceil(EDITS / 5);
    for (let turn = 0; turn < warm; turn++) await cycle(turn);
    const before = await inUse();
    for (let turn = warm; turn < EDITS; turn++) await cycle(turn);
    const after = await inUse();
    const counted = EDITS - warm;
    const more = (key: keyof typeof before) => (after[key] - before[key]) / counted;
    console.info(
      `configs: ${EDITS} opened, edited and closed; from the ${warm}th on, each left ${more('functions').toFixed(2)} functions, ` +
        `${more('heap').toFixed(0)} bytes of heap; resident ${(before.resident / 1e6).toFixed(0)} → ${(after.resident / 1e6).toFixed(0)} MB`,
    );
    assert.equal(setups.all().length, known);
    // Few cycles show nothing but what VS Code keeps of the last one.
    if (counted < 100) return;
    assert.ok(more('functions') < MOST_FUNCTIONS_A_CYCLE && more('heap') < MOST_BYTES_A_CYCLE);
  });
});

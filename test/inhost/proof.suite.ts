import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { closeAll, commandLine, lensTitles, open, product, replace, until, workspaceFile } from './support';

async function dashboard() {
  const train = await open('llama-3.1-8b', 'train.json');
  await vscode.commands.executeCommand('meshlens.openDashboard', train.uri);
  const panel = (await product()).panel(train.uri);
  assert.ok(panel !== undefined);
  await until(() => panel.report, panel.onDidReport);
  return { train, panel };
}

describe('the proof of a plan', () => {
  afterEach(closeAll);

  it('is offered above a config and runs the plan of the file beside the serial run', async () => {
    const { train, panel } = await dashboard();
    assert.ok((await lensTitles(train.uri)).includes('Prove this plan'));
    const seen: number[] = [];
    const following = panel.onDidSend(({ proof }) => proof?.phase === 'running' && seen.push(proof.done));
    await vscode.commands.executeCommand('meshlens.prove', train.uri);
    following.dispose();
    const { proof } = panel.state ?? {};
    assert.ok(proof?.phase === 'done', JSON.stringify(proof));
    const { result, twin } = proof.document;
    assert.deepEqual([result?.equal, twin?.ranks, result?.mismatches], [true, 16, []]);
    assert.ok(seen.includes(0) && seen.includes(3), `progress by step: ${seen.join(' ')}`);
  });

  it('learns a text file of the user’s, and says which, with the losses of the command line', async () => {
    const { train, panel } = await dashboard();
    // Any bytes are a text.
    const text = workspaceFile('llama-3.1-8b', 'config.json');
    const losses = async () => {
      await vscode.commands.executeCommand('meshlens.prove', train.uri);
      const { proof } = panel.state ?? {};
      assert.ok(proof?.phase === 'done');
      return proof.document.result?.losses;
    };
    const before = await losses();
    await panel.proof.chooseText(text);
    const after = await losses();
    assert.match(panel.state?.proofText ?? '', /config\.json$/);
    assert.notDeepEqual(after, before);
    const files = [train.uri.fsPath, text.fsPath];
    const cli = commandLine('prove', ...files, '--data', text.fsPath) as unknown as { result: { losses: number[] } };
    assert.deepEqual(after, cli.result.losses);
    panel.proof.forgetText();
  });

  it('runs the plan that a search proposes', async () => {
    const { train, panel } = await dashboard();
    const planString = 'dp=4,tp=2,pp=2,microBatch=1,globalBatch=64,seqLen=4096';
    await vscode.commands.executeCommand('meshlens.prove', train.uri, planString);
    const { proof } = panel.state ?? {};
    assert.ok(proof?.phase === 'done');
    assert.match(proof.document.twin?.planString ?? '', /^dp=4,tp=2,.*pp=2/);
    assert.equal(proof.document.result?.equal, true);
  });

  it('ends in the midst of a step when it is cancelled, and answers the editor meanwhile', async () => {
    const { train, panel } = await dashboard();
    const planString = 'dp=16,tp=8,cp=4,pp=4,microBatch=1,globalBatch=256,seqLen=4096';
    const run = vscode.commands.executeCommand('meshlens.prove', train.uri, planString);
    await until(() => (panel.proof.state.phase === 'running' ? true : undefined), panel.onDidSend);
    const product_ = await product();
    assert.ok(await product_.setups.ensure(train), 'the engine answers beside the proof');
    const asked = performance.now();
    panel.proof.cancel();
    await run;
    const milliseconds = performance.now() - asked;
    console.log(`cancelling the proof: ${milliseconds.toFixed(0)} ms`);
    assert.deepEqual(panel.proof.state, { phase: 'idle' });
  });

  it('is forgotten when the plan changes, and refuses in words', async () => {
    const train = await open('llama-3.1-8b', 'train.json');
    const { setups, panel: panelOf } = await product().then(p => ({
      setups: p.setups,
      panel: (uri: vscode.Uri) => p.panel(uri),
    }));
    // The state is asked for here, not the page: the command alone opens the dashboard.
    await vscode.commands.executeCommand('meshlens.prove', train.uri, 'tp=3');
    const panel = panelOf(train.uri);
    assert.ok(panel !== undefined);
    const proof = panel.proof.state;
    assert.ok(proof.phase === 'done' && proof.document.result === null, JSON.stringify(proof).slice(0, 300));
    assert.ok(proof.document.problems.some(({ code }) => code === 'heads-tp'));
    await replace(train, '"tp_size": 4', '"tp_size": 2');
    await until(() => (panel.proof.state.phase === 'idle' ? true : undefined), setups.onDidChange);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });
});

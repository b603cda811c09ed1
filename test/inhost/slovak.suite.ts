import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { closeAll, lensTitles, product, replace, until } from './support';

/** The first folder's config (test/host/run.mjs, multiRoot), in an editor. */
async function openTrain(): Promise<vscode.TextDocument> {
  const folder = vscode.workspace.workspaceFolders?.[0];
  assert.ok(folder);
  const document = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(folder.uri, 'train.json'));
  await vscode.window.showTextDocument(document);
  return document;
}

/** Numbers are grouped by no-break spaces. */
const plain = (text: string | undefined) => (text ?? '').replace(/[\u00a0\u202f]/g, ' ');

describe('in Slovak', () => {
  afterEach(closeAll);

  it('the line above a config has Slovak words and decimal commas', async () => {
    const [summary, prove] = await lensTitles((await openTrain()).uri);
    assert.match(
      plain(summary),
      /^8,03 mld\. parametrov · \d+,\d z 85,5 GB\/GPU · [\d ]+ tok\/s\/GPU · MFU [\d,]+ % · bublina [\d,]+ %$/,
    );
    assert.equal(prove, 'Dokázať tento plán');
  });

  it('problems, which the engine’s worker says, are Slovak', async () => {
    const train = await openTrain();
    const { setups } = await product();
    await setups.ensure(train);
    await replace(train, '"tp_size": 4', '"tp_size": 3');
    const marks = () => vscode.languages.getDiagnostics(train.uri).filter(({ source }) => source === 'MeshLens');
    const found = () => marks().find(({ message }) => message.startsWith('Počet hláv pozornosti'));
    const { message } = await until(found, vscode.languages.onDidChangeDiagnostics);
    assert.equal(message, 'Počet hláv pozornosti 32 sa nedá rozdeliť na tp 3.');
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await until(() => (marks().length === 0 ? true : undefined), vscode.languages.onDidChangeDiagnostics);
  });

  it('the dashboard’s page is Slovak', async () => {
    const train = await openTrain();
    const lens = await product();
    await lens.run('openDashboard', [train.uri]);
    const panel = lens.panel(train.uri);
    assert.ok(panel);
    await until(() => panel.report, panel.onDidReport);
    assert.equal(panel.report?.['language'], 'sk');
    assert.match(plain(panel.report['memoryCard']), /^Pamäť.*\d,\d GB.*z 85,5 GB na najplnšom stupni/);
  });

  it('agents are answered in English, with points', async () => {
    const train = await openTrain();
    const files = [vscode.workspace.asRelativePath(train.uri)];
    const { content } = await vscode.lm.invokeTool('estimate_training_config', {
      input: { files, cluster: { gpu: 'h200-sxm' } },
      toolInvocationToken: undefined,
    });
    const text = content.map(part => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
    assert.match(text, /^8\.03 B params · [\d.]+ of [\d.]+ GB\/GPU/);
    const { parameters, mfu } = JSON.parse(/```json\n(.*)\n```$/.exec(text)?.[1] ?? '{}') as Record<string, unknown>;
    assert.equal(parameters, 8_030_261_248);
    assert.ok(typeof mfu === 'number' && mfu > 0 && mfu < 1);
  });
});

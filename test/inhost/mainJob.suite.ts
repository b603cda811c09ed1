import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { LENS_WORDS, lensTitle } from '../../src/words/lens';
import { closeAll, commandLine, extension, lensTitles, open, product, replace, until, workspaceFile } from './support';

const FOLDER = 'llama-3.1-8b';
const GPU = ['--gpu', 'h100-sxm'];

function diagnosticsOf(uri: vscode.Uri): vscode.Diagnostic[] {
  return vscode.languages.getDiagnostics(uri).filter(({ source }) => source === 'MeshLens');
}

describe('the main job', () => {
  afterEach(async () => {
    for (const document of vscode.workspace.textDocuments) {
      if (!document.isDirty) continue;
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('workbench.action.files.revert');
    }
    await closeAll();
  });

  it('is activated by a small script, which loads the rest when it is needed', async () => {
    const { activationMilliseconds } = await extension().activate();
    console.log(`activation: ${activationMilliseconds.toFixed(2)} ms`);
    const entry = vscode.Uri.joinPath(extension().extensionUri, 'dist', 'extension.js');
    assert.ok((await vscode.workspace.fs.stat(entry)).size < 10_000);
  });

  it('shows the same line above the model and the training config, with the numbers of the command line', async () => {
    const train = await open(FOLDER, 'train.json');
    const expected = lensTitle(
      commandLine('estimate', train.uri.fsPath, workspaceFile(FOLDER, 'config.json').fsPath, ...GPU),
      false,
    );
    assert.match(
      expected,
      /^8\.03 B params · \d+(\.\d)? of 85\.5 GB\/GPU · [\d,]+ tok\/s\/GPU · MFU [\d.]+ % · bubble [\d.]+ %$/,
    );
    assert.deepEqual(await lensTitles(train.uri), [expected, LENS_WORDS.prove]);
    const model = await open(FOLDER, 'config.json');
    assert.deepEqual(await lensTitles(model.uri), [expected, LENS_WORDS.prove]);
  });

  it('asks for the cluster where none is chosen', async () => {
    const settings = vscode.workspace.getConfiguration('meshlens.cluster', workspaceFile(FOLDER));
    const { setups } = await product();
    const train = await open(FOLDER, 'train.json');
    await setups.ensure(train);
    await settings.update('gpu', null, vscode.ConfigurationTarget.Workspace);
    try {
      await until(
        () => (setups.view(train.uri)?.answer.document.setup.cluster.gpu === null ? true : undefined),
        setups.onDidChange,
      );
      const [summary, question] = await lensTitles(train.uri);
      assert.match(summary ?? '', /^8\.03 B params · [\d.]+ GB\/GPU$/);
      assert.equal(question, 'Choose the cluster…');
    } finally {
      await settings.update('gpu', 'h100-sxm', vscode.ConfigurationTarget.Workspace);
      await until(
        () => (setups.view(train.uri)?.answer.document.setup.cluster.gpu === 'h100-sxm' ? true : undefined),
        setups.onDidChange,
      );
    }
  });

  it('marks a degree that cannot work at its place, and takes the mark away when it is mended', async () => {
    const train = await open(FOLDER, 'train.json');
    const { setups } = await product();
    await setups.ensure(train);
    assert.deepEqual(diagnosticsOf(train.uri), []);
    await replace(train, '"tp_size": 4', '"tp_size": 3');
    const [marked] = await until(() => {
      const found = diagnosticsOf(train.uri);
      return found.length > 0 ? found : undefined;
    }, vscode.languages.onDidChangeDiagnostics);
    // The code leads to the line of the framework that enforces the rule.
    assert.ok(typeof marked?.code === 'object');
    assert.equal(marked.code.value, 'heads-tp');
    assert.equal(train.getText(marked.range), '3');
    await replace(train, '"tp_size": 3', '"tp_size": 4');
    await until(
      () => (diagnosticsOf(train.uri).length === 0 ? true : undefined),
      vscode.languages.onDidChangeDiagnostics,
    );
  });

  it('marks a run that does not fit', async () => {
    const train = await open('too-large', 'train.json');
    const found = await until(
      () => diagnosticsOf(train.uri).find(({ code }) => code === 'out-of-memory'),
      vscode.languages.onDidChangeDiagnostics,
    );
    assert.equal(found.severity, vscode.DiagnosticSeverity.Error);
    assert.match((await lensTitles(train.uri))[0] ?? '', /out of memory: [\d.]+ of 85\.5 GB\/GPU/);
  });

  it('opens a dashboard that reports the numbers of the command line', async () => {
    const train = await open(FOLDER, 'train.json');
    await vscode.commands.executeCommand('meshlens.openDashboard', train.uri);
    const panel = (await product()).panel(train.uri);
    assert.ok(panel !== undefined);
    const report = await until(() => panel.report, panel.onDidReport);
    const document = commandLine('estimate', train.uri.fsPath, workspaceFile(FOLDER, 'config.json').fsPath, ...GPU);
    assert.deepEqual(
      [
        report.parameters,
        report.peakBytes,
        report.stepSeconds,
        report.tokensPerSecondPerGpu,
        report.mfu,
        report.bubbleFraction,
      ],
      [
        document.parameters?.total,
        document.memory.peakBytes,
        document.throughput.stepSeconds,
        document.throughput.tokensPerSecondPerGpu,
        document.throughput.mfu,
        document.pipeline.bubbleFraction,
      ].map(String),
    );
  });

  it('finds a better layout, writes it into the file, and the numbers follow; undo takes it back', async () => {
    const train = await open(FOLDER, 'train.json');
    const before = train.getText();
    const { setups, panel } = await product().then(p => ({
      setups: p.setups,
      panel: (uri: vscode.Uri) => p.panel(uri),
    }));
    await vscode.commands.executeCommand('meshlens.search', train.uri);
    const state = panel(train.uri)?.searchState;
    assert.ok(state?.phase === 'done');
    const [best] = state.document.best;
    assert.ok(best !== undefined && (best.speedup ?? 0) > 1);
    assert.ok(state.document.best.length === 5);
    await vscode.commands.executeCommand('meshlens.applyPlan', train.uri, best.planString);
    assert.equal(train.getText(), before, 'nothing is written before the user agrees');
    assert.equal(await vscode.commands.executeCommand('meshlens.writeProposal'), true);
    assert.notEqual(train.getText(), before);
    const after = await until(() => {
      const document = setups.view(train.uri)?.answer.document;
      return document?.setup.plan.tp === best.plan.tp && document.setup.plan.pp === best.plan.pp ? document : undefined;
    }, setups.onDidChange);
    assert.equal(after.setup.plan.globalBatch, state.document.setup.plan.globalBatch);
    assert.equal(after.throughput.stepSeconds, best.throughput.stepSeconds);
    assert.deepEqual(await lensTitles(train.uri), [lensTitle(after, false), LENS_WORDS.prove]);
    await vscode.window.showTextDocument(train);
    await vscode.commands.executeCommand('undo');
    assert.equal(train.getText(), before);
  });

  it('keeps the last good line while the text is damaged, marked as stale', async () => {
    const train = await open(FOLDER, 'train.json');
    const { setups } = await product();
    await setups.ensure(train);
    const [good] = await lensTitles(train.uri);
    await replace(train, '"pp_size": 2,', '"pp_size": 2 2,');
    await until(() => (setups.view(train.uri)?.stale === true ? true : undefined), setups.onDidChange);
    assert.deepEqual(await lensTitles(train.uri), [`${good ?? ''} (stale: the text is damaged)`]);
    await replace(train, '"pp_size": 2 2,', '"pp_size": 2,');
    await until(() => (setups.view(train.uri)?.stale === false ? true : undefined), setups.onDidChange);
    assert.deepEqual(await lensTitles(train.uri), [good, LENS_WORDS.prove]);
  });

  it('leaves files alone that are not ours', async () => {
    for (const [name, text] of Object.entries({
      'package.json': '{ "name": "x", "version": "1.0.0" }',
      'tsconfig.json': '{ "compilerOptions": { "strict": true } }',
      'tokenizer_config.json':
        '{ "model_type": "llama", "tokenizer_class": "PreTrainedTokenizerFast", "model_max_length": 131072 }',
    })) {
      const uri = workspaceFile('others', name);
      await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
      const document = await open('others', name);
      assert.deepEqual(await lensTitles(document.uri), [], name);
      assert.deepEqual(diagnosticsOf(document.uri), [], name);
    }
  });
});

import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { verdict } from '../../src/words/editor';
import { closeAll, commandLine, extension, lensTitles, open, product, until, workspaceFile } from './support';

const FOLDER = 'llama-3.1-8b';
const GPU = ['--gpu', 'h100-sxm'];

function positionOf(document: vscode.TextDocument, text: string): vscode.Position {
  const offset = document.getText().indexOf(text);
  assert.ok(offset >= 0, text);
  return document.positionAt(offset + text.length);
}

async function hoverText(document: vscode.TextDocument, at: vscode.Position): Promise<string> {
  const hovers = await vscode.commands.executeCommand<vscode.Hover[]>('vscode.executeHoverProvider', document.uri, at);
  return hovers
    .flatMap(({ contents }) => contents)
    .map(content => (typeof content === 'string' ? content : content.value))
    .join('\n');
}

async function resetSettings(...keys: string[]): Promise<void> {
  const settings = vscode.workspace.getConfiguration('meshlens', workspaceFile(FOLDER));
  for (const key of keys) await settings.update(key, undefined, vscode.ConfigurationTarget.Workspace);
}

describe('help in the editor', () => {
  // Providers are there once the first config was seen.
  before(product);
  afterEach(closeAll);

  it('a hover on a degree gives the numbers that the command line gives for its other values', async () => {
    const train = await open(FOLDER, 'train.json');
    const text = await hoverText(train, positionOf(train, '"tp_size": '));
    assert.match(text, /\*\*tensor parallelism \(tp\)\*\* = 4 \(stated here\)/);
    const { memory } = commandLine(
      'estimate',
      train.uri.fsPath,
      workspaceFile(FOLDER, 'config.json').fsPath,
      ...GPU,
      '--set',
      'tp=2,dp=4',
    );
    const expected = ((memory.peakBytes ?? NaN) / 1e9).toFixed(1);
    assert.ok(
      text.split('\n').some(line => line.startsWith('| 2 |') && line.includes(`${expected} GB`)),
      text,
    );
  });

  it('a hover on a size of the model says what its parts hold', async () => {
    const model = await open(FOLDER, 'config.json');
    const text = await hoverText(model, positionOf(model, '"vocab_size": '));
    // 128,256 · 4,096 parameters, once for the embedding and once for the head.
    assert.match(text, /embedding \| 525\.3[0-9]* M \|/);
    assert.match(text, /all \| 8\.03 B \|/);
  });

  it('completes a degree with its legal values, each with step time and memory', async () => {
    const train = await open(FOLDER, 'train.json');
    const list = await vscode.commands.executeCommand<vscode.CompletionList>(
      'vscode.executeCompletionItemProvider',
      train.uri,
      positionOf(train, '"tp_size": '),
    );
    const ours = list.items.filter(
      ({ label }) => typeof label !== 'string' && (label.description ?? '').includes(' GB'),
    );
    assert.deepEqual(
      ours.map(({ label }) => (typeof label === 'string' ? label : label.label)),
      ['1', '2', '4', '8'],
    );
    assert.ok(ours.every(({ label }) => typeof label !== 'string' && /m?s · .* GB/.test(label.description ?? '')));
  });

  it('the status bar gives the verdict of the active config, and nothing elsewhere', async () => {
    const { setups, statusBar } = await product();
    const train = await open(FOLDER, 'train.json');
    const view = await setups.ensure(train);
    assert.ok(view);
    await until(() => (statusBar.item.text.includes('fits') ? true : undefined), setups.onDidChange);
    assert.ok(statusBar.item.text.endsWith(verdict(view.answer.document).text));
  });
});

describe('a config whose model no file states', () => {
  const file = () => workspaceFile('lonely', 'ds_config.json');
  afterEach(async () => {
    await closeAll();
    await vscode.workspace.fs.delete(workspaceFile('lonely'), { recursive: true });
  });

  it('is told so in the status bar, whose click asks for the file', async () => {
    const { setups, statusBar } = await product();
    const text = JSON.stringify({ train_batch_size: 64, zero_optimization: { stage: 2 } });
    await vscode.workspace.fs.writeFile(file(), new TextEncoder().encode(text));
    await open('lonely', 'ds_config.json');
    await until(() => (statusBar.item.text.includes('model not known') ? true : undefined), setups.onDidChange);
    const { command } = statusBar.item;
    assert.equal(typeof command === 'object' ? command.command : command, 'meshlens.chooseFiles');
  });
});

describe('what the user does not want to see', () => {
  afterEach(async () => {
    await resetSettings('exclude', 'kinds', 'codeLens.enabled', 'diagnostics.severity');
    await closeAll();
  });

  it('hides one file, until the setting is taken back', async () => {
    const { setups } = await product();
    const train = await open(FOLDER, 'train.json');
    assert.notDeepEqual(await lensTitles(train.uri), []);
    await vscode.commands.executeCommand('meshlens.hide', train.uri, 'file');
    await until(() => (setups.view(train.uri) === undefined ? true : undefined), setups.onDidChange);
    assert.deepEqual(await lensTitles(train.uri), []);
    const model = await open(FOLDER, 'config.json');
    assert.notDeepEqual(await lensTitles(model.uri), [], 'the other files stay');
    await resetSettings('exclude');
    await open(FOLDER, 'train.json');
    assert.notDeepEqual(await lensTitles(train.uri), []);
  });

  it('hides a kind of files', async () => {
    const { setups } = await product();
    const train = await open(FOLDER, 'train.json');
    await setups.ensure(train);
    await vscode.commands.executeCommand('meshlens.hide', train.uri, 'kind');
    await until(() => (setups.view(train.uri) === undefined ? true : undefined), setups.onDidChange);
    assert.deepEqual(vscode.workspace.getConfiguration('meshlens', train.uri).get('kinds'), { picotron: false });
    const model = await open(FOLDER, 'config.json');
    assert.notDeepEqual(await lensTitles(model.uri), []);
  });

  it('hides a problem by its code, by a quick fix', async () => {
    const document = await open('too-large', 'train.json');
    const marks = () =>
      vscode.languages.getDiagnostics(document.uri).filter(({ code }) => code === 'out-of-memory').length;
    await until(() => (marks() > 0 ? true : undefined), vscode.languages.onDidChangeDiagnostics);
    const [mark] = vscode.languages.getDiagnostics(document.uri).filter(({ code }) => code === 'out-of-memory');
    assert.ok(mark);
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      document.uri,
      mark.range,
    );
    const hide = actions.find(({ command }) => command?.command === 'meshlens.hideProblem');
    assert.ok(hide?.command);
    await vscode.commands.executeCommand(hide.command.command, ...((hide.command.arguments as unknown[]) ?? []));
    await until(() => (marks() === 0 ? true : undefined), vscode.languages.onDidChangeDiagnostics);
  });
});

describe('meshlens.json', () => {
  const file = () => workspaceFile('meshlens.json');
  afterEach(async () => {
    await vscode.workspace.fs.delete(file());
    await closeAll();
  });

  it('gives what no config states, over the settings, as the command line reads it too', async () => {
    const { setups } = await product();
    const train = await open(FOLDER, 'train.json');
    await setups.ensure(train);
    const cluster = () => setups.view(train.uri)?.answer.document.setup.cluster;
    assert.equal(cluster()?.gpu, 'h100-sxm');
    const text = JSON.stringify({
      cluster: { gpu: 'a100-80' },
      overrides: [{ files: ['too-large/'], cluster: { gpu: 'b200' } }],
    });
    await vscode.workspace.fs.writeFile(file(), new TextEncoder().encode(text));
    await until(() => (cluster()?.gpu === 'a100-80' ? true : undefined), setups.onDidChange);
    const expected = commandLine('estimate', train.uri.fsPath, workspaceFile(FOLDER, 'config.json').fsPath);
    assert.equal(expected.setup.cluster.gpu, 'a100-80');
    assert.deepEqual(setups.view(train.uri)?.answer.document.throughput, expected.throughput);
    const large = await open('too-large', 'train.json');
    assert.equal((await setups.ensure(large))?.answer.document.setup.cluster.gpu, 'b200');
  });
});

describe('the view of the workspace', () => {
  afterEach(closeAll);

  it('lists the configs with their verdicts', async () => {
    const { setupsView } = await product();
    setupsView.refresh();
    const nodes = await setupsView.getChildren();
    const shown = nodes.map(node => {
      const item = setupsView.getTreeItem(node);
      return `${vscode.workspace.asRelativePath(item.resourceUri ?? '')}: ${String(item.description)}`;
    });
    assert.equal(shown.length, 3);
    assert.match(shown[0] ?? '', /^llama-3\.1-8b\/config\.json: /);
    assert.match(shown[1] ?? '', /^llama-3\.1-8b\/train\.json: fits · MFU /);
    assert.equal(shown[2], 'too-large/train.json: out of memory');
  });

  it('keeps plans by name, applies them to their file, and deletes them', async () => {
    const { plans } = await product();
    const uri = workspaceFile(FOLDER, 'train.json').toString();
    await plans.save({ name: 'wide', uri, planString: 'dp=8,tp=2,pp=1', stepSeconds: 1.5, peakBytes: 5e10 });
    const [plan] = plans.getChildren();
    assert.ok(plan);
    const item = plans.getTreeItem(plan);
    assert.equal(item.label, 'wide');
    assert.match(typeof item.tooltip === 'string' ? item.tooltip : '', /^1\.5 s a step, 50\.0 GB a GPU\n/);
    assert.equal(item.command?.command, 'meshlens.applyPlan');
    await vscode.commands.executeCommand('meshlens.deletePlan', plan);
    assert.deepEqual(plans.getChildren(), []);
  });

  it('opens a sample that can be changed, with its answer', async () => {
    const uri = await vscode.commands.executeCommand<vscode.Uri>('meshlens.openSample');
    assert.ok(!uri.path.startsWith(extension().extensionUri.path));
    const { setups } = await product();
    const view = await setups.ensure(await vscode.workspace.openTextDocument(uri));
    assert.equal(view?.answer.document.parameters?.total, 8_030_261_248);
  });
});

describe('the tools for language models', () => {
  afterEach(closeAll);

  async function invoke(name: string, input: object): Promise<string> {
    const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
    return content.map(part => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
  }
  const files = [`${FOLDER}/train.json`, `${FOLDER}/config.json`];
  const paths = () => files.map(file => workspaceFile(file).fsPath);
  const jsonOf = (text: string): Record<string, unknown> =>
    JSON.parse(/```json\n(.*)\n```$/.exec(text)?.[1] ?? '{}') as Record<string, unknown>;

  it('are there under their names', () => {
    const names = vscode.lm.tools.map(({ name }) => name);
    for (const name of ['estimate_training_config', 'search_parallel_strategies', 'explain_estimate'])
      assert.ok(names.includes(name), name);
  });

  it('give the numbers of the command line', async () => {
    const estimate = jsonOf(await invoke('estimate_training_config', { files, cluster: { gpu: 'h200-sxm' } }));
    const expected = commandLine('estimate', ...paths(), '--gpu', 'h200-sxm');
    assert.equal(estimate.stepSeconds, expected.throughput.stepSeconds);
    assert.equal(estimate.peakBytes, expected.memory.peakBytes);
    const explained = jsonOf(await invoke('explain_estimate', { files, cluster: { gpu: 'h200-sxm' }, key: 'pp' }));
    assert.deepEqual(explained.memoryByStage, expected.memory.stages);
    const found = jsonOf(await invoke('search_parallel_strategies', { files, fix: { tp: 2, pp: 1 }, top: 1 }));
    const cli = commandLine(
      'search',
      ...paths(),
      ...GPU,
      '--fix',
      'tp=2',
      '--fix',
      'pp=1',
      '--top',
      '1',
    ) as unknown as {
      best: { planString: string }[];
    };
    assert.equal((found.best as { plan: string }[])[0]?.plan, cli.best[0]?.planString);
  });

  it('say what is wrong, and read nothing outside of the workspace', async () => {
    assert.match(await invoke('estimate_training_config', { files, cluster: { gpu: 'h1000' } }), /no accelerator/);
    assert.match(
      await invoke('estimate_training_config', { files: ['../../etc/hostname'] }),
      /not in the workspace|no file/,
    );
  });
});

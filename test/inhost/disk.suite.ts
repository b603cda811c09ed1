import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { applyOrSay, saveOrSay } from '../../src/extension/writing';
import { closeAll, open, product, until, workspaceFile } from './support';

const FOLDER = 'llama-3.1-8b';
const PLAN = 'dp=4,tp=2,pp=2';

describe('what a config names outside of its workspace', () => {
  const inside = (...parts: string[]) => workspaceFile('named', ...parts).fsPath;
  let outside = '';
  before(() => {
    outside = fs.mkdtempSync(path.join(os.tmpdir(), 'meshlens-outside-'));
    fs.mkdirSync(inside('real'), { recursive: true });
    for (const folder of [outside, inside('real')]) {
      fs.writeFileSync(path.join(folder, 'zero.json'), '{"zero_optimization": {"stage": 3}}');
      const profile = { format: 'meshlens-profile/1', gpu: 'b200', nodes: 2 };
      fs.writeFileSync(path.join(folder, 'hardware.json'), JSON.stringify(profile));
    }
    fs.symlinkSync(outside, inside('away'));
    fs.symlinkSync(inside('real'), inside('round'));
    fs.symlinkSync(path.join(outside, 'zero.json'), inside('zero-link.json'));
  });
  afterEach(closeAll);
  after(() => {
    fs.rmSync(outside, { recursive: true });
    fs.rmSync(inside(), { recursive: true });
  });

  async function shardingWith(config: string): Promise<string | null | undefined> {
    const name = `train-${Buffer.from(config).toString('hex')}.yaml`;
    const text = `model_name_or_path: Qwen/Qwen3-8B\nstage: sft\ndo_train: true\nfinetuning_type: full\ndeepspeed: ${config}\nper_device_train_batch_size: 2\nbf16: true\n`;
    fs.writeFileSync(inside(name), text);
    const view = await (await product()).setups.ensure(await open('named', name));
    return view?.answer.document.setup.plan.sharding;
  }

  it('is not read: not by a path, not through a link to it or to a folder above it', async () => {
    const climbing = path.relative(inside(), path.join(outside, 'zero.json'));
    const named = [climbing, path.join(outside, 'zero.json'), 'away/zero.json', './zero-link.json', 'file:///dev/zero'];
    for (const name of [...named, climbing.replaceAll('/', '\\')]) assert.equal(await shardingWith(name), null, name);
    assert.equal(await shardingWith('real/zero.json'), 'zero3', 'one inside is');
    assert.equal(await shardingWith('round/zero.json'), 'zero3', 'also through a link that stays inside');
  });

  it('nor is a hardware file that meshlens.json names', async () => {
    const { setups } = await product();
    const own = workspaceFile('named', 'meshlens.json');
    fs.writeFileSync(
      inside('train.yaml'),
      'base_model: meta-llama/Llama-3.1-8B\nsequence_len: 4096\nmicro_batch_size: 1\n',
    );
    const hardware = async (name: string) => {
      await vscode.workspace.fs.writeFile(own, new TextEncoder().encode(JSON.stringify({ hardware: name })));
      const named = await vscode.workspace.openTextDocument(own);
      await until(
        () => (named.getText().includes(JSON.stringify(name)) ? true : undefined),
        vscode.workspace.onDidChangeTextDocument,
      );
      return (await setups.input(await open('named', 'train.yaml'))).workspace?.hardware?.file;
    };
    const climbing = path.relative(inside(), path.join(outside, 'hardware.json'));
    for (const name of [climbing, 'away/hardware.json', path.join(outside, 'hardware.json')])
      assert.equal(await hardware(name), undefined, name);
    assert.equal(await hardware('real/hardware.json'), 'named/real/hardware.json');
  });
});

describe('writing', () => {
  afterEach(async () => {
    await vscode.commands.executeCommand('meshlens.discardProposal');
    await closeAll();
  });

  /** A disk on which nothing more can be written. */
  class Full implements vscode.FileSystemProvider {
    readonly onDidChangeFile = new vscode.EventEmitter<vscode.FileChangeEvent[]>().event;
    readonly old = new TextEncoder().encode('old');
    stat({ path: name }: vscode.Uri): vscode.FileStat {
      if (name !== '/old.json') throw vscode.FileSystemError.FileNotFound(name);
      return { type: vscode.FileType.File, ctime: 0, mtime: 0, size: this.old.length };
    }
    readFile = () => this.old;
    writeFile = (): never => {
      throw vscode.FileSystemError.Unavailable('no space left on device');
    };
    watch = () => new vscode.Disposable(() => undefined);
    readDirectory = (): [string, vscode.FileType][] => [];
    createDirectory = () => undefined;
    delete = () => undefined;
    rename = () => undefined;
  }

  it('to a full disk is said to have failed, and leaves what was there', async () => {
    const full = new Full();
    const registration = vscode.workspace.registerFileSystemProvider('fulldisk', full);
    const bytes = new TextEncoder().encode('new');
    try {
      const edit = new vscode.WorkspaceEdit();
      edit.createFile(vscode.Uri.parse('fulldisk:/new.json'), { contents: bytes });
      assert.equal(await applyOrSay(edit), false);
      assert.equal(await saveOrSay(vscode.Uri.parse('fulldisk:/old.json'), bytes), false);
      assert.equal(new TextDecoder().decode(full.old), 'old');
      // Each write to this device fails with ENOSPC.
      assert.equal(await saveOrSay(vscode.Uri.file('/dev/full'), bytes), false);
    } finally {
      registration.dispose();
    }
  });

  it('a report replaces the one before as a whole', async () => {
    const uri = workspaceFile('report.html');
    for (const text of ['first', 'second']) {
      assert.equal(await saveOrSay(uri, new TextEncoder().encode(text)), true);
      assert.equal(fs.readFileSync(uri.fsPath, 'utf8'), text);
    }
    assert.deepEqual(
      fs.readdirSync(workspaceFile().fsPath).filter(name => name.startsWith('report')),
      ['report.html'],
    );
    fs.rmSync(uri.fsPath);
  });

  it('a config that another window has saved meanwhile does not take its text away', async () => {
    const train = await open(FOLDER, 'train.json');
    const original = train.getText();
    // Of another size: one of the same size VS Code itself takes for the text that it knows.
    const theirs = original.replace('"pp_size": 2', '"pp_size": 16');
    assert.notEqual(theirs, original);
    try {
      for (const when of ['before it is written', 'before it is saved']) {
        await (await product()).setups.ensure(train);
        await vscode.commands.executeCommand('meshlens.applyPlan', train.uri, PLAN);
        if (when === 'before it is written') fs.writeFileSync(train.uri.fsPath, theirs);
        await vscode.commands.executeCommand('meshlens.writeProposal');
        if (when === 'before it is saved') fs.writeFileSync(train.uri.fsPath, theirs);
        await train.save();
        assert.equal(fs.readFileSync(train.uri.fsPath, 'utf8'), theirs, when);
        await vscode.window.showTextDocument(train);
        await vscode.commands.executeCommand('workbench.action.files.revert');
        fs.writeFileSync(train.uri.fsPath, original);
        await until(() => (train.getText() === original ? true : undefined), vscode.workspace.onDidChangeTextDocument);
      }
    } finally {
      fs.writeFileSync(train.uri.fsPath, original);
    }
  });

  it('a meshlens.json that another window has made meanwhile stays as it is', async () => {
    const train = await open(FOLDER, 'train.json');
    const { setups } = await product();
    const seconds = (await setups.ensure(train))?.answer.document.throughput.stepSeconds ?? 0;
    assert.ok(seconds > 0);
    const line = (step: number) =>
      ` iteration ${step}/ 100 | consumed samples: ${step * 64} | elapsed time per iteration (ms): ${1300 * seconds} |`;
    await vscode.commands.executeCommand(
      'meshlens.importMeasurements',
      train.uri,
      [1, 2, 3, 4, 5].map(line).join('\n'),
    );
    await vscode.commands.executeCommand('meshlens.calibrate', train.uri);
    const own = workspaceFile('meshlens.json').fsPath;
    const theirs = '{ "values": { "seqLen": 2048 } }\n';
    try {
      fs.writeFileSync(own, theirs);
      await vscode.commands.executeCommand('meshlens.writeProposal');
      assert.equal(fs.readFileSync(own, 'utf8'), theirs);
    } finally {
      await vscode.commands.executeCommand('meshlens.forgetMeasurements', train.uri);
      fs.rmSync(own, { force: true });
      fs.rmSync(workspaceFile('meshlens-hardware.json').fsPath, { force: true });
    }
  });
});

describe('a search whose files go', () => {
  afterEach(closeAll);

  it('ends with an answer, and the setup follows what is left', async () => {
    const folder = workspaceFile('going').fsPath;
    fs.cpSync(workspaceFile(FOLDER).fsPath, folder, { recursive: true });
    const { setups, panel } = await product().then(found => ({
      setups: found.setups,
      panel: (uri: vscode.Uri) => found.panel(uri),
    }));
    const train = await open('going', 'train.json');
    await setups.ensure(train);
    await vscode.commands.executeCommand('meshlens.openDashboard', train.uri);
    const search = panel(train.uri)?.startSearch();
    fs.rmSync(path.join(folder, 'config.json'));
    await search;
    assert.notEqual(panel(train.uri)?.searchState.phase, 'failed');
    const files = () => setups.view(train.uri)?.answer.files.length;
    await until(() => (files() === 1 ? true : undefined), setups.onDidChange);
    const again = panel(train.uri)?.startSearch();
    fs.rmSync(folder, { recursive: true });
    await again;
    // Its text is open still, and searched as it stands: the model is known by its name.
    assert.equal(panel(train.uri)?.searchState.phase, 'done');
  });
});

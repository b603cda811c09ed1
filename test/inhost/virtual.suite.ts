import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { closeAll, lensTitles, loaded, product, replace, until, workspaceFile } from './support';

/** One file that is on no disk, as in a workspace of a browser or of a repository host. */
class Memory implements vscode.FileSystemProvider {
  readonly onDidChangeFile = new vscode.EventEmitter<vscode.FileChangeEvent[]>().event;

  constructor(
    private readonly path: string,
    private data: Uint8Array,
  ) {}

  stat({ path }: vscode.Uri): vscode.FileStat {
    if (path !== this.path) throw vscode.FileSystemError.FileNotFound(path);
    return { type: vscode.FileType.File, ctime: 0, mtime: 0, size: this.data.length };
  }

  readFile({ path }: vscode.Uri): Uint8Array {
    if (path !== this.path) throw vscode.FileSystemError.FileNotFound(path);
    return this.data;
  }

  writeFile(_: vscode.Uri, data: Uint8Array): void {
    this.data = data;
  }

  watch = () => new vscode.Disposable(() => undefined);
  readDirectory = (): [string, vscode.FileType][] => [];
  createDirectory = () => undefined;
  delete = () => undefined;
  rename = () => undefined;
}

describe('a config that is on no disk', () => {
  const uri = vscode.Uri.parse('memfs:/run/train.json');
  let provider: vscode.Disposable | undefined;

  before(async () => {
    const data = await vscode.workspace.fs.readFile(workspaceFile('llama-3.1-8b', 'train.json'));
    provider = vscode.workspace.registerFileSystemProvider('memfs', new Memory(uri.path, data));
  });
  after(() => {
    provider?.dispose();
  });
  afterEach(closeAll);

  it('is read, estimated and marked', async () => {
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document);
    const [summary] = await lensTitles(uri);
    assert.match(summary ?? '', /^8\.03 B params · [\d.]+ of 85\.5 GB\/GPU · [\d,]+ tok\/s\/GPU/);
    await replace(document, '"tp_size": 4', '"tp_size": 3');
    const marked = () => vscode.languages.getDiagnostics(uri).find(({ source }) => source === 'MeshLens');
    const { message } = await until(marked, vscode.languages.onDidChangeDiagnostics);
    assert.match(message, /^32 attention heads do not divide over tp 3/);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await until(() => (marked() === undefined ? true : undefined), vscode.languages.onDidChangeDiagnostics);
  });

  it('is searched', async () => {
    const lens = await product();
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
    await lens.run('search', [uri]);
    const panel = lens.panel(uri);
    assert.ok(panel);
    const found = panel.searchState;
    assert.ok(found.phase === 'done' && found.document.best.length > 0, found.phase);
    await loaded(panel);
  });

  it('is no place for a server of its own: agents are given folders on the disk alone', async () => {
    const servers = JSON.stringify((await product()).mcpServers());
    assert.ok(!servers.includes('memfs'), servers);
  });
});

import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ExerciseDocument } from '../../src/documents/exercise';
import { closeAll, product } from './support';

async function write(text: string): Promise<vscode.TextDocument> {
  const editor = vscode.window.activeTextEditor;
  assert.ok(editor !== undefined, 'the text to fill in is open');
  const { document } = editor;
  await editor.edit(edit => edit.insert(document.lineAt(document.lineCount - 1).range.end, text));
  return document;
}

const marks = (uri: vscode.Uri) => vscode.languages.getDiagnostics(uri).filter(({ source }) => source === 'MeshLens');
const grade = () => vscode.commands.executeCommand<ExerciseDocument>('meshlens.exercise');

describe('the exercises', () => {
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await closeAll();
  });

  it('open as a text to fill in, and are graded where they stand', async () => {
    await product();
    await vscode.commands.executeCommand('meshlens.exercise', 'alternate-ring');
    const document = await write('send(own, next, add)\nsend(sum, next, add)\n');
    const wrong = await grade();
    assert.deepEqual([wrong.passed, wrong.finding?.code], [false, 'sum-forwarded']);
    const [found] = marks(document.uri);
    assert.equal(document.lineAt(found?.range.start.line ?? 0).text, 'send(sum, next, add)');
    assert.match(found?.message ?? '', /^A sum is passed on/);
    const editor = vscode.window.activeTextEditor;
    const from = document.getText().indexOf('send(sum');
    await editor?.edit(edit =>
      edit.replace(
        new vscode.Range(document.positionAt(from), document.positionAt(document.getText().length)),
        'send(received, next, add)\nsend(received, next, add)\n',
      ),
    );
    assert.equal((await grade()).passed, true);
    assert.deepEqual(marks(document.uri), []);
  });

  it('never run what is written as code', async () => {
    await vscode.commands.executeCommand('meshlens.exercise', 'tensor-backward');
    await write('dw = process.exit(1)\n');
    assert.equal((await grade()).finding?.code, 'syntax');
  });
});

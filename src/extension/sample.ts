/** The sample of the walkthrough: a copy of the examples in the extension's own storage, so that it can be changed. */
import * as vscode from 'vscode';

const FILES = ['config.json', 'train.json'] as const;

export async function openSample(extensionUri: vscode.Uri, storage: vscode.Uri): Promise<vscode.Uri> {
  const folder = vscode.Uri.joinPath(storage, 'sample', 'llama-3.1-8b');
  await vscode.workspace.fs.createDirectory(folder);
  for (const name of FILES) {
    const source = vscode.Uri.joinPath(extensionUri, 'examples', 'llama-3.1-8b', name);
    // Not a copy: in a browser the two lie in different file systems.
    await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(folder, name), await vscode.workspace.fs.readFile(source));
  }
  const uri = vscode.Uri.joinPath(folder, 'train.json');
  await vscode.window.showTextDocument(uri, { viewColumn: vscode.ViewColumn.One });
  return uri;
}

/** The present text of a file: of its document where it is open, else from the disk. */
import * as vscode from 'vscode';

/** Larger files are no configs that another one names. */
const LARGEST_BYTES = 1_000_000;

export function openText(uri: vscode.Uri): string | undefined {
  const key = uri.toString();
  return vscode.workspace.textDocuments.find(document => document.uri.toString() === key)?.getText();
}

/** null where there is no such file, or one too large, or a link, which may lead out of the workspace. */
export async function diskText(uri: vscode.Uri): Promise<string | null> {
  try {
    const { type, size } = await vscode.workspace.fs.stat(uri);
    if (type !== vscode.FileType.File || size > LARGEST_BYTES) return null;
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  } catch {
    return null;
  }
}

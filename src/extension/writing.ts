/** Writes that may fail, on a disk that is full or read-only or has changed meanwhile: then it is said, and what was there stays. */
import * as vscode from 'vscode';
import { PROPOSAL_WORDS } from '../words/editor';
import { replaceFile } from './platform';

/** All of an edit or nothing of it; false: it was not written, which is said. */
export async function applyOrSay(edit: vscode.WorkspaceEdit): Promise<boolean> {
  const files = edit.entries().map(([uri]) => vscode.workspace.asRelativePath(uri));
  const written = await vscode.workspace.applyEdit(edit).then(undefined, () => false);
  if (!written) void vscode.window.showErrorMessage(PROPOSAL_WORDS.notWritten(files));
  return written;
}

/** Writes a file as a whole; false: it was not written, which is said. */
export async function saveOrSay(uri: vscode.Uri, data: Uint8Array): Promise<boolean> {
  try {
    await replaceFile(uri, data);
    return true;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    void vscode.window.showErrorMessage(PROPOSAL_WORDS.notSaved(vscode.workspace.asRelativePath(uri), why));
    return false;
  }
}

/** The present text of a file: of its document where it is open, else from the disk. */
import * as vscode from 'vscode';
import { realUri } from './platform';

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

/**
 * Whether a file that a config names lies, once links are followed, in the config's workspace folder or beside it: a
 * folder may be a link that leads elsewhere, and a name may climb by what only its own system takes for a separator.
 */
export async function mayBeNamed(config: vscode.Uri, uri: vscode.Uri): Promise<boolean> {
  const folder = vscode.workspace.getWorkspaceFolder(config)?.uri;
  if (folder === undefined || !isInside(folder, uri)) return false;
  // One that is not there may be named: it is looked for again when it appears.
  const real = await realUri(uri).catch(() => null);
  const places = await Promise.all([folder, vscode.Uri.joinPath(config, '..')].map(realUri));
  return real === null || places.some(place => isInside(place, real));
}

function isInside(folder: vscode.Uri, uri: vscode.Uri): boolean {
  const top = folder.path.replace(/\/?$/, '/');
  return uri.scheme === folder.scheme && uri.authority === folder.authority && uri.path.startsWith(top);
}

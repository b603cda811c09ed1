/** The user's own choice of the files that make a setup, remembered for the workspace. */
import * as vscode from 'vscode';
import { COMMAND_WORDS } from '../words/commands';
import { pickMany } from './ask';
import type { Setups } from './setups';
import { CONFIG_FILES } from './signs';

interface FileItem extends vscode.QuickPickItem {
  /** undefined: the files' own references and folder decide. */
  readonly uri?: vscode.Uri;
}

const MOST_OFFERED = 1000;

/** Asks which files make the setup of a config; picking none, or the first entry, goes back to their own references. */
export async function chooseFiles(uri: vscode.Uri, setups: Setups): Promise<void> {
  const found = await vscode.workspace.findFiles(CONFIG_FILES.pattern, '**/node_modules/**', MOST_OFFERED);
  const others = found.filter(other => other.toString() !== uri.toString());
  const used = new Set(setups.view(uri)?.answer.files.map(({ file }) => file));
  const items = others
    .map(other => ({ label: setups.nameOf(other), uri: other, picked: used.has(setups.nameOf(other)) }))
    .sort((a, b) => Number(b.picked) - Number(a.picked) || a.label.localeCompare(b.label));
  const automatic: FileItem = {
    label: COMMAND_WORDS.filesAutomatic,
    description: COMMAND_WORDS.filesAutomaticWhat,
    alwaysShow: true,
  };
  const chosen = await pickMany<FileItem>([automatic, ...items], COMMAND_WORDS.filesTitle(setups.nameOf(uri)));
  if (chosen === undefined) return;
  const uris = chosen.flatMap(item => (item.uri === undefined ? [] : [item.uri]));
  const isAutomatic = uris.length === 0 || chosen.includes(automatic);
  await setups.choose(uri, isAutomatic ? null : uris);
}

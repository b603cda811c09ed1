/** "Hide here": one command from which everything that MeshLens shows can be switched off, by file, kind or surface. */
import * as vscode from 'vscode';
import { type HideChoice, hideChoices, EDITOR_WORDS } from '../words/editor';
import { pick } from './ask';
import { save, setting } from './settings';
import { KIND_NAMES } from './settingsTable';
import type { Setups } from './setups';

export async function hide(uri: vscode.Uri, setups: Setups, choice?: HideChoice): Promise<void> {
  const kind = setups.view(uri)?.answer.files[0]?.kind ?? null;
  const name = kind !== null && kind in KIND_NAMES ? KIND_NAMES[kind as keyof typeof KIND_NAMES] : null;
  const file = vscode.workspace.asRelativePath(uri, false);
  const chosen = choice ?? (await pick(hideChoices(file, name), EDITOR_WORDS.hideTitle))?.choice;
  switch (chosen) {
    case 'file':
      return save('exclude', [...setting('exclude', uri), file], uri);
    case 'kind':
      return kind === null ? undefined : save('kinds', { ...setting('kinds', uri), [kind]: false }, uri);
    case 'lens':
      return save('codeLens.enabled', false, uri);
    case 'diagnostics':
      return save('diagnostics.enabled', false, uri);
    case 'statusBar':
      return save('statusBar.enabled', false, uri);
    case 'hover':
      return save('hover.enabled', false, uri);
    case undefined:
      return undefined;
  }
}

/** Switches one kind of problem off. */
export async function hideProblem(uri: vscode.Uri, code: string): Promise<void> {
  await save('diagnostics.severity', { ...setting('diagnostics.severity', uri), [code]: 'off' }, uri);
}

/** The lens row of a config: one summary, and a question where something is missing. */
import * as vscode from 'vscode';
import { COMMAND_WORDS } from '../words/commands';
import { canBeProved, LENS_WORDS, lensTitle, missing } from '../words/lens';
import { keyName } from '../words/keys';
import { setting } from './settings';
import type { Setups } from './setups';

const TOP = new vscode.Range(0, 0, 0, 0);

export async function lensesOf(document: vscode.TextDocument, setups: Setups): Promise<vscode.CodeLens[]> {
  if (!setting('codeLens.enabled', document.uri)) return [];
  const view = await setups.ensure(document);
  if (view === undefined) return [];
  const { document: estimate } = view.answer;
  const lens = (title: string, command: string, tooltip = COMMAND_WORDS.lensTooltip) =>
    new vscode.CodeLens(TOP, { title, command: `meshlens.${command}`, tooltip, arguments: [document.uri] });
  const { model, cluster, keys } = missing(estimate);
  const lenses = [lens(lensTitle(estimate, view.stale), 'openDashboard')];
  if (model) lenses.push(lens(COMMAND_WORDS.lensModel, 'chooseFiles', COMMAND_WORDS.lensModelTooltip));
  if (cluster) lenses.push(lens(COMMAND_WORDS.lensCluster, 'chooseCluster', COMMAND_WORDS.lensClusterTooltip));
  if (keys.length > 0)
    lenses.push(
      lens(COMMAND_WORDS.lensValues(keys.map(keyName).join(', ')), 'askValues', COMMAND_WORDS.lensValuesTooltip),
    );
  if (!view.stale && canBeProved(estimate)) lenses.push(lens(LENS_WORDS.prove, 'prove', LENS_WORDS.proveTooltip));
  return lenses;
}

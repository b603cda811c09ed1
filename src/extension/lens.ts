/** The lens row of a config: one summary, and a question where something is missing. */
import * as vscode from 'vscode';
import { canBeProved, LENS_WORDS, lensTitle, missing } from '../words/lens';
import { keyName } from '../words/problems';
import { setting } from './settings';
import type { Setups } from './setups';

const TOP = new vscode.Range(0, 0, 0, 0);
const TOOLTIP = 'MeshLens: open the dashboard. “MeshLens: Hide…” in the command palette takes this line away.';

export async function lensesOf(document: vscode.TextDocument, setups: Setups): Promise<vscode.CodeLens[]> {
  if (!setting('codeLens.enabled', document.uri)) return [];
  const view = await setups.ensure(document);
  if (view === undefined) return [];
  const { document: estimate } = view.answer;
  const lens = (title: string, command: string, tooltip = TOOLTIP) =>
    new vscode.CodeLens(TOP, { title, command: `meshlens.${command}`, tooltip, arguments: [document.uri] });
  const { model, cluster, keys } = missing(estimate);
  const lenses = [lens(lensTitle(estimate, view.stale), 'openDashboard')];
  if (model)
    lenses.push(
      lens('Choose the model’s file…', 'chooseFiles', 'MeshLens: which config.json or recipe states the model?'),
    );
  if (cluster)
    lenses.push(lens('Choose the cluster…', 'chooseCluster', 'MeshLens: which accelerators does this run use?'));
  if (keys.length > 0)
    lenses.push(lens(`Set ${keys.map(keyName).join(', ')}…`, 'askValues', 'MeshLens: values that no file states'));
  if (!view.stale && canBeProved(estimate)) lenses.push(lens(LENS_WORDS.prove, 'prove', LENS_WORDS.proveTooltip));
  return lenses;
}

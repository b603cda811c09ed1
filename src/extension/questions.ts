/** Questions to the user: the cluster, and values that no file states. */
import * as vscode from 'vscode';
import { ACCELERATORS } from '../engine/hardware/accelerators';
import { isPlanKey, type PlanKey, parsePlanValue } from '../engine/plan/keys';
import { formatBytes } from '../words/format';
import { keyName } from '../words/problems';
import { saveCluster } from './settings';
import type { Setups } from './setups';

/** Asks for the accelerator and the nodes, and keeps both in the settings. */
export async function chooseCluster(uri: vscode.Uri): Promise<void> {
  const devices = Object.entries(ACCELERATORS).map(([id, { name, capacityBytes, gpusPerNode }]) => ({
    label: name,
    description: id,
    detail: `${formatBytes(capacityBytes)}, usually ${gpusPerNode} a node`,
    id,
  }));
  const device = await vscode.window.showQuickPick(devices, {
    title: 'MeshLens: which accelerator does this run use?',
    matchOnDescription: true,
  });
  if (device === undefined) return;
  const nodes = await vscode.window.showInputBox({
    title: 'MeshLens: on how many nodes?',
    prompt: 'Leave it empty where the training config says how many GPUs it uses.',
    validateInput: text => (text === '' || isCount(text) ? null : 'A positive integer, or nothing.'),
  });
  if (nodes === undefined) return;
  await saveCluster(uri, { gpu: device.id, nodes: nodes === '' ? null : Number(nodes) });
}

function isCount(text: string): boolean {
  const value = Number(text);
  return Number.isInteger(value) && value >= 1 && value <= 1_000_000;
}

/** Asks for each value in turn and remembers the answers for this file. */
export async function askValues(uri: vscode.Uri, keys: readonly string[], setups: Setups): Promise<void> {
  const answers: Record<string, string> = {};
  for (const path of keys) {
    const key = path.replace(/^\w+\./, '');
    if (!isPlanKey(key)) continue;
    const value = await vscode.window.showInputBox({
      title: `MeshLens: ${keyName(path)} (${key})`,
      prompt: 'No file states it. The answer is remembered for this file.',
      validateInput: text => (isValue(key, text) ? null : `${key} cannot be “${text}”.`),
    });
    if (value === undefined) break;
    answers[key] = value;
  }
  if (Object.keys(answers).length > 0) await setups.remember(uri, answers);
}

function isValue(key: PlanKey, text: string): boolean {
  return parsePlanValue(key, text) !== undefined;
}

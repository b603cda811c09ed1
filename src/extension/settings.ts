/** The settings of `settingsTable.ts`, read and written for the folder of a document. */
import * as vscode from 'vscode';
import type { Costs } from '../engine/configs/workspaceFile';
import type { SettingKey, SettingValue } from './settingsTable';
import { SETTINGS } from './settingsTable';

export function setting<Key extends SettingKey>(key: Key, scope: vscode.Uri | undefined): SettingValue<Key> {
  const fallback = SETTINGS[key].default as SettingValue<Key>;
  return vscode.workspace.getConfiguration('meshlens', scope ?? null).get<SettingValue<Key>>(key) ?? fallback;
}

/** Into the workspace where the document is in one, else into the user's own settings. */
export async function save<Key extends SettingKey>(
  key: Key,
  value: SettingValue<Key> | undefined,
  scope: vscode.Uri | undefined,
): Promise<void> {
  const inFolder = scope !== undefined && vscode.workspace.getWorkspaceFolder(scope) !== undefined;
  const target = inFolder ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
  await vscode.workspace.getConfiguration('meshlens', scope ?? null).update(key, value, target);
}

const CLUSTER_KEYS = ['gpu', 'nodes', 'gpusPerNode', 'nicBytesPerSecond', 'domainSize'] as const;
type ClusterKey = (typeof CLUSTER_KEYS)[number];

export type ClusterSettings = { readonly [Key in ClusterKey]: SettingValue<`cluster.${Key}`> };

/** The user's cluster as values for the engine, in the order in which they apply. */
export function clusterValues(scope: vscode.Uri): [key: string, value: string][] {
  return CLUSTER_KEYS.flatMap(key => {
    const value = setting(`cluster.${key}`, scope);
    return value === null || value === '' ? [] : [[key, String(value)] as [string, string]];
  });
}

export async function saveCluster(scope: vscode.Uri, values: Partial<ClusterSettings>): Promise<void> {
  for (const key of CLUSTER_KEYS) {
    const value = values[key];
    if (value !== undefined) await save(`cluster.${key}`, value ?? undefined, scope);
  }
}

/** Whether the user wants this file left alone. A pattern counts from the file's workspace folder. */
export function excluded(document: vscode.TextDocument): boolean {
  const folder = vscode.workspace.getWorkspaceFolder(document.uri);
  return setting('exclude', document.uri).some(glob => {
    const pattern = folder === undefined ? glob : new vscode.RelativePattern(folder, glob);
    return vscode.languages.match({ pattern }, document) > 0;
  });
}

export function kindEnabled(kind: string, scope: vscode.Uri): boolean {
  return setting('kinds', scope)[kind] ?? true;
}

export function costs(scope: vscode.Uri): Costs {
  return {
    perGpuHour: setting('costs.perGpuHour', scope),
    currency: setting('costs.currency', scope),
    wattsPerGpu: setting('costs.wattsPerGpu', scope),
    powerUsage: setting('costs.powerUsage', scope),
    gramsCo2PerKwh: setting('costs.gramsCo2PerKwh', scope),
    litresPerKwh: setting('costs.litresPerKwh', scope),
  };
}

/** Settings, typed; the manifest declares the same (package.json, contributes.configuration). */
import * as vscode from 'vscode';

export interface ClusterSettings {
  readonly gpu: string | null;
  readonly nodes: number | null;
  readonly gpusPerNode: number | null;
  readonly nicBytesPerSecond: number | null;
  readonly domainSize: number | null;
}

const CLUSTER_KEYS = ['gpu', 'nodes', 'gpusPerNode', 'nicBytesPerSecond', 'domainSize'] as const;

/** The user's cluster as values for the engine, in the order in which they apply. */
export function clusterValues(scope: vscode.Uri): [key: string, value: string][] {
  const settings = vscode.workspace.getConfiguration('meshlens.cluster', scope);
  return CLUSTER_KEYS.flatMap(key => {
    const value = settings.get<string | number | null>(key) ?? null;
    return value === null || value === '' ? [] : [[key, String(value)] as [string, string]];
  });
}

export async function saveCluster(scope: vscode.Uri, values: Partial<ClusterSettings>): Promise<void> {
  const settings = vscode.workspace.getConfiguration('meshlens.cluster', scope);
  const inFolder = vscode.workspace.getWorkspaceFolder(scope) !== undefined;
  const target = inFolder ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
  for (const key of CLUSTER_KEYS) {
    if (values[key] !== undefined) await settings.update(key, values[key] ?? undefined, target);
  }
}

export function lensEnabled(scope: vscode.Uri): boolean {
  return vscode.workspace.getConfiguration('meshlens', scope).get('codeLens.enabled', true);
}

export function diagnosticsEnabled(scope: vscode.Uri): boolean {
  return vscode.workspace.getConfiguration('meshlens', scope).get('diagnostics.enabled', true);
}

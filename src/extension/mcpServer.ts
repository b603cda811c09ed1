/**
 * The MCP server of the command line, offered to this VS Code's own agents. The interface came with VS Code 1.101; the
 * oldest that we support has none.
 */
import * as vscode from 'vscode';
import { machine } from './platform';

/** What of `vscode.McpStdioServerDefinition` is used. */
export interface McpServer {
  readonly label: string;
  readonly command: string;
  readonly args: string[];
  readonly env: Record<string, string>;
  cwd?: vscode.Uri;
}

export interface McpApi {
  readonly McpStdioServerDefinition?: new (
    label: string,
    command: string,
    args: string[],
    env: Record<string, string>,
    version: string,
  ) => McpServer;
  readonly lm: {
    readonly registerMcpServerDefinitionProvider?: (
      id: string,
      provider: { provideMcpServerDefinitions(): Promise<McpServer[]> },
    ) => vscode.Disposable;
  };
}

/** A server for each folder, which reads the configs in it; none where no program may be started. */
export function mcpServers(extension: vscode.Extension<unknown>): McpServer[] {
  const { McpStdioServerDefinition } = vscode as unknown as McpApi;
  if (McpStdioServerDefinition === undefined || machine === null || !vscode.workspace.isTrusted) return [];
  const cli = vscode.Uri.joinPath(extension.extensionUri, 'dist', 'cli.js').fsPath;
  const { version } = extension.packageJSON as { version: string };
  // On the desktop the extension host's own program is Electron, which is Node where it is told so.
  const env = { ELECTRON_RUN_AS_NODE: '1' };
  const { nodeProgram } = machine;
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  return folders.map(({ uri, name }) => {
    const label = folders.length === 1 ? 'MeshLens' : `MeshLens: ${name}`;
    const server = new McpStdioServerDefinition(label, nodeProgram, [cli, 'mcp'], env, version);
    server.cwd = uri;
    return server;
  });
}

/** The MCP server of the command line, as VS Code's own agents start it. */
import * as vscode from 'vscode';
import { type McpServer, mcpApi } from './mcpApi';
import { machine } from './platform';

/** A server for each folder, which reads the configs in it; none where no program may be started. */
export function mcpServers(extension: vscode.Extension<unknown>): McpServer[] {
  const api = mcpApi();
  if (api === null || machine === null || !vscode.workspace.isTrusted) return [];
  const cli = vscode.Uri.joinPath(extension.extensionUri, 'dist', 'cli.js').fsPath;
  const { version } = extension.packageJSON as { version: string };
  // On the desktop the extension host's own program is Electron, which is Node where it is told so.
  const env = { ELECTRON_RUN_AS_NODE: '1' };
  const { nodeProgram } = machine;
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  return folders.map(({ uri, name }) => {
    const label = folders.length === 1 ? 'MeshLens' : `MeshLens: ${name}`;
    const server = new api.McpStdioServerDefinition(label, nodeProgram, [cli, 'mcp'], env, version);
    server.cwd = uri;
    return server;
  });
}

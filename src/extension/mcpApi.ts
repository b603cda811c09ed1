/** VS Code's interface for MCP servers of extensions, of which the types of the oldest supported version know nothing. */
import * as vscode from 'vscode';

/** What of `vscode.McpStdioServerDefinition` is used. */
export interface McpServer {
  readonly label: string;
  readonly command: string;
  readonly args: string[];
  readonly env: Record<string, string>;
  cwd?: vscode.Uri;
}

export interface McpApi {
  readonly McpStdioServerDefinition: new (
    label: string,
    command: string,
    args: string[],
    env: Record<string, string>,
    version: string,
  ) => McpServer;
  readonly lm: {
    readonly registerMcpServerDefinitionProvider: (
      id: string,
      provider: { provideMcpServerDefinitions(): Promise<McpServer[]> },
    ) => vscode.Disposable;
  };
}

/**
 * null before VS Code 1.101. Version 1.100 has functions of these names already, which refuse with an exception what
 * today's manifest declares; so the version is asked as well.
 */
export function mcpApi(): McpApi | null {
  const [major = 0, minor = 0] = vscode.version.split('.').map(Number);
  const api = vscode as unknown as Partial<McpApi>;
  return (major === 1 && minor < 101) || api.McpStdioServerDefinition === undefined ? null : (api as McpApi);
}

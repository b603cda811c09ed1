import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import * as vscode from 'vscode';
import type { McpServer } from '../../src/extension/mcpApi';
import { extension, product } from './support';

describe('the host of these tests', () => {
  it('is the VS Code that was asked for', function () {
    const expected = process.env.MESHLENS_EXPECTED_VSCODE;
    if (expected === undefined) this.skip();
    assert.equal(vscode.version.split('.').slice(0, 2).join('.'), expected);
  });

  it('has the workspace open', () => {
    assert.equal(vscode.workspace.workspaceFolders?.length, 1);
  });

  it('trusts the workspace as it was asked to', () => {
    assert.equal(vscode.workspace.isTrusted, process.env.MESHLENS_UNTRUSTED !== '1');
  });

  it('has the extension from where it was asked for', () => {
    // Installed extensions lie in a folder that bears their version.
    const { path } = extension().extensionUri;
    assert.equal(/meshlens\.meshlens-\d/.test(path), process.env.MESHLENS_PACKAGED === '1', path);
  });
});

/** Sends one message to a program and gives its first line of output. */
async function firstLine({ command, args, env, cwd }: McpServer, message: object): Promise<string> {
  const child = spawn(command, args, { env: { ...process.env, ...env }, cwd: cwd?.fsPath });
  child.stdin.write(`${JSON.stringify(message)}\n`);
  for await (const line of createInterface(child.stdout)) {
    child.stdin.end();
    return line;
  }
  throw new Error('The program ended without a word.');
}

describe('the MCP server for agents of the editor', () => {
  it('is offered where VS Code and trust allow it, and answers', async () => {
    const servers = (await product()).mcpServers();
    // VS Code 1.101 brought the interface; the other tested version is 1.100.
    const offered = !vscode.version.startsWith('1.100.') && vscode.workspace.isTrusted;
    assert.equal(servers.length, offered ? 1 : 0);
    const [server] = servers;
    if (server === undefined) return;
    assert.equal(server.cwd?.fsPath, vscode.workspace.workspaceFolders?.[0]?.uri.fsPath);
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    const answer = await firstLine(server, { jsonrpc: '2.0', id: 1, method: 'initialize', params });
    const { result } = JSON.parse(answer) as { result: { serverInfo: { name: string } } };
    assert.equal(result.serverInfo.name, 'meshlens');
  });
});

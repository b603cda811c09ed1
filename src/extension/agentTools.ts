/** The tools for language models in the editor: files of the workspace, the engine's worker, the same answers as MCP. */
import * as vscode from 'vscode';
import { ToolError, type ToolArguments } from '../agents/arguments';
import { runTool, type ToolHost } from '../agents/run';
import type { ToolName } from '../agents/tools';
import type { EngineInput } from '../protocol/engine';
import { PLAIN_SEARCH } from '../protocol/searchAsk';
import { TOOL_WORDS } from '../words/agents';
import type { EngineClient } from './engineClient';
import type { Setups } from './setups';
import { diskText, openText } from './texts';

export async function invokeTool(
  name: ToolName,
  input: unknown,
  token: vscode.CancellationToken,
  engine: EngineClient,
  setups: Setups,
): Promise<vscode.LanguageModelToolResult> {
  const { text, isError } = await runTool(name, input, hostOf(engine, setups, token));
  return new vscode.LanguageModelToolResult([
    new vscode.LanguageModelTextPart(isError ? `${TOOL_WORDS.error} ${text}` : text),
  ]);
}

function hostOf(engine: EngineClient, setups: Setups, token: vscode.CancellationToken): ToolHost {
  return {
    estimate: async args => {
      const call = { type: 'estimate' as const, ...(await inputOf(args, setups)) };
      const { document, files } = await engine.ask<'estimate'>(call, 0, { token, language: 'en' });
      return { document, kinds: files.map(({ kind }) => kind) };
    },
    search: async args => {
      const { fixed } = args;
      const call = { type: 'search' as const, ask: PLAIN_SEARCH, fixed, ...(await inputOf(args, setups)) };
      return engine.ask<'search'>(call, 0, { token, language: 'en' });
    },
    alternatives: async (args, key) =>
      engine.ask<'alternatives'>({ type: 'alternatives', key, ...(await inputOf(args, setups)) }, 0, {
        token,
        language: 'en',
      }),
  };
}

/** The named files alone make the setup; what the user has answered or set holds below what the agent says. */
async function inputOf({ files, values }: ToolArguments, setups: Setups): Promise<EngineInput> {
  const uris = files.map(fileOf);
  const texts = await Promise.all(uris.map(readText));
  const [first] = uris;
  const input = await setups.inputOf(first, texts[0] ?? '');
  const named = uris.map((uri, at) => ({ file: setups.nameOf(uri), text: texts[at] ?? '' }));
  const others = input.files.filter(({ file }) => !named.some(own => own.file === file));
  return {
    ...input,
    files: [...named, ...others],
    chosen: named.length > 1 ? named.slice(1).map(({ file }) => file) : (input.chosen ?? null),
    answers: [...input.answers, ...values],
  };
}

/** A path in one of the workspace's folders, of several with the folder's name before it; nothing outside is read. */
function fileOf(name: string): vscode.Uri {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const named = folders.length > 1 ? folders.find(folder => name.startsWith(`${folder.name}/`)) : undefined;
  if (named !== undefined) return inside(vscode.Uri.joinPath(named.uri, name.slice(named.name.length + 1)), name);
  const absolute = folders.find(({ uri }) => name.startsWith(`${uri.path}/`));
  if (absolute !== undefined) return inside(absolute.uri.with({ path: name }), name);
  const [first] = folders;
  if (first === undefined) throw new ToolError(TOOL_WORDS.outside(name));
  return inside(vscode.Uri.joinPath(first.uri, name), name);
}

/** @throws ToolError for what leaves the workspace by `..` */
function inside(file: vscode.Uri, name: string): vscode.Uri {
  if (vscode.workspace.getWorkspaceFolder(file) === undefined) throw new ToolError(TOOL_WORDS.outside(name));
  return file;
}

async function readText(uri: vscode.Uri): Promise<string> {
  const text = openText(uri) ?? (await diskText(uri));
  if (text === null) throw new ToolError(TOOL_WORDS.missing(vscode.workspace.asRelativePath(uri)));
  return text;
}

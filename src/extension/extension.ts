/**
 * What activation loads: registrations and a cheap look at texts. Everything else is imported when the first config
 * is seen or the first command is run.
 */
import * as vscode from 'vscode';
import { COMMANDS, TOOL_NAMES } from './commandNames';
import { lazyTree } from './lazyTree';
import { type McpServer, mcpApi } from './mcpApi';
import type { Product } from './product';
import { CONFIG_FILES, ENDINGS, mayBeConfig, measuresCollectives } from './signs';

/** Offered to tests. */
export interface Api {
  readonly activationMilliseconds: number;
  readonly product: () => Promise<Product>;
}

/** Typing pauses longer than this are used for a look at the text. */
const PAUSE = 120;

function looksLikeConfig(document: vscode.TextDocument): boolean {
  const { path } = document.uri;
  return ENDINGS.some(ending => path.endsWith(`.${ending}`)) && mayBeConfig(path, document.getText());
}

function isBenchmark(document: vscode.TextDocument): boolean {
  return document.languageId === 'python' && measuresCollectives(document.getText());
}

export function activate(context: vscode.ExtensionContext): Api {
  const started = performance.now();
  let loading: Promise<Product> | undefined;
  const changedLenses = new vscode.EventEmitter<void>();
  const product = (): Promise<Product> => {
    loading ??= import('./product').then(({ createProduct }) => createProduct(context, changedLenses, looksLikeConfig));
    return loading;
  };
  const look = (document: vscode.TextDocument): void => {
    if (loading === undefined && (looksLikeConfig(document) || isBenchmark(document))) void product();
  };
  let pause: NodeJS.Timeout | undefined;
  /** A text that becomes a config is noticed when the typing pauses. */
  const lookLater = ({ document }: vscode.TextDocumentChangeEvent): void => {
    clearTimeout(pause);
    if (loading === undefined) pause = setTimeout(() => look(document), PAUSE);
  };
  context.subscriptions.push(
    changedLenses,
    vscode.languages.registerCodeLensProvider(CONFIG_FILES, {
      onDidChangeCodeLenses: changedLenses.event,
      provideCodeLenses: async (document, token) =>
        looksLikeConfig(document) || loading !== undefined ? (await product()).lenses(document, token) : [],
    }),
    vscode.workspace.onDidOpenTextDocument(look),
    vscode.workspace.onDidChangeTextDocument(lookLater),
    new vscode.Disposable(() => clearTimeout(pause)),
    vscode.window.registerWebviewPanelSerializer('meshlens.dashboard', {
      deserializeWebviewPanel: async (panel, state: unknown) => (await product()).restorePanel(panel, state),
    }),
    lazyTree('meshlens.setups', async () => (await product()).setupsView),
    lazyTree('meshlens.plans', async () => (await product()).plans),
    ...registerMcp(async () => (await product()).mcpServers()),
    ...TOOL_NAMES.map(name =>
      vscode.lm.registerTool(name, {
        invoke: async ({ input }, token) => (await product()).invokeTool(name, input, token),
      }),
    ),
    ...COMMANDS.map(name =>
      vscode.commands.registerCommand(`meshlens.${name}`, async (...args: unknown[]) =>
        (await product()).run(name, args),
      ),
    ),
  );
  vscode.workspace.textDocuments.forEach(look);
  return { activationMilliseconds: performance.now() - started, product };
}

/** Where VS Code knows no servers of extensions, its agents have the tools alone. */
function registerMcp(provideMcpServerDefinitions: () => Promise<McpServer[]>): vscode.Disposable[] {
  const api = mcpApi();
  return api === null ? [] : [api.lm.registerMcpServerDefinitionProvider('meshlens', { provideMcpServerDefinitions })];
}

export function deactivate(): void {
  // Everything is in context.subscriptions.
}

/** The configs of the workspace with their verdicts: looked for when the view is first seen, the open ones kept fresh. */
import * as vscode from 'vscode';
import type { EstimateDocument } from '../documents/types';
import { EDITOR_WORDS, verdict } from '../words/editor';
import { lensTitle } from '../words/lens';
import { setting } from './settings';
import type { Setups } from './setups';
import { ENDINGS, mayBeConfig } from './signs';
import { diskText, openText } from './texts';

/** Most files that are looked at, and most configs that are listed: a view is no index of a whole disk. */
const MOST_FILES = 2000;
const MOST_CONFIGS = 200;
const IGNORED = ['node_modules', '.git', '.venv', 'venv', 'site-packages', 'dist', 'out', 'wandb'];

interface Listed {
  readonly uri: vscode.Uri;
  readonly document: EstimateDocument | null;
}

type Node = Listed | { readonly more: number };

export class SetupsView implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;
  private listed: Promise<Node[]> | undefined;
  private readonly subscription: vscode.Disposable;

  constructor(private readonly setups: Setups) {
    this.subscription = setups.onDidChange(() => this.changed.fire());
  }

  refresh(): void {
    this.listed = undefined;
    this.changed.fire();
  }

  dispose(): void {
    this.subscription.dispose();
    this.changed.dispose();
  }

  async getChildren(parent?: Node): Promise<Node[]> {
    if (parent !== undefined) return [];
    this.listed ??= this.look();
    const listed = await this.listed;
    return listed.map(node =>
      'more' in node ? node : { ...node, document: this.setups.view(node.uri)?.answer.document ?? node.document },
    );
  }

  getTreeItem(node: Node): vscode.TreeItem {
    if ('more' in node) return new vscode.TreeItem(EDITOR_WORDS.moreFiles(node.more));
    const item = new vscode.TreeItem(node.uri);
    item.contextValue = 'setup';
    item.command = { command: 'vscode.open', title: 'MeshLens', arguments: [node.uri] };
    if (node.document === null) return item;
    const { text, severity } = verdict(node.document);
    item.description = text;
    item.tooltip = `${vscode.workspace.asRelativePath(node.uri)}\n${lensTitle(node.document, false)}`;
    item.iconPath = new vscode.ThemeIcon(ICONS[severity].icon, new vscode.ThemeColor(ICONS[severity].color));
    return item;
  }

  private async look(): Promise<Node[]> {
    const hidden = [...IGNORED.map(folder => `**/${folder}/**`), ...setting('exclude', undefined)];
    const uris = await vscode.workspace.findFiles(`**/*.{${ENDINGS.join(',')}}`, `{${hidden.join(',')}}`, MOST_FILES);
    uris.sort((a, b) => (a.path < b.path ? -1 : 1));
    const found: Node[] = [];
    let left = 0;
    for (const uri of uris) {
      const text = openText(uri) ?? (await diskText(uri));
      if (text === null || !mayBeConfig(uri.path, text)) continue;
      if (found.length >= MOST_CONFIGS) left++;
      else {
        const document = await this.setups.look(uri, text);
        if (document !== null) found.push({ uri, document });
      }
    }
    return left === 0 ? found : [...found, { more: left }];
  }
}

const ICONS = {
  good: { icon: 'pass', color: 'testing.iconPassed' },
  close: { icon: 'warning', color: 'list.warningForeground' },
  bad: { icon: 'error', color: 'list.errorForeground' },
  open: { icon: 'question', color: 'foreground' },
} as const;

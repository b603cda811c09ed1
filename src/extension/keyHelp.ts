/** Help at the keys of a config: a hover that explains them with this run's numbers, and legal values to complete. */
import * as vscode from 'vscode';
import type { FieldDocument } from '../documents/types';
import type { PlanKey } from '../engine/plan/keys';
import type { Alternative } from '../engine/search/alternatives';
import { alternativeDetail, modelKeyHover, planKeyHover, planKeyOf } from '../words/editor';
import type { EngineClient } from './engineClient';
import { setting } from './settings';
import type { SetupView, Setups } from './setups';

export class KeyHelp implements vscode.HoverProvider, vscode.CompletionItemProvider {
  constructor(
    private readonly engine: EngineClient,
    private readonly setups: Setups,
  ) {}

  async provideHover(
    document: vscode.TextDocument,
    position: vscode.Position,
    token: vscode.CancellationToken,
  ): Promise<vscode.Hover | undefined> {
    if (!setting('hover.enabled', document.uri)) return undefined;
    const found = await this.fieldAt(document, position);
    if (found === undefined) return undefined;
    const markdown = await this.hoverText(document, found, token);
    return markdown === undefined ? undefined : new vscode.Hover(new vscode.MarkdownString(markdown));
  }

  async provideCompletionItems(
    document: vscode.TextDocument,
    position: vscode.Position,
    token: vscode.CancellationToken,
  ): Promise<vscode.CompletionItem[]> {
    if (!setting('completion.enabled', document.uri)) return [];
    const found = await this.fieldAt(document, position);
    const key = found === undefined ? null : planKeyOf(found.field.path);
    if (found === undefined || key === null || typeof found.field.value !== 'number') return [];
    const range = document.getWordRangeAtPosition(position, /\d+/) ?? new vscode.Range(position, position);
    const written = document.getText(range);
    // Where the file counts in other units than the plan does, a value of the plan would be wrong there.
    if (written !== '' && Number(written) !== found.field.value && !found.view.stale) return [];
    const rows = await this.alternatives(document, key, token);
    return rows.filter(({ refusedBy }) => refusedBy === null).map((row, at) => completion(row, range, at));
  }

  private async hoverText(
    document: vscode.TextDocument,
    { field, view }: { field: FieldDocument; view: SetupView },
    token: vscode.CancellationToken,
  ): Promise<string | undefined> {
    const key = planKeyOf(field.path);
    if (key !== null) return planKeyHover(key, field, await this.alternatives(document, key, token));
    const { parameters } = view.answer.document;
    return field.path.startsWith('model.') && parameters !== null
      ? modelKeyHover(field.path.slice('model.'.length), field, parameters)
      : undefined;
  }

  private async alternatives(
    document: vscode.TextDocument,
    key: PlanKey,
    token: vscode.CancellationToken,
  ): Promise<readonly Alternative[]> {
    const input = await this.setups.input(document);
    try {
      return await this.engine.ask<'alternatives'>({ type: 'alternatives', key, ...input }, document.version, {
        token,
      });
    } catch (error) {
      if (error instanceof vscode.CancellationError) return [];
      throw error;
    }
  }

  /** The field whose value stands at the position, else the one of its line. */
  private async fieldAt(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<{ field: FieldDocument; view: SetupView } | undefined> {
    const view = await this.setups.ensure(document);
    if (view === undefined) return undefined;
    const name = this.setups.nameOf(document.uri);
    const [line, column] = [position.line + 1, position.character + 1];
    const here = view.answer.fields.filter(
      field => field.file === name && field.line === line && (field.endLine ?? line) === line,
    );
    const at = here.find(field => (field.column ?? 1) <= column && column <= (field.endColumn ?? column));
    const field = at ?? (here.length === 1 ? here[0] : undefined);
    return field === undefined ? undefined : { field, view };
  }
}

function completion(row: Alternative, range: vscode.Range, at: number): vscode.CompletionItem {
  const item = new vscode.CompletionItem(
    { label: String(row.value), description: alternativeDetail(row) },
    vscode.CompletionItemKind.Value,
  );
  item.range = range;
  item.insertText = String(row.value);
  item.filterText = String(row.value);
  item.sortText = String(at).padStart(3, '0');
  return item;
}

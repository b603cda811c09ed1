/** The command that imports measurements: from a file, the clipboard or an editor; what is not understood is named by its line. */
import * as vscode from 'vscode';
import type { MeasurementsAnswer } from '../protocol/engine';
import { language } from '../words/language';
import { MEASUREMENT_WORDS } from '../words/measurements';
import { pick } from './ask';
import { toDiagnostic } from './diagnostics';
import type { EngineClient } from './engineClient';
import { type Measurements, readMeasured } from './measurements';
import type { Setups } from './setups';

/** Where the text comes from; `uri` null: it was pasted. */
interface Source {
  readonly name: string;
  readonly uri: vscode.Uri | null;
  readonly text: string;
}

export class MeasurementImport implements vscode.Disposable {
  private readonly broken = vscode.languages.createDiagnosticCollection('meshlens-measurements');

  constructor(
    private readonly engine: EngineClient,
    private readonly setups: Setups,
    private readonly measurements: Measurements,
  ) {}

  dispose(): void {
    this.broken.dispose();
  }

  /** @param given for tests and scripts: the file, or the text; asked for where it is neither */
  async run(config: vscode.Uri, given: unknown): Promise<MeasurementsAnswer | null> {
    try {
      const source = await this.source(config, given);
      return source === null ? null : await this.take(config, source);
    } catch (error) {
      void vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error));
      return null;
    }
  }

  private async take(config: vscode.Uri, source: Source): Promise<MeasurementsAnswer | null> {
    const input = await this.setups.input(await vscode.workspace.openTextDocument(config));
    const measured = { file: source.name, text: source.text };
    const answer = await this.engine.ask<'measurements'>({ type: 'measurements', ...input, measured }, 0);
    const { format, records, run, problems } = answer;
    if (format === null) throw new Error(MEASUREMENT_WORDS.noFormat(source.name));
    const wrong = problems.filter(({ line }) => line !== null);
    if (source.uri !== null) this.broken.set(source.uri, wrong.map(toDiagnostic));
    if (records === 0) {
      void this.refuse(source, answer);
      return answer;
    }
    await this.measurements.keep({
      name: source.name,
      config: config.toString(),
      uri: source.uri?.toString() ?? null,
      text: source.uri === null ? source.text : null,
      format,
      records,
      isRun: run?.stepSeconds != null,
      date: new Date().toISOString(),
    });
    void this.tell(config, answer);
    return answer;
  }

  /** Nothing of it was understood: the first line that is wrong. */
  private async refuse(source: Source, { problems }: MeasurementsAnswer): Promise<void> {
    const [first] = problems;
    const line = first?.line ?? 1;
    const show = source.uri === null ? [] : [MEASUREMENT_WORDS.showLine];
    const words = MEASUREMENT_WORDS.broken(source.name, line, first?.message ?? MEASUREMENT_WORDS.noText);
    const chosen = await vscode.window.showErrorMessage(words, ...show);
    if (chosen === undefined || source.uri === null) return;
    const place = new vscode.Position(line - 1, 0);
    await vscode.window.showTextDocument(source.uri, { selection: new vscode.Range(place, place) });
  }

  private async tell(config: vscode.Uri, { file, format, records, run, problems }: MeasurementsAnswer): Promise<void> {
    const wrong = problems.filter(({ severity }) => severity === 'error').length;
    const kept = MEASUREMENT_WORDS.imported(file, format ?? '', records, vscode.workspace.asRelativePath(config));
    const text = wrong === 0 ? kept : `${kept} ${MEASUREMENT_WORDS.importedBroken(wrong)}`;
    const { calibrate, compare, show } = MEASUREMENT_WORDS;
    const second = run?.stepSeconds == null ? show : compare;
    const chosen = await vscode.window.showInformationMessage(text, calibrate, second);
    if (chosen === calibrate) await vscode.commands.executeCommand('meshlens.calibrate', config);
    if (chosen === second) await vscode.commands.executeCommand('meshlens.compareRun', config);
  }

  private async source(config: vscode.Uri, given: unknown): Promise<Source | null> {
    if (given instanceof vscode.Uri) return ofFile(given);
    if (typeof given === 'string') return pasted(given);
    const editor = vscode.window.activeTextEditor?.document;
    const words = MEASUREMENT_WORDS;
    const isOther = editor !== undefined && editor.uri.toString() !== config.toString();
    const choices = [
      { label: words.fromFile, detail: words.fromFileDetail, from: 'file' },
      { label: words.fromClipboard, detail: words.fromClipboardDetail, from: 'clipboard' },
      ...(isOther
        ? [{ label: words.fromEditor(vscode.workspace.asRelativePath(editor.uri)), detail: '', from: 'editor' }]
        : []),
    ];
    const title = words.fromTitle(vscode.workspace.asRelativePath(config));
    const choice = await pick(choices, title);
    if (choice === undefined) return null;
    if (choice.from === 'clipboard') return pasted(await vscode.env.clipboard.readText());
    if (choice.from === 'editor' && editor !== undefined)
      return editor.isUntitled ? pasted(editor.getText()) : ofFile(editor.uri);
    const [uri] = (await vscode.window.showOpenDialog({ defaultUri: vscode.Uri.joinPath(config, '..') })) ?? [];
    return uri === undefined ? null : ofFile(uri);
  }
}

async function ofFile(uri: vscode.Uri): Promise<Source> {
  return { name: vscode.workspace.asRelativePath(uri), uri, text: await readMeasured(uri) };
}

function pasted(text: string): Source {
  if (text.trim() === '') throw new Error(MEASUREMENT_WORDS.noText);
  return { name: MEASUREMENT_WORDS.pasted(new Date().toLocaleTimeString(language())), uri: null, text };
}

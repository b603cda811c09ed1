/**
 * Calibration: from the measurements that are kept for a config to a hardware file that its meshlens.json names. Both are
 * shown as differences first, and can be taken back afterwards.
 */
import * as vscode from 'vscode';
import { WORKSPACE_FILE, withHardware } from '../engine/configs/workspaceFile';
import type { EngineInput, EngineResults } from '../protocol/engine';
import { formatSeconds } from '../words/format';
import { MEASUREMENT_WORDS } from '../words/measurements';
import type { EngineClient } from './engineClient';
import type { Measurements } from './measurements';
import type { ProposedText, Proposals } from './proposal';
import type { Setups } from './setups';
import { diskText, openText } from './texts';
import { applyOrSay } from './writing';

const HARDWARE_FILE = 'meshlens-hardware.json';
const LAST = 'meshlens.calibration';
const DONE = 'meshlens.calibrated';

/** What a calibration changed; `before` null: the file is new. */
interface Undoable {
  readonly uri: string;
  readonly before: string | null;
  readonly after: string;
}

export class Calibration implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly engine: EngineClient,
    private readonly setups: Setups,
    private readonly measurements: Measurements,
    private readonly proposals: Proposals,
    private readonly memory: vscode.Memento,
  ) {
    void vscode.commands.executeCommand('setContext', DONE, this.canUndo);
  }

  get canUndo(): boolean {
    return this.last().length > 0;
  }

  dispose(): void {
    this.changed.dispose();
  }

  /** Shows what the measurements of the config would write; null where they say nothing. */
  async run(config: vscode.Uri): Promise<EngineResults['calibrate'] | null> {
    const kept = this.measurements.of(config);
    if (kept.length === 0) {
      const { nothingKept, importNow } = MEASUREMENT_WORDS;
      void vscode.window.showInformationMessage(nothingKept, importNow).then(chosen => {
        if (chosen === importNow) void vscode.commands.executeCommand('meshlens.importMeasurements', config);
      });
      return null;
    }
    const folder = vscode.workspace.getWorkspaceFolder(config)?.uri;
    if (folder === undefined) return this.say(MEASUREMENT_WORDS.noFolder);
    const input = await this.setups.input(await vscode.workspace.openTextDocument(config));
    const measured = await this.measurements.measured(config);
    const runs = await this.measurements.runs([config.toString()]);
    const date = new Date().toISOString();
    const answer = await this.engine.ask<'calibrate'>({ type: 'calibrate', ...input, measured, runs, date }, 0);
    if (answer.document.constants.length === 0) return this.say(MEASUREMENT_WORDS.nothingMoved);
    await this.propose(config, input, folder, answer.text);
    return answer;
  }

  /** Takes the last calibration back, where its files are as it wrote them. */
  async undo(): Promise<boolean> {
    const last = this.last();
    if (last.length === 0) return this.say(MEASUREMENT_WORDS.noCalibration) ?? false;
    const edit = new vscode.WorkspaceEdit();
    for (const { uri: address, before, after } of last) {
      const uri = vscode.Uri.parse(address);
      const name = vscode.workspace.asRelativePath(uri);
      if ((openText(uri) ?? (await diskText(uri))) !== after)
        return this.say(MEASUREMENT_WORDS.cannotUndo(name)) ?? false;
      if (before === null) edit.deleteFile(uri);
      else edit.replace(uri, wholeOf(await vscode.workspace.openTextDocument(uri)), before);
    }
    if (!(await applyOrSay(edit))) return false;
    await saveAll(last.filter(({ before }) => before !== null).map(({ uri }) => vscode.Uri.parse(uri)));
    await this.remember([]);
    const names = last.map(({ uri }) => vscode.workspace.asRelativePath(vscode.Uri.parse(uri)));
    void vscode.window.showInformationMessage(MEASUREMENT_WORDS.undone(names));
    return true;
  }

  private async propose(config: vscode.Uri, input: EngineInput, folder: vscode.Uri, text: string): Promise<void> {
    const { workspace } = input;
    const known = workspace === null ? undefined : this.setups.uriOf(workspace.file);
    const own = known ?? vscode.Uri.joinPath(folder, WORKSPACE_FILE);
    const named = workspace?.hardware === undefined || workspace.hardware === null ? null : workspace.hardware.file;
    const hardware =
      (named === null ? undefined : this.setups.uriOf(named)) ?? vscode.Uri.joinPath(own, '..', HARDWARE_FILE);
    const path = hardware.path.slice(vscode.Uri.joinPath(own, '..').path.replace(/\/$/, '').length + 1);
    const ownText = workspace?.text ?? '';
    const texts = [{ uri: hardware, text }];
    if (named === null) texts.push({ uri: own, text: withHardware(ownText, path) });
    const file = this.setups.nameOf(own);
    const after: EngineInput['workspace'] = {
      file,
      text: named === null ? withHardware(ownText, path) : ownText,
      config: workspace?.config ?? config.path.slice(folder.path.replace(/\/$/, '').length + 1),
      hardware: { file: this.setups.nameOf(hardware), text },
    };
    const steps = [await this.step(input), await this.step({ ...input, workspace: after })] as const;
    await this.proposals.showTexts(texts, {
      title: MEASUREMENT_WORDS.calibrationTitle,
      question: files => MEASUREMENT_WORDS.calibrationQuestion(files, ...steps),
      written: await this.afterwards(texts),
    });
  }

  /** The step as it is predicted, in words. */
  private async step(input: EngineInput): Promise<string> {
    const { document } = await this.engine.ask<'estimate'>({ type: 'estimate', ...input }, 0);
    const seconds = document.throughput.stepSeconds;
    return seconds === null ? MEASUREMENT_WORDS.unknownStep : formatSeconds(seconds);
  }

  /** Saves what was written, for the command line and the team read the disk; and remembers how it was. */
  private async afterwards(texts: readonly ProposedText[]): Promise<() => Promise<void>> {
    const changes = texts.map(async ({ uri, text }): Promise<Undoable> => {
      return { uri: uri.toString(), before: openText(uri) ?? (await diskText(uri)), after: text };
    });
    const undoable = await Promise.all(changes);
    return async () => {
      await saveAll(texts.map(({ uri }) => uri));
      await this.remember(undoable);
    };
  }

  private last(): readonly Undoable[] {
    return this.memory.get<readonly Undoable[]>(LAST, []);
  }

  private async remember(changes: readonly Undoable[]): Promise<void> {
    await this.memory.update(LAST, changes);
    await vscode.commands.executeCommand('setContext', DONE, changes.length > 0);
    this.changed.fire();
  }

  private say(words: string): null {
    void vscode.window.showWarningMessage(words);
    return null;
  }
}

function wholeOf(document: vscode.TextDocument): vscode.Range {
  return new vscode.Range(new vscode.Position(0, 0), document.lineAt(document.lineCount - 1).range.end);
}

async function saveAll(uris: readonly vscode.Uri[]): Promise<void> {
  for (const uri of uris) await (await vscode.workspace.openTextDocument(uri)).save();
}

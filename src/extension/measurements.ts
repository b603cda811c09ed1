/**
 * Measurements that the user has imported, by the config that they are of: kept in the workspace's memory, files by their
 * address, pasted texts whole. Logs of runs are set beside what is predicted of their config.
 */
import * as vscode from 'vscode';
import type { RunComparison } from '../documents/bench';
import type { EngineFile, LoggedFiles } from '../protocol/engine';
import { MEASUREMENT_WORDS } from '../words/measurements';
import type { EngineClient } from './engineClient';
import type { Setups } from './setups';
import { openText } from './texts';

export interface KeptMeasurement {
  readonly name: string;
  /** Addresses of the config, and of the file that was measured; null: `text` was pasted. */
  readonly config: string;
  readonly uri: string | null;
  readonly text: string | null;
  readonly format: string;
  readonly records: number;
  /** A training log: a run of the config. */
  readonly isRun: boolean;
  /** When it was imported, ISO 8601. */
  readonly date: string;
}

const KEPT = 'meshlens.measurements';
const LARGEST_BYTES = 50_000_000;

export class Measurements implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly compared = new Map<string, readonly RunComparison[]>();
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly memory: vscode.Memento,
    private readonly engine: EngineClient,
    private readonly setups: Setups,
  ) {}

  all(): readonly KeptMeasurement[] {
    return this.memory.get<readonly KeptMeasurement[]>(KEPT, []);
  }

  of(config: vscode.Uri): readonly KeptMeasurement[] {
    return this.all().filter(kept => kept.config === config.toString());
  }

  /** Beside the others; a file that is imported again takes the place of the older. Two texts may be pasted in one second. */
  async keep(measurement: KeptMeasurement): Promise<void> {
    const isSame = ({ name, config, text }: KeptMeasurement) =>
      name === measurement.name && config === measurement.config && text === measurement.text;
    const others = this.all().filter(kept => !isSame(kept));
    await this.memory.update(KEPT, [...others, measurement]);
    const config = vscode.Uri.parse(measurement.config);
    await this.compare(config);
    this.changed.fire(config);
  }

  async forget(config: vscode.Uri): Promise<number> {
    const others = this.all().filter(kept => kept.config !== config.toString());
    const count = this.all().length - others.length;
    await this.memory.update(KEPT, others);
    await this.compare(config);
    this.changed.fire(config);
    return count;
  }

  /** The runs of a config beside their predictions, as they were last compared. */
  comparisons(config: vscode.Uri): readonly RunComparison[] {
    return this.compared.get(config.toString()) ?? [];
  }

  /** Compares the runs of a config with its present prediction. */
  async compare(config: vscode.Uri): Promise<void> {
    const [evidence, logged] = await Promise.all([this.measured(config), this.runs([config.toString()])]);
    // What was measured beside the runs says of their devices, too.
    const runs = logged.map(run => ({ ...run, logs: [...run.logs, ...evidence] }));
    // Where the engine was lost, its client has said so.
    const found =
      runs.length === 0
        ? []
        : await this.engine.ask<'compareRuns'>({ type: 'compareRuns', runs }, 0).then(undefined, () => []);
    const before = this.comparisons(config);
    this.compared.set(config.toString(), found);
    if (found.length > 0 || before.length > 0) this.changed.fire(config);
  }

  /** Each training log of these configs as a run, with what is known of its config. */
  async runs(configs: readonly string[]): Promise<LoggedFiles[]> {
    const logs = this.all().filter(({ config, isRun }) => isRun && configs.includes(config));
    const runs = logs.map(async kept => {
      const log = await this.file(kept);
      const document = await vscode.workspace
        .openTextDocument(vscode.Uri.parse(kept.config))
        .then(undefined, () => null);
      if (log === null || document === null) return [];
      return [{ name: kept.name, logs: [log], input: await this.setups.input(document) }];
    });
    return (await Promise.all(runs)).flat();
  }

  /** What was measured but for the runs. */
  async measured(config: vscode.Uri): Promise<EngineFile[]> {
    const files = await Promise.all(
      this.of(config)
        .filter(({ isRun }) => !isRun)
        .map(kept => this.file(kept)),
    );
    return files.filter(file => file !== null);
  }

  dispose(): void {
    this.changed.dispose();
  }

  private async file({ name, uri, text }: KeptMeasurement): Promise<EngineFile | null> {
    if (uri === null) return { file: name, text: text ?? '' };
    try {
      return { file: name, text: await readMeasured(vscode.Uri.parse(uri)) };
    } catch {
      void vscode.window.setStatusBarMessage(MEASUREMENT_WORDS.gone(name), 8000);
      return null;
    }
  }
}

/** The text of a file of measurements. @throws Error with words where it cannot be read or is too large */
export async function readMeasured(uri: vscode.Uri): Promise<string> {
  const open = openText(uri);
  if (open !== undefined) return open;
  const name = vscode.workspace.asRelativePath(uri);
  const stat = await vscode.workspace.fs.stat(uri).then(undefined, () => null);
  if (stat === null) throw new Error(MEASUREMENT_WORDS.unreadable(name));
  if (stat.size > LARGEST_BYTES) throw new Error(MEASUREMENT_WORDS.tooLarge(name));
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
}

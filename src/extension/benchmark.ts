/**
 * The benchmark of the machine that the extension runs on: one at a time for all dashboards, in threads of its own, its
 * last result kept from session to session.
 */
import * as vscode from 'vscode';
import { type BenchEntry, benchEntries } from '../documents/benchHistory';
import type { BenchDocument } from '../documents/bench';
import type { BenchState } from '../protocol/dashboard';
import { machine } from './platform';
import { COMMAND_WORDS } from '../words/commands';
import { machineRefusal, usableMachine } from './trust';

/** A remote window and a local one share what is kept, but not the machine. */
const HISTORY = 'meshlens.benchHistory';
const MOST_KEPT = 20;
const KEPT = `meshlens.bench.${machine?.name ?? ''}`;

/** What tests make small. */
export interface BenchChoice {
  readonly ranks?: number;
  readonly sizes?: readonly number[];
}

export class Benchmark implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.changed.event;
  private progress: BenchState['running'] = null;
  private failure: string | null = null;
  private stop: AbortController | undefined;
  private run: Promise<BenchDocument | null> | undefined;

  constructor(
    private readonly extensionUri: vscode.Uri,
    private readonly memory: vscode.Memento,
  ) {}

  get state(): BenchState {
    return {
      running: this.progress,
      failure: this.failure,
      result: this.memory.get<BenchDocument>(KEPT) ?? null,
      refusal: machineRefusal(),
    };
  }

  /** All that is kept, in the order of time. */
  get history(): readonly BenchEntry[] {
    return benchEntries(this.results());
  }

  private results(): readonly BenchDocument[] {
    return this.memory.get<readonly BenchDocument[]>(HISTORY, []);
  }

  /** Measures, or joins the measuring that is under way. null: cancelled or failed; `state` knows why. */
  start(choice: BenchChoice = {}): Promise<BenchDocument | null> {
    this.run ??= this.measure(choice).finally(() => {
      this.run = undefined;
    });
    return this.run;
  }

  cancel(): void {
    this.stop?.abort();
  }

  dispose(): void {
    this.cancel();
    this.changed.dispose();
  }

  private async measure(choice: BenchChoice): Promise<BenchDocument | null> {
    const { signal } = (this.stop = new AbortController());
    this.failure = null;
    try {
      const onProgress = (progress: BenchState['running']) => this.show(progress);
      const document = await usableMachine().bench({ ...choice, signal, onProgress }, this.extensionUri);
      await this.memory.update(KEPT, document);
      await this.memory.update(HISTORY, [...this.results(), document].slice(-MOST_KEPT));
      return document;
    } catch (error) {
      if (!signal.aborted) this.failure = error instanceof Error ? error.message : String(error);
      return null;
    } finally {
      this.show(null);
    }
  }

  private show(progress: BenchState['running']): void {
    this.progress = progress;
    this.changed.fire();
  }
}

/** The command: progress in a notification that can cancel, then the figure that one compares machines by. */
export async function benchmarkCommand(
  benchmark: Benchmark,
  choice: BenchChoice,
  showDashboard: (() => Promise<void>) | undefined,
): Promise<void> {
  const refusal = machineRefusal();
  if (refusal !== null) return void vscode.window.showWarningMessage(`MeshLens: ${refusal}`);
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: COMMAND_WORDS.benchTitle,
    cancellable: true,
  };
  const document = await vscode.window.withProgress(options, async (progress, token) => {
    const cancelling = token.onCancellationRequested(() => benchmark.cancel());
    const following = benchmark.onDidChange(() => {
      const { running } = benchmark.state;
      if (running !== null)
        progress.report({ message: COMMAND_WORDS.benchProgress(running.op, running.done + 1, running.operations) });
    });
    try {
      return await benchmark.start(choice);
    } finally {
      cancelling.dispose();
      following.dispose();
    }
  });
  const { failure } = benchmark.state;
  if (failure !== null) void vscode.window.showErrorMessage(COMMAND_WORDS.benchFailed(failure));
  else if (document !== null) void report(document, showDashboard);
}

async function report(document: BenchDocument, showDashboard: (() => Promise<void>) | undefined): Promise<void> {
  const { benchShow: show, benchCopy: copy } = COMMAND_WORDS;
  const fastest = document.measurements
    .filter(({ op }) => op === 'all-reduce')
    .reduce((best, next) => ((next.busbwGB ?? 0) > (best.busbwGB ?? 0) ? next : best));
  const chosen = await vscode.window.showInformationMessage(
    [
      COMMAND_WORDS.benchDone(document.ranks, fastest.busbwGB ?? 0),
      ...(document.load.busy ? [COMMAND_WORDS.benchBusy] : []),
      COMMAND_WORDS.benchNoGpu,
    ].join(' '),
    ...(showDashboard === undefined ? [copy] : [show, copy]),
  );
  if (chosen === show) await showDashboard?.();
  if (chosen === copy) await vscode.env.clipboard.writeText(JSON.stringify(document, null, 2));
}

/** The argument of the command is for tests and scripts; what does not fit is left to the defaults. */
export function benchChoice(argument: unknown): BenchChoice {
  if (typeof argument !== 'object' || argument === null) return {};
  const { ranks, sizes } = argument as Partial<Record<keyof BenchChoice, unknown>>;
  const positive = (value: unknown): value is number =>
    typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 2 ** 26;
  return {
    ...(positive(ranks) && ranks >= 2 && ranks <= 8 ? { ranks } : {}),
    ...(Array.isArray(sizes) && sizes.length > 0 && sizes.every(positive) ? { sizes } : {}),
  };
}

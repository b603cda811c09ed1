/**
 * The engine's worker: started when first asked, asked by promises that can be cancelled, replaced when it dies, runs out
 * of memory or no longer takes messages.
 */
import * as vscode from 'vscode';
import type { EngineCall, EngineProgress, EngineResults, FromEngine, ToEngine } from '../protocol/engine';
import { COMMAND_WORDS } from '../words/commands';
import { type Language, language } from '../words/language';
import { type EngineThread, startEngine } from './platform';

/** The worker that was asked is gone; another one answers the next question. */
export class EngineLost extends Error {}

interface Pending {
  readonly resolve: (result: EngineResults[keyof EngineResults]) => void;
  readonly reject: (error: Error) => void;
  readonly onProgress: (progress: EngineProgress[keyof EngineProgress]) => void;
  readonly cancelling: vscode.Disposable | undefined;
}

/** What tests make small, or wrong. */
export interface EngineOptions {
  readonly script?: string;
  readonly memoryMegabytes?: number;
  /** Between two looks whether an asked worker still takes messages. */
  readonly pulseMilliseconds?: number;
  readonly onLost?: (error: EngineLost) => void;
}

const PULSE = 5000;
/** Looks without any message, after which a worker is given up. Counted, not timed: a computer may sleep meanwhile. */
const MOST_SILENT = 6;

export class EngineClient implements vscode.Disposable {
  private worker: EngineThread | undefined;
  private nextId = 1;
  private readonly pending = new Map<number, Pending>();
  private pulse: NodeJS.Timeout | undefined;
  private silent = 0;

  constructor(
    private readonly extensionUri: vscode.Uri,
    private readonly options: EngineOptions = {},
  ) {}

  /** The thread, for tests. */
  get thread(): EngineThread | undefined {
    return this.worker;
  }

  /** Asks the engine; a cancelled request is rejected with vscode.CancellationError, one whose worker dies with EngineLost. */
  ask<T extends EngineCall['type']>(
    call: Extract<EngineCall, { type: T }>,
    version: number,
    options: {
      token?: vscode.CancellationToken;
      onProgress?: (progress: EngineProgress[T]) => void;
      /** Of the answer; absent: the editor's. */
      language?: Language;
    } = {},
  ): Promise<EngineResults[T]> {
    const id = this.nextId++;
    return new Promise<EngineResults[T]>((resolve, reject) => {
      const cancelling = options.token?.onCancellationRequested(() => {
        if (this.settle(id) === undefined) return;
        this.post({ id, cancel: true });
        reject(new vscode.CancellationError());
      });
      this.pending.set(id, {
        resolve: result => resolve(result as EngineResults[T]),
        reject,
        onProgress: progress => options.onProgress?.(progress as EngineProgress[T]),
        cancelling,
      });
      this.post({ id, version, language: options.language ?? language(), call });
      this.pulse ??= setInterval(() => this.feel(), this.options.pulseMilliseconds ?? PULSE);
    });
  }

  dispose(): void {
    void this.worker?.stop();
    this.worker = undefined;
    this.failAll(new vscode.CancellationError());
  }

  private post(message: ToEngine): void {
    this.worker ??= this.start();
    this.worker.post(message);
  }

  private start(): EngineThread {
    const worker = startEngine(
      this.extensionUri,
      {
        receive: message => this.worker === worker && this.receive(message),
        lost: ({ message }) => this.lose(worker, message),
      },
      this.options.script,
      this.options.memoryMegabytes,
    );
    this.silent = 0;
    return worker;
  }

  private receive(message: FromEngine): void {
    this.silent = 0;
    if ('pong' in message) return;
    if ('progress' in message) return this.pending.get(message.id)?.onProgress(message.progress);
    const asked = this.settle(message.id);
    if ('error' in message) asked?.reject(new Error(message.error));
    else asked?.resolve(message.result);
  }

  /** Takes a request off the list, so that it is answered once. */
  private settle(id: number): Pending | undefined {
    const asked = this.pending.get(id);
    this.pending.delete(id);
    asked?.cancelling?.dispose();
    if (this.pending.size === 0) {
      clearInterval(this.pulse);
      this.pulse = undefined;
      this.silent = 0;
    }
    return asked;
  }

  private feel(): void {
    if (this.worker === undefined) return;
    if (++this.silent > MOST_SILENT) {
      const worker = this.worker;
      this.lose(worker, COMMAND_WORDS.engineSilent);
      void worker.stop();
    } else this.post({ ping: true });
  }

  /** A dead worker fails what it was asked; the next question starts a new one. */
  private lose(worker: EngineThread, message: string): void {
    if (this.worker !== worker) return;
    this.worker = undefined;
    const error = new EngineLost(message);
    this.failAll(error);
    this.options.onLost?.(error);
  }

  private failAll(error: Error): void {
    for (const id of [...this.pending.keys()]) this.settle(id)?.reject(error);
  }
}

/** The engine's worker: started when first asked, replaced when it dies, asked by promises that can be cancelled. */
import * as vscode from 'vscode';
import type { EngineCall, EngineProgress, EngineResults, FromEngine, ToEngine } from '../protocol/engine';
import { type EngineThread, startEngine } from './platform';

interface Pending {
  readonly resolve: (result: EngineResults[keyof EngineResults]) => void;
  readonly reject: (error: Error) => void;
  readonly onProgress: (progress: EngineProgress[keyof EngineProgress]) => void;
}

export class EngineClient implements vscode.Disposable {
  private worker: EngineThread | undefined;
  private nextId = 1;
  private readonly pending = new Map<number, Pending>();

  constructor(private readonly extensionUri: vscode.Uri) {}

  /** Asks the engine; a cancelled request is rejected with vscode.CancellationError. */
  ask<T extends EngineCall['type']>(
    call: Extract<EngineCall, { type: T }>,
    version: number,
    options: { token?: vscode.CancellationToken; onProgress?: (progress: EngineProgress[T]) => void } = {},
  ): Promise<EngineResults[T]> {
    const id = this.nextId++;
    return new Promise<EngineResults[T]>((resolve, reject) => {
      this.pending.set(id, {
        resolve: result => resolve(result as EngineResults[T]),
        reject,
        onProgress: progress => options.onProgress?.(progress as EngineProgress[T]),
      });
      options.token?.onCancellationRequested(() => {
        if (!this.pending.delete(id)) return;
        this.post({ id, cancel: true });
        reject(new vscode.CancellationError());
      });
      this.post({ id, version, call });
    });
  }

  dispose(): void {
    this.worker?.stop();
    this.worker = undefined;
    this.failAll(new vscode.CancellationError());
  }

  private post(message: ToEngine): void {
    this.worker ??= this.start();
    this.worker.post(message);
  }

  private start(): EngineThread {
    const worker = startEngine(this.extensionUri, {
      receive: message => this.receive(message),
      lost: error => this.lose(worker, error),
    });
    return worker;
  }

  private receive(message: FromEngine): void {
    const asked = this.pending.get(message.id);
    if (asked === undefined) return;
    if ('progress' in message) {
      asked.onProgress(message.progress);
      return;
    }
    this.pending.delete(message.id);
    if ('error' in message) asked.reject(new Error(message.error));
    else asked.resolve(message.result);
  }

  /** A dead worker fails what it was asked; the next question starts a new one. */
  private lose(worker: EngineThread, error: Error): void {
    if (this.worker !== worker) return;
    this.worker = undefined;
    this.failAll(error);
  }

  private failAll(error: Error): void {
    const asked = [...this.pending.values()];
    this.pending.clear();
    for (const { reject } of asked) reject(error);
  }
}

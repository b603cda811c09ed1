/**
 * The proof of a plan for one dashboard. It runs in a worker of its own, so that the editor's questions are answered
 * meanwhile and cancelling ends it in the midst of a step.
 */
import * as vscode from 'vscode';
import type { ProofState } from '../protocol/dashboard';
import { type EngineInput, PROOF_STEPS } from '../protocol/engine';
import { PROOF_TEXT } from '../words/editor';
import { EngineClient } from './engineClient';

/** More than a proof's few steps read. */
const MOST_BYTES = 1_000_000;

export class ProofRun implements vscode.Disposable {
  state: ProofState = { phase: 'idle' };
  /** The user's own text, which the twin learns in place of the trainer's; its first bytes are enough. */
  text: { readonly name: string; readonly bytes: Uint8Array } | null = null;
  private worker: EngineClient | undefined;

  constructor(
    private readonly extensionUri: vscode.Uri,
    private readonly onChange: () => void,
  ) {}

  /** A run that is under way gives way to the new one. */
  async start(input: Promise<EngineInput>, planString: string | null): Promise<void> {
    this.worker?.dispose();
    const worker = new EngineClient(this.extensionUri);
    this.worker = worker;
    const show = (state: ProofState) => {
      if (this.worker === worker) this.show(state);
    };
    show({ phase: 'running', planString, done: 0, total: PROOF_STEPS });
    try {
      const call = { type: 'prove', ...(await input), planString, text: this.text?.bytes ?? null } as const;
      const onProgress = ({ done, total }: { done: number; total: number }) =>
        show({ phase: 'running', planString, done, total });
      // The run may have been cancelled while the files were read.
      if (this.worker === worker) show({ phase: 'done', document: await worker.ask<'prove'>(call, 0, { onProgress }) });
    } catch (error) {
      show({ phase: 'failed', message: error instanceof Error ? error.message : String(error) });
    } finally {
      worker.dispose();
    }
  }

  /** Takes a file's text; undefined: asks for the file. */
  async chooseText(given?: vscode.Uri): Promise<void> {
    const uri = given ?? (await vscode.window.showOpenDialog({ title: PROOF_TEXT.title }))?.[0];
    if (uri === undefined) return;
    const bytes = await vscode.workspace.fs.readFile(uri);
    if (bytes.length === 0) return void vscode.window.showWarningMessage(PROOF_TEXT.empty);
    this.text = { name: uri.path.slice(uri.path.lastIndexOf('/') + 1), bytes: bytes.slice(0, MOST_BYTES) };
    this.cancel();
  }

  forgetText(): void {
    this.text = null;
    this.cancel();
  }

  /** Ends the run, if there is one, and forgets the last one's result. */
  cancel(): void {
    this.worker?.dispose();
    this.worker = undefined;
    this.show({ phase: 'idle' });
  }

  dispose(): void {
    this.worker?.dispose();
    this.worker = undefined;
  }

  private show(state: ProofState): void {
    this.state = state;
    this.onChange();
  }
}

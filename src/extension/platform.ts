/**
 * What differs between the extension's hosts, as Node has it. The bundle for browsers takes platform.web.ts in its
 * place.
 */
import { realpath } from 'node:fs/promises';
import os from 'node:os';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import * as vscode from 'vscode';
import type { BenchDocument } from '../documents/bench';
import type { BenchRun } from '../node/bench/collectives';
import { ENGINE_MEMORY } from '../node/engineMemory';
import type { FromEngine, ToEngine } from '../protocol/engine';
import { COMMAND_WORDS } from '../words/commands';

/** A worker in which the engine runs. */
export interface EngineThread {
  post(message: ToEngine): void;
  /** Settles when it has ended. */
  stop(): Promise<void>;
}

export interface EngineListener {
  receive(message: FromEngine): void;
  /** The worker has died; it is not heard of again. */
  lost(error: Error): void;
}

/** What can be asked of the machine beneath. */
export interface Machine {
  readonly name: string;
  /** The program that runs this host. */
  readonly nodeProgram: string;
  /** What the driver's tool says of the devices and their links; null where there is none. */
  nvidiaSmi(): Promise<string | null>;
  bench(run: Omit<BenchRun, 'workerUrl'>, extensionUri: vscode.Uri): Promise<BenchDocument>;
}

/** `script` and `memoryMegabytes` are for tests. */
export function startEngine(
  extensionUri: vscode.Uri,
  listener: EngineListener,
  script = vscode.Uri.joinPath(extensionUri, 'dist', 'worker.mjs').fsPath,
  memoryMegabytes = ENGINE_MEMORY.maxOldGenerationSizeMb,
): EngineThread {
  const worker = new Worker(script, { resourceLimits: { ...ENGINE_MEMORY, maxOldGenerationSizeMb: memoryMegabytes } });
  worker.on('message', (message: FromEngine) => listener.receive(message));
  worker.on('error', ({ message }) => listener.lost(new Error(COMMAND_WORDS.engineStopped(message))));
  worker.on('exit', () => listener.lost(new Error(COMMAND_WORDS.engineEnded)));
  const stop = async (): Promise<void> => {
    await worker.terminate();
  };
  return { post: message => worker.postMessage(message), stop };
}

/** Where a file really lies, once every link on its way is followed. @throws Error where there is none */
export async function realUri(uri: vscode.Uri): Promise<vscode.Uri> {
  return uri.scheme === 'file' ? vscode.Uri.file(await realpath(uri.fsPath)) : uri;
}

/** Writes a file as a whole: whatever happens meanwhile, what was there stays or the new is there. */
export async function replaceFile(uri: vscode.Uri, data: Uint8Array): Promise<void> {
  if (uri.scheme !== 'file') return vscode.workspace.fs.writeFile(uri, data);
  const files = await import('../node/files');
  files.replaceFile(uri.fsPath, data);
}

/** null: a browser, which lets nothing through to its machine. */
export const machine: Machine | null = {
  name: os.hostname(),
  nodeProgram: process.execPath,
  async nvidiaSmi() {
    const { nvidiaSmiHere } = await import('../node/nvidiaSmi');
    return nvidiaSmiHere();
  },
  async bench(run, extensionUri) {
    const { runBench } = await import('../node/bench/collectives');
    const worker = vscode.Uri.joinPath(extensionUri, 'dist', 'collectivesWorker.mjs');
    return runBench({ ...run, workerUrl: pathToFileURL(worker.fsPath) });
  },
};

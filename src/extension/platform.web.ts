/** What differs between the extension's hosts, as a browser has it: the engine in a web worker, and no machine. */
import * as vscode from 'vscode';
import type { FromEngine } from '../protocol/engine';
import type { EngineListener, EngineThread, Machine } from './platform';

/** What this file needs of a browser's own types, which would make Node's and the browser's names one in this folder. */
interface WebWorker {
  onmessage: ((event: { readonly data: FromEngine }) => void) | null;
  onerror: ((event: { readonly message: string }) => void) | null;
  postMessage(message: unknown): void;
  terminate(): void;
}
declare const Worker: new (url: string) => WebWorker;

/** A worker may not be loaded from the extension's address, which is another origin; so its text is. */
export function startEngine(extensionUri: vscode.Uri, listener: EngineListener): EngineThread {
  let stopped = false;
  const starting = (async () => {
    const script = vscode.Uri.joinPath(extensionUri, 'dist', 'web', 'worker.js');
    const url = URL.createObjectURL(new Blob([await vscode.workspace.fs.readFile(script)]));
    const worker = new Worker(url);
    worker.onmessage = ({ data }) => {
      // Loaded, so its address is not needed any more.
      URL.revokeObjectURL(url);
      listener.receive(data);
    };
    worker.onerror = ({ message }) => listener.lost(new Error(message));
    return worker;
  })();
  const use = async (then: (worker: WebWorker) => void): Promise<void> => {
    try {
      then(await starting);
    } catch (error) {
      if (!stopped) listener.lost(error instanceof Error ? error : new Error(String(error)));
    }
  };
  return {
    post: message => void use(worker => worker.postMessage(message)),
    stop: () => {
      stopped = true;
      return use(worker => worker.terminate());
    },
  };
}

/** Links are none of a virtual file system's. */
export const realUri = (uri: vscode.Uri): Promise<vscode.Uri> => Promise.resolve(uri);

export const replaceFile = async (uri: vscode.Uri, data: Uint8Array): Promise<void> =>
  vscode.workspace.fs.writeFile(uri, data);

export const machine: Machine | null = null;

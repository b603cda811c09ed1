/** The benchmark of a config's cluster: written beside it, with the lines that start it there, and run here as a task. */
import * as vscode from 'vscode';
import { LAUNCH_OPTIONS, type LaunchLines } from '../engine/bench/torchScript/launch';
import { MEASUREMENT_WORDS } from '../words/measurements';
import type { EngineClient } from './engineClient';
import type { Setups } from './setups';
import { machineRefusal, usableMachine } from './trust';
import { diskText, openText } from './texts';
import { applyOrSay } from './writing';

const SCRIPT = 'meshlens-cluster.py';
/** What the script writes into the folder in which it runs. */
const RESULTS = 'meshlens-cluster.json';

const LAUNCHER = ['-m', 'torch.distributed.run', '--standalone', ...LAUNCH_OPTIONS];

export interface WrittenScript {
  readonly uri: vscode.Uri;
  readonly launch: LaunchLines;
}

export class ClusterScripts {
  constructor(
    private readonly engine: EngineClient,
    private readonly setups: Setups,
  ) {}

  /** Writes the script into the config's folder; the same plan gives the same bytes. null: it could not be written. */
  async write(config: vscode.Uri): Promise<WrittenScript | null> {
    const input = await this.setups.input(await vscode.workspace.openTextDocument(config));
    const script = { type: 'clusterScript', ...input, script: SCRIPT } as const;
    const { text, launch } = await this.engine.ask<'clusterScript'>(script, 0);
    const uri = scriptOf(config);
    const edit = new vscode.WorkspaceEdit();
    edit.createFile(uri, { contents: new TextEncoder().encode(text), overwrite: true });
    if (!(await applyOrSay(edit))) return null;
    await vscode.window.showTextDocument(uri, { preview: false });
    void this.offer(config, { uri, launch });
    return { uri, launch };
  }

  /**
   * Runs the script here, one process a GPU, two on CPUs where there is none; resolves when it has ended, with its
   * results. null: it was refused or failed, which is said.
   */
  async run(config: vscode.Uri, options: unknown): Promise<vscode.Uri | null> {
    const refusal = machineRefusal();
    if (refusal !== null) return refuse(MEASUREMENT_WORDS.cannotRun(refusal));
    const uri = scriptOf(config);
    const folder = vscode.Uri.joinPath(uri, '..');
    const there = openText(uri) ?? (await diskText(uri));
    if (there === null) return refuse(MEASUREMENT_WORDS.noScript);
    const { program, more } = runOptions(options);
    const processes = String((await gpusHere()) ?? 2);
    const args = [...LAUNCHER, '--nproc_per_node', processes, SCRIPT, ...more];
    const name = MEASUREMENT_WORDS.taskName(vscode.workspace.asRelativePath(uri));
    const execution = new vscode.ProcessExecution(program, args, { cwd: folder.fsPath });
    const owner = vscode.workspace.getWorkspaceFolder(config) ?? vscode.TaskScope.Workspace;
    const task = new vscode.Task({ type: 'meshlens' }, owner, name, 'MeshLens', execution, []);
    const code = await ended(task);
    if (code !== 0) return refuse(MEASUREMENT_WORDS.scriptFailed(String(code ?? '?')));
    return vscode.Uri.joinPath(folder, RESULTS);
  }

  private async offer(config: vscode.Uri, { uri, launch }: WrittenScript): Promise<void> {
    const { runHere, copyTorchrun, copySlurm, copied, scriptWritten } = MEASUREMENT_WORDS;
    const choices = [...(machineRefusal() === null ? [runHere] : []), copyTorchrun, copySlurm];
    const text = scriptWritten(vscode.workspace.asRelativePath(uri), launch.torchrun);
    const chosen = await vscode.window.showInformationMessage(text, ...choices);
    if (chosen === runHere) await vscode.commands.executeCommand('meshlens.runClusterScript', config);
    if (chosen !== copyTorchrun && chosen !== copySlurm) return;
    await vscode.env.clipboard.writeText(chosen === copySlurm ? launch.slurm : launch.torchrun);
    void vscode.window.setStatusBarMessage(copied, 4000);
  }
}

function scriptOf(config: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(config, '..', SCRIPT);
}

function refuse(words: string): null {
  void vscode.window.showWarningMessage(words);
  return null;
}

/** As many processes as the driver's tool lists GPUs; null where there is none. */
async function gpusHere(): Promise<number | null> {
  const found = await usableMachine().nvidiaSmi();
  const gpus = new Set(found?.match(/^GPU \d+/gm) ?? []).size;
  return gpus === 0 ? null : gpus;
}

/** The exit code; undefined where the task was stopped. It may end before it is known to have begun. */
async function ended(task: vscode.Task): Promise<number | undefined> {
  const following: vscode.Disposable[] = [];
  const end = new Promise<number | undefined>(resolve => {
    const listen = ({ task: which }: vscode.TaskExecution, code: number | undefined) =>
      which.name === task.name && which.source === task.source ? resolve(code) : undefined;
    following.push(
      vscode.tasks.onDidEndTaskProcess(({ execution, exitCode }) => listen(execution, exitCode)),
      vscode.tasks.onDidEndTask(({ execution }) => listen(execution, undefined)),
    );
  });
  try {
    await vscode.tasks.executeTask(task);
    return await end;
  } finally {
    for (const one of following) one.dispose();
  }
}

/** The argument of the command is for tests: another program, and options of the script. */
function runOptions(argument: unknown): { readonly program: string; readonly more: readonly string[] } {
  const { program, more } = (typeof argument === 'object' && argument !== null ? argument : {}) as {
    readonly program?: unknown;
    readonly more?: unknown;
  };
  return {
    program: typeof program === 'string' ? program : 'python3',
    more: Array.isArray(more) ? more.filter(one => typeof one === 'string') : [],
  };
}

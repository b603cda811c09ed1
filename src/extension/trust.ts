/** Whether the machine beneath may be asked and measured: not in a browser, and not for a workspace without trust. */
import * as vscode from 'vscode';
import { EDITOR_WORDS } from '../words/editor';
import { type Machine, machine } from './platform';

/** Why not, as a sentence; null: it may. */
export function machineRefusal(): string | null {
  if (machine === null) return EDITOR_WORDS.noMachine;
  return vscode.workspace.isTrusted ? null : EDITOR_WORDS.untrusted;
}

/** A command stays callable where its entry in the menus is hidden, so that each use comes by here. */
export function usableMachine(): Machine {
  const refusal = machineRefusal();
  if (machine === null || refusal !== null) throw new Error(refusal ?? EDITOR_WORDS.noMachine);
  return machine;
}

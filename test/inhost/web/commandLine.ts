/** The host without Node starts no program: what the command line says was recorded before (see test/host/web.mjs). */
import * as vscode from 'vscode';
import type { EstimateDocument } from '../../../src/documents/types';

declare const RECORDED_ANSWERS: Readonly<Record<string, EstimateDocument>>;

export function askCommandLine(_extension: string, args: readonly string[]): EstimateDocument {
  const top = `${vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? ''}/`;
  const call = args.map(arg => arg.replace(top, '')).join(' ');
  const answer = RECORDED_ANSWERS[call];
  if (answer === undefined) throw new Error(`Not among the calls that test/host/web.mjs records: ${call}`);
  return answer;
}

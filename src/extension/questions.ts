/** Questions to the user: values that no file states. */
import type * as vscode from 'vscode';
import { isPlanKey, type PlanKey, parsePlanValue } from '../engine/plan/keys';
import { COMMAND_WORDS } from '../words/commands';
import { keyName } from '../words/keys';
import { enter } from './ask';
import type { Setups } from './setups';

/** Asks for each value in turn and remembers the answers for this file. */
export async function askValues(uri: vscode.Uri, keys: readonly string[], setups: Setups): Promise<void> {
  const answers: Record<string, string> = {};
  for (const path of keys) {
    const key = path.replace(/^\w+\./, '');
    if (!isPlanKey(key)) continue;
    const value = await enter({
      title: `MeshLens: ${keyName(path)} (${key})`,
      prompt: COMMAND_WORDS.valuePrompt,
      check: text => (isValue(key, text) ? null : COMMAND_WORDS.valueInvalid(key, text)),
    });
    if (value === undefined) break;
    answers[key] = value;
  }
  if (Object.keys(answers).length > 0) await setups.remember(uri, answers);
}

function isValue(key: PlanKey, text: string): boolean {
  return parsePlanValue(key, text) !== undefined;
}

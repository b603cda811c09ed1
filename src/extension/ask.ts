/**
 * Questions in VS Code's own boxes. Each is told once it is shown, so that tests answer the real box as a user would:
 * `vscode.window.showQuickPick` says to nobody that it waits.
 */
import * as vscode from 'vscode';

export type Asked = vscode.QuickPick<vscode.QuickPickItem> | vscode.InputBox;

const asked = new vscode.EventEmitter<Asked>();
export const onDidAsk = asked.event;

/** The entry that was chosen; undefined where the user left. */
export async function pick<T extends vscode.QuickPickItem>(items: readonly T[], title: string): Promise<T | undefined> {
  const box = pickOf(items, title);
  return answerOf(box, () => box.selectedItems[0]);
}

/** All entries that were ticked; undefined where the user left. */
export async function pickMany<T extends vscode.QuickPickItem>(
  items: readonly T[],
  title: string,
): Promise<readonly T[] | undefined> {
  const box = pickOf(items, title);
  box.canSelectMany = true;
  box.selectedItems = items.filter(({ picked }) => picked === true);
  return answerOf(box, () => box.selectedItems);
}

function pickOf<T extends vscode.QuickPickItem>(items: readonly T[], title: string): vscode.QuickPick<T> {
  const box = vscode.window.createQuickPick<T>();
  box.title = title;
  box.matchOnDescription = true;
  box.items = items;
  return box;
}

export interface Question {
  readonly title: string;
  readonly prompt?: string;
  readonly value?: string;
  /** What is wrong with an answer; null where nothing is. */
  readonly check?: (text: string) => string | null;
}

/** The text that was entered; undefined where the user left. */
export async function enter({ title, prompt, value = '', check = () => null }: Question): Promise<string | undefined> {
  const box = vscode.window.createInputBox();
  box.title = title;
  box.prompt = prompt;
  box.value = value;
  const checked = box.onDidChangeValue(text => (box.validationMessage = check(text) ?? undefined));
  const answer = await answerOf(box, () => {
    const wrong = check(box.value);
    box.validationMessage = wrong ?? undefined;
    return wrong === null ? box.value : undefined;
  });
  checked.dispose();
  return answer;
}

/** Shows a box until it is accepted with an answer, or left. */
function answerOf<A>(
  box: vscode.QuickPick<vscode.QuickPickItem> | vscode.InputBox,
  answer: () => A | undefined,
): Promise<A | undefined> {
  return new Promise(resolve => {
    box.onDidAccept(() => {
      const given = answer();
      if (given === undefined) return;
      resolve(given);
      box.dispose();
    });
    box.onDidHide(() => {
      resolve(undefined);
      box.dispose();
    });
    box.show();
    asked.fire(box);
  });
}

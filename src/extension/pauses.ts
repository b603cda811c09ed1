/** Looks at a document once its user pauses: a keystroke costs the setting of a timer. */
import type * as vscode from 'vscode';

export class Pauses implements vscode.Disposable {
  private readonly timers = new Map<string, NodeJS.Timeout>();

  constructor(
    private readonly milliseconds: number,
    private readonly look: (document: vscode.TextDocument) => void,
  ) {}

  touched(document: vscode.TextDocument): void {
    this.forget(document.uri);
    const key = document.uri.toString();
    this.timers.set(
      key,
      setTimeout(() => {
        this.timers.delete(key);
        this.look(document);
      }, this.milliseconds),
    );
  }

  forget(uri: vscode.Uri): void {
    const key = uri.toString();
    clearTimeout(this.timers.get(key));
    this.timers.delete(key);
  }

  dispose(): void {
    for (const timer of this.timers.values()) clearTimeout(timer);
  }
}

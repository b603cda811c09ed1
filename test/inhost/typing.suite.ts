/** For the bench of the editor: what of the extension host's time is ours while a large config is typed in. */
import assert from 'node:assert/strict';
import { type Profiler, Session } from 'node:inspector/promises';
import * as vscode from 'vscode';
import { extension, product, workspaceFile } from './support';

const LINES = 5000;
/** One that holds a comment, in the midst. */
const COMMENT_LINE = 2503;
const KEYSTROKES = 60;
/** Between keystrokes: within a burst, and long enough that each is answered by an estimate of its own. */
const PACES = { burst: 60, 'each with its estimate': 500 } as const;
const SAMPLE_MICROSECONDS = 100;

function config(): string {
  const head = ['base_model: meta-llama/Llama-3.1-8B', 'sequence_len: 4096', 'micro_batch_size: 1', 'datasets:'];
  const dataset = (index: number) => [
    `  - path: organisation/corpus-${index}`,
    '    type: completion',
    `    split: train[:${(index % 100) + 1}%]`,
    '    # what a user notes beside it',
  ];
  const datasets = Array.from({ length: (LINES - head.length) / 4 }, (_, index) => dataset(index)).flat();
  return `${[...head, ...datasets].join('\n')}\n`;
}

const microseconds = () => Number(process.hrtime.bigint() / 1000n);

/** Nodes of the profile that run for us: those of our scripts, and whatever they call. */
function ours({ nodes }: Profiler.Profile): ReadonlySet<number> {
  const dist = `${extension().extensionPath}/dist/`;
  const byId = new Map(nodes.map(node => [node.id, node]));
  const found = new Set<number>();
  const visit = (id: number, isOurs: boolean): void => {
    const node = byId.get(id);
    if (node === undefined) return;
    const inside = isOurs || node.callFrame.url.includes(dist);
    if (inside) found.add(id);
    for (const child of node.children ?? []) visit(child, inside);
  };
  for (const { id, callFrame } of nodes) if (callFrame.functionName === '(root)') visit(id, false);
  return found;
}

/** All that runs at all, whoever's it is. */
function busy({ nodes }: Profiler.Profile): ReadonlySet<number> {
  return new Set(nodes.filter(({ callFrame }) => callFrame.functionName !== '(idle)').map(({ id }) => id));
}

/** Milliseconds in some nodes after each keystroke, until the next. */
function shares(profile: Profiler.Profile, nodes: ReadonlySet<number>, keystrokes: readonly number[]): number[] {
  const sums = keystrokes.map(() => 0);
  let time = profile.startTime;
  let at = -1;
  profile.samples?.forEach((node, index) => {
    const delta = profile.timeDeltas?.[index] ?? 0;
    time += delta;
    while (at + 1 < keystrokes.length && time >= (keystrokes[at + 1] ?? Infinity)) at++;
    if (at >= 0 && nodes.has(node)) sums[at] = (sums[at] ?? 0) + delta / 1000;
  });
  return sums;
}

const quantile = (values: readonly number[], share: number) =>
  [...values].sort((a, b) => a - b)[Math.floor(share * (values.length - 1))] ?? NaN;

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

describe('typing in a config of 5,000 lines', () => {
  const uri = () => workspaceFile('large', 'axolotl.yaml');
  const session = new Session();

  before(async () => {
    await vscode.workspace.fs.writeFile(uri(), new TextEncoder().encode(config()));
    session.connect();
    await session.post('Profiler.enable');
    await session.post('Profiler.setSamplingInterval', { interval: SAMPLE_MICROSECONDS });
  });
  after(async () => {
    session.disconnect();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.workspace.fs.delete(uri());
  });

  for (const [pace, milliseconds] of Object.entries(PACES)) {
    it(`costs the extension host this much, ${pace}`, async function () {
      this.timeout(4 * KEYSTROKES * 1000);
      const { setups } = await product();
      const document = await vscode.workspace.openTextDocument(uri());
      assert.match(document.lineAt(COMMENT_LINE).text, /# what/);
      const editor = await vscode.window.showTextDocument(document);
      assert.ok(document.lineCount >= LINES);
      assert.ok((await setups.ensure(document)) !== undefined, 'it is read as a config');
      const end = document.lineAt(COMMENT_LINE).range.end;
      editor.selection = new vscode.Selection(end, end);
      let answers = 0;
      const listener = setups.onDidChange(() => answers++);
      const keystrokes: number[] = [];
      await session.post('Profiler.start');
      for (let index = 0; index < KEYSTROKES; index++) {
        keystrokes.push(microseconds());
        await vscode.commands.executeCommand('type', { text: 'x' });
        await new Promise(resolve => setTimeout(resolve, milliseconds));
      }
      const { profile } = await session.post('Profiler.stop');
      listener.dispose();
      const nodes = ours(profile);
      assert.ok(nodes.size > 0, 'the profile knows our scripts');
      const own = shares(profile, nodes, keystrokes);
      const [ownMean, hostMean] = [mean(own), mean(shares(profile, busy(profile), keystrokes))];
      const figures = [
        `median ${quantile(own, 0.5).toFixed(2)} ms`,
        `95th percentile ${quantile(own, 0.95).toFixed(2)} ms`,
        `mean ${ownMean.toFixed(2)} ms of the host’s ${hostMean.toFixed(1)} ms, ratio ${(ownMean / hostMean).toFixed(3)}`,
      ];
      console.info(
        `  our share a keystroke, ${pace}: ${figures.join(', ')}; ${KEYSTROKES} keystrokes, ${answers} answers`,
      );
    });
  }
});

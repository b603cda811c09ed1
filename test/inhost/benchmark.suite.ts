import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { closeAll, open, product, until } from './support';

const TINY = { ranks: 2, sizes: [4096, 16384] };

/** Worker threads of this process, as Node itself counts them; to be asked while none waits for another. */
function workers(): number {
  const report = process.report?.getReport() as unknown as { workers: unknown[] };
  return report.workers.length;
}

describe('the benchmark of this machine', () => {
  afterEach(closeAll);

  it('measures in threads of its own and shows the results in the dashboard; no thread is left', async () => {
    const train = await open('llama-3.1-8b', 'train.json');
    await vscode.commands.executeCommand('meshlens.openDashboard', train.uri);
    const { panel, benchmark } = await product().then(p => ({ panel: p.panel(train.uri), benchmark: p.benchmark }));
    assert.ok(panel !== undefined);
    await until(() => panel.report, panel.onDidReport);
    const before = workers();
    const seen: string[] = [];
    const following = benchmark.onDidChange(() => {
      const { running } = benchmark.state;
      if (running !== null) seen.push(running.op);
    });
    await vscode.commands.executeCommand('meshlens.benchmark', TINY);
    following.dispose();
    const { running, failure, result } = panel.state?.bench ?? {};
    assert.deepEqual([running, failure], [null, null]);
    assert.ok(result);
    assert.deepEqual([result.ranks, result.measurements.length], [2, 13], 'six operations of two sizes, and a barrier');
    assert.ok(result.measurements.every(({ source, samples }) => source === 'measured' && samples >= 10));
    assert.equal(new Set(seen).size, 7, 'progress names each operation');
    assert.equal(workers(), before, 'no thread is left');
  });

  it('keeps the last result, and stops when it is cancelled', async () => {
    const { benchmark } = await product();
    const { result } = benchmark.state;
    assert.ok(result, 'the result of the run before');
    const before = workers();
    const run = benchmark.start({ ranks: 2, sizes: [2 ** 24] });
    await until(() => (benchmark.state.running?.op === 'reduce-scatter' ? true : undefined), benchmark.onDidChange);
    // The operation before it is measured: the threads are in the midst of their work.
    const asked = performance.now();
    benchmark.cancel();
    assert.equal(await run, null);
    const milliseconds = performance.now() - asked;
    console.log(`cancelling the benchmark: ${milliseconds.toFixed(0)} ms`);
    assert.deepEqual(benchmark.state, { running: null, failure: null, refusal: null, result });
    assert.equal(workers(), before, 'no thread is left');
  });

  it('keeps a history: each result is compared with the one before on this machine', async () => {
    const { benchmark } = await product();
    const before = benchmark.history.length;
    await benchmark.start(TINY);
    await benchmark.start(TINY);
    const last = benchmark.history.at(-1);
    assert.equal(benchmark.history.length, before + 2);
    const { faster = 0, slower = 0, same = 0 } = last?.change ?? {};
    assert.equal(faster + slower + same, 13, 'all that both measured');
    assert.ok((last?.allReduceBusbw ?? 0) > 0 && (last?.messageSeconds ?? 0) > 0);
  });

  it('joins a run that is under way', async () => {
    const { benchmark } = await product();
    const first = benchmark.start(TINY);
    assert.equal(benchmark.start(), first);
    benchmark.cancel();
    assert.equal(await first, null);
  });
});

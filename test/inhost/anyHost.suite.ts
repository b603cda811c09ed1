import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { PLAIN_SEARCH } from '../../src/protocol/searchAsk';
import { closeAll, commandLine, open, product, until, workspaceFile } from './support';

const FOLDER = 'llama-3.1-8b';

/** To twelve digits: the last bit of an exponential is each browser's own. */
const rounded = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_, part: unknown) => (typeof part === 'number' ? Number(part.toPrecision(12)) : part)),
  );

describe('in every host', () => {
  afterEach(closeAll);

  it('estimates with the numbers of the command line', async () => {
    const train = await open(FOLDER, 'train.json');
    const { setups } = await product();
    const view = await setups.ensure(train);
    const expected = commandLine(
      'estimate',
      train.uri.fsPath,
      workspaceFile(FOLDER, 'config.json').fsPath,
      '--gpu',
      'h100-sxm',
    );
    const { parameters, throughput, time, memory, pipeline } = expected;
    const { document } = view?.answer ?? {};
    assert.ok(document);
    assert.deepEqual(
      rounded([document.parameters, document.throughput, document.time, document.memory, document.pipeline]),
      rounded([parameters, throughput, time, memory, pipeline]),
    );
  });

  it('tells of a search on its way, and stops it when it is asked to', async () => {
    const train = await open(FOLDER, 'train.json');
    const { engine, setups } = await product();
    const input = await setups.input(train);
    const source = new vscode.CancellationTokenSource();
    const seen: number[] = [];
    // 8,192 GPUs and a free batch: far more points than are searched before the first word of progress.
    const answers = [...input.answers, ['gpus', '8192'], ['nodes', '1024'], ['dp', '1024']] as [string, string][];
    const search = engine.ask<'search'>(
      { type: 'search', ...input, answers, ask: { ...PLAIN_SEARCH, freeBatch: true } },
      train.version,
      {
        token: source.token,
        onProgress: ({ evaluated }) => {
          seen.push(evaluated);
          source.cancel();
        },
      },
    );
    const outcome = await search.then(
      () => 'finished',
      (error: unknown) => (error instanceof vscode.CancellationError ? 'cancelled' : String(error)),
    );
    assert.equal(outcome, 'cancelled');
    assert.equal(seen.length, 1, 'nothing is heard of it afterwards');
    const view = await engine.ask<'estimate'>({ type: 'estimate', ...input }, train.version);
    assert.equal(view.document.parameters?.total, 8_030_261_248, 'the engine answers on');
  });

  it('says in the dashboard whether this machine can be measured', async () => {
    const train = await open(FOLDER, 'train.json');
    await vscode.commands.executeCommand('meshlens.openDashboard', train.uri);
    const panel = (await product()).panel(train.uri);
    assert.ok(panel);
    await until(() => panel.report, panel.onDidReport);
    const hasNode = typeof process === 'object' && process.versions?.node !== undefined;
    const refusal = panel.state?.bench?.refusal ?? null;
    assert.equal(refusal === null, hasNode && vscode.workspace.isTrusted);
    if (refusal === null) return;
    const { benchmark } = await product();
    await vscode.commands.executeCommand('meshlens.benchmark', { ranks: 2, sizes: [4096] });
    assert.equal(await benchmark.start({ ranks: 2, sizes: [4096] }), null);
    assert.deepEqual([benchmark.state.failure, benchmark.state.result], [refusal, null]);
  });
});

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { EngineClient, EngineLost } from '../../src/extension/engineClient';
import type { Product } from '../../src/extension/product';
import { PLAIN_SEARCH } from '../../src/protocol/searchAsk';
import { closeAll, extension, loaded, open, product, replace, until } from './support';

/** How often the worker is killed at each stage; the soak sets more. */
const KILLS = Number(process.env.MESHLENS_KILLS ?? 3);

const STOPPED = /stopped unexpectedly/;
const TRAIN = ['llama-3.1-8b', 'train.json'] as const;

const nextTurn = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

async function kill(lens: Product): Promise<void> {
  const { thread } = lens.engine;
  assert.ok(thread !== undefined, 'the worker runs');
  await thread.stop();
}

describe('the engine’s worker, killed', () => {
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await closeAll();
  });

  it('while idle, while starting, with a request before it and with one behind it: the next question is answered', async function () {
    this.timeout(KILLS * 20_000);
    const lens = await product();
    const train = await open(...TRAIN);
    const call = { type: 'estimate', ...(await lens.setups.input(train)) } as const;
    const ask = () => lens.engine.ask<'estimate'>(call, train.version);
    const expected = (await ask()).document;
    for (let round = 0; round < KILLS; round++) {
      await kill(lens);
      const starting = assert.rejects(ask(), STOPPED);
      await kill(lens);
      await starting;
      assert.deepEqual((await ask()).document, expected);
      const [behind] = await Promise.allSettled([ask(), kill(lens)]);
      assert.ok(behind.status === 'fulfilled' || STOPPED.test(String(behind.reason)));
      assert.deepEqual((await ask()).document, expected);
    }
  });

  it('in the midst of a search: the dashboard says so, lives on, and the next search ends', async function () {
    this.timeout(KILLS * 30_000);
    const lens = await product();
    const train = await open(...TRAIN);
    await vscode.commands.executeCommand('meshlens.openDashboard', train.uri);
    const panel = lens.panel(train.uri);
    assert.ok(panel !== undefined);
    await loaded(panel);
    for (let round = 0; round < KILLS; round++) {
      const search = panel.startSearch({ ...PLAIN_SEARCH, freeBatch: true });
      // Wherever the search has come to: while the files are read, while the worker starts, in its midst.
      while (panel.searchState.phase === 'running') {
        await nextTurn();
        await lens.engine.thread?.stop();
      }
      await search;
      assert.equal(panel.searchState.phase, 'failed');
    }
    await panel.startSearch();
    assert.equal(panel.searchState.phase, 'done');
    assert.equal(lens.openPanels().length, 1);
  });

  it('while a setup is asked for: it is asked again, and the lens follows the text', async function () {
    this.timeout(KILLS * 30_000);
    const lens = await product();
    const { setups } = lens;
    const train = await open(...TRAIN);
    await setups.ensure(train);
    const tp = () => setups.view(train.uri)?.answer.document.setup.plan.tp;
    for (let round = 0; round < KILLS; round++) {
      const [from, to] = round % 2 === 0 ? [4, 2] : [2, 4];
      await replace(train, `"tp_size": ${from}`, `"tp_size": ${to}`);
      const asking = setups.refreshAll();
      await kill(lens);
      await asking;
      await until(() => (tp() === to ? true : undefined), setups.onDidChange);
    }
  });
});

describe('a worker that is no good', () => {
  let folder = '';
  before(() => (folder = mkdtempSync(path.join(os.tmpdir(), 'meshlens-fault-'))));
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** A client whose worker runs this on the first message, and what it was told of lost workers. */
  function client(body: string, pulseMilliseconds = 20) {
    const script = path.join(folder, 'worker.mjs');
    writeFileSync(
      script,
      `import { parentPort } from 'node:worker_threads';\nparentPort.on('message', () => {${body}});`,
    );
    const lost: string[] = [];
    const onLost = ({ message }: EngineLost) => lost.push(message);
    const options = { script, memoryMegabytes: 64, pulseMilliseconds, onLost };
    return { engine: new EngineClient(extension().extensionUri, options), lost };
  }
  const question = { type: 'lecture', demo: 'all-reduce' } as never;

  for (const [fault, body, told] of [
    ['hangs', 'for (;;) {}', /no longer answered/],
    ['runs out of memory', 'const held = []; for (;;) held.push(new Array(1e5).fill({}).map(() => ({})));', /memory/],
    ['throws', 'throw new Error("broken");', /broken/],
    ['exits', 'process.exit(3);', /unexpectedly/],
  ] as const) {
    it(`${fault}: every request fails with the cause, once, and no thread is left`, async () => {
      // Filling the memory takes a while, in which no message is taken either.
      const { engine, lost } = client(body, fault === 'hangs' ? 20 : 5000);
      const asked = await Promise.allSettled([engine.ask(question, 0), engine.ask(question, 0)]);
      for (const answer of asked) {
        assert.ok(answer.status === 'rejected' && answer.reason instanceof EngineLost);
        assert.match(answer.reason.message, told);
      }
      assert.equal(lost.length, 1);
      assert.equal(engine.thread, undefined);
      engine.dispose();
    });
  }

  it('that works long but takes messages is left to work', async () => {
    const { engine, lost } = client(
      'globalThis.pings = (globalThis.pings ?? 0) + 1; parentPort.postMessage({ pong: true }); if (globalThis.pings > 30) parentPort.postMessage({ id: 1, version: 0, result: [] });',
    );
    assert.deepEqual(await engine.ask(question, 0), []);
    assert.deepEqual(lost, []);
    engine.dispose();
  });
});

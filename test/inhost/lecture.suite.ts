import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { closeAll, product, until } from './support';

describe('the lecture', () => {
  afterEach(closeAll);

  it('opens without any config and replays its collectives', async () => {
    await closeAll();
    await vscode.commands.executeCommand('meshlens.lecture');
    const { lecture } = await product();
    const report = await until(() => lecture.report, lecture.onDidReport);
    // A beginning and 6 steps of all-reduce, a beginning and 3 of reduce-scatter and of all-gather.
    assert.equal(report, 'collectives 1/15');
  });
});

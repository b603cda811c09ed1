/**
 * Runs inside the extension host for test/host/kills.mjs, which kills it: says what is there after the kill before, then
 * writes all that MeshLens writes, over and over.
 */
import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { saveOrSay } from '../../src/extension/writing';
import { lensTitles, open, product, workspaceFile } from './support';

const PLANS = ['dp=4,tp=2,pp=2', 'dp=2,tp=4,pp=2'] as const;
const REPORT_BYTES = 3_000_000;

/** Shared with the process that kills. */
const exchange = (name: string): string => path.join(process.env.MESHLENS_KILLS_FOLDER ?? '', name);

function tell(name: string, value: unknown): void {
  writeFileSync(exchange(`${name}.new`), JSON.stringify(value));
  renameSync(exchange(`${name}.new`), exchange(name));
}

export async function run(): Promise<void> {
  const { plans, setups } = await product();
  const train = await open('llama-3.1-8b', 'train.json');
  await setups.ensure(train);
  const lenses = await lensTitles(train.uri);
  tell('found', { pid: process.pid, plans: plans.all().map(({ name }) => name), lenses });
  const first = existsSync(exchange('kept')) ? readFileSync(exchange('kept'), 'utf8').trim().split('\n').length : 0;
  for (let turn = first; ; turn++) {
    tell('stage', 'report');
    const letter = turn % 2 === 0 ? 'a' : 'b';
    await saveOrSay(workspaceFile('report.html'), new TextEncoder().encode(letter.repeat(REPORT_BYTES)));
    tell('stage', 'memory');
    const name = `plan ${turn}`;
    await plans.save({ name, uri: train.uri.toString(), planString: PLANS[0], stepSeconds: null, peakBytes: null });
    appendFileSync(exchange('kept'), `${name}\n`);
    tell('stage', 'config');
    await setups.refreshAll();
    await vscode.commands.executeCommand('meshlens.applyPlan', train.uri, PLANS[turn % 2]);
    await vscode.commands.executeCommand('meshlens.writeProposal');
    await train.save();
    tell('stage', 'export');
    await vscode.commands.executeCommand('meshlens.exportTo', train.uri, 'axolotl');
  }
}

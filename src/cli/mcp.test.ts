/** The server against the official client, over a pair of pipes. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ReadBuffer, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { EstimateDocument, SearchDocument } from '../documents/types';
import { runCli } from './main';
import { serveMcp } from './mcp';
import { mcpHost } from './mcpHost';

const FILES = ['examples/llama-3.1-8b/train.json', 'examples/llama-3.1-8b/config.json'];
const CLUSTER = { gpu: 'h100-sxm' };

/** The client's end of the pipes. */
class Pipes implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  private readonly buffer = new ReadBuffer();
  constructor(
    private readonly toServer: PassThrough,
    private readonly fromServer: PassThrough,
  ) {}
  start(): Promise<void> {
    this.fromServer.on('data', (chunk: Buffer) => {
      this.buffer.append(chunk);
      for (let message = this.buffer.readMessage(); message !== null; message = this.buffer.readMessage())
        this.onmessage?.(message);
    });
    return Promise.resolve();
  }
  send(message: JSONRPCMessage): Promise<void> {
    this.toServer.write(serializeMessage(message));
    return Promise.resolve();
  }
  close(): Promise<void> {
    this.toServer.end();
    this.onclose?.();
    return Promise.resolve();
  }
}

async function connected(folder: string, use: (client: Client, raw: PassThrough) => Promise<void>): Promise<void> {
  const [toServer, fromServer] = [new PassThrough(), new PassThrough()];
  const serving = serveMcp(toServer, fromServer, '1.2.3', signal => mcpHost(folder, signal));
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new Pipes(toServer, fromServer));
  await use(client, toServer);
  await client.close();
  await serving;
}

async function call(
  client: Client,
  name: string,
  args: Record<string, unknown>,
): Promise<{ text: string; json: Record<string, unknown>; isError: boolean }> {
  const { content, isError } = await client.callTool({ name, arguments: args });
  const [{ text }] = content as [{ text: string }];
  const json = /```json\n(.*)\n```$/.exec(text)?.[1] ?? '{}';
  return { text, json: JSON.parse(json) as Record<string, unknown>, isError: isError === true };
}

const cli = <T>(...argv: string[]): T => JSON.parse(runCli([...argv, '--json']).stdout) as T;

describe('the MCP server', () => {
  it('offers three tools to the official client', () =>
    connected('.', async client => {
      assert.deepEqual(client.getServerVersion()?.version, '1.2.3');
      const { tools } = await client.listTools();
      assert.deepEqual(
        tools.map(({ name }) => name),
        ['estimate_training_config', 'search_parallel_strategies', 'explain_estimate'],
      );
      assert.ok(tools.every(({ annotations }) => annotations?.readOnlyHint === true));
      await client.ping();
    }));

  it('estimates and searches with the numbers of the command line', () =>
    connected('.', async client => {
      const { json, isError } = await call(client, 'estimate_training_config', { files: FILES, cluster: CLUSTER });
      const estimate = cli<EstimateDocument>('estimate', ...FILES, '--gpu', 'h100-sxm');
      assert.equal(isError, false);
      assert.equal(json.stepSeconds, estimate.throughput.stepSeconds);
      assert.equal(json.peakBytes, estimate.memory.peakBytes);
      const found = await call(client, 'search_parallel_strategies', {
        files: FILES,
        cluster: CLUSTER,
        fix: { tp: [1, 2], pp: 1 },
        top: 2,
      });
      const search = cli<SearchDocument>(
        'search',
        ...FILES,
        '--gpu',
        'h100-sxm',
        '--fix',
        'tp=1|2',
        '--fix',
        'pp=1',
        '--top',
        '2',
      );
      assert.deepEqual(
        (found.json.best as { plan: string; stepSeconds: number }[]).map(({ plan, stepSeconds }) => [
          plan,
          stepSeconds,
        ]),
        search.best.map(({ planString, throughput }) => [planString, throughput.stepSeconds]),
      );
    }));

  it('explains, with what other values of a key would give', () =>
    connected('.', async client => {
      const { json } = await call(client, 'explain_estimate', { files: FILES, cluster: CLUSTER, key: 'tp' });
      const rows = json.alternatives as { value: number; isPresent: boolean; stepSeconds: number | null }[];
      const estimate = cli<EstimateDocument>('estimate', ...FILES, '--gpu', 'h100-sxm');
      assert.equal(rows.find(({ isPresent }) => isPresent)?.stepSeconds, estimate.throughput.stepSeconds);
    }));

  it('says how a wrong call is mended', () =>
    connected('.', async client => {
      const wrong: [Record<string, unknown>, RegExp][] = [
        [{ files: FILES, cluster: { gpu: 'h1000' } }, /no accelerator “h1000”\. Choose one of: .*h100-sxm/],
        [{ files: FILES, set: { tpp: 2 } }, /no key “tpp”/],
        [{ files: FILES, set: { sharding: 'zero9' } }, /it is one of none, zero1/],
        [{ files: [] }, /`files`/],
        [{ files: ['nowhere.json'] }, /no file nowhere\.json/],
        [{ files: ['package.json'] }, /None of package\.json is a config/],
      ];
      for (const [args, message] of wrong) {
        const { text, isError } = await call(client, 'estimate_training_config', args);
        assert.ok(isError);
        assert.match(text, message);
      }
      const { text } = await call(client, 'estimate_training_config', { files: FILES });
      assert.match(text, /Next: Pass `cluster: /);
    }));

  it('reads nothing outside of its folder, by a path or by a link', async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'meshlens-'));
    try {
      symlinkSync(path.resolve(FILES[1] ?? ''), path.join(folder, 'link.json'));
      writeFileSync(path.join(folder, 'train.json'), '{}');
      await connected(folder, async client => {
        for (const file of ['/etc/hostname', '../../etc/hostname', 'link.json']) {
          const { text, isError } = await call(client, 'estimate_training_config', { files: [file] });
          assert.ok(isError);
          assert.match(text, /lies outside of|There is no file/);
        }
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('answers what is no request with an error, and goes on', async () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const serving = serveMcp(input, output, '1', signal => mcpHost('.', signal));
    const lines = [
      'nonsense',
      '[]',
      '{"id": 7}',
      '',
      '{"id": 8, "method": "no/such"}',
      '{"id": 9, "method": "tools/call", "params": {"name": "no_such_tool"}}',
      '{"id": 10, "method": "ping"}',
    ];
    input.end(`${lines.join('\n')}\n`);
    await serving;
    const answers = String(output.read())
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as { id: number | null; error?: { code: number }; result?: unknown });
    // The codes are those of JSON-RPC 2.0, section 5.1.
    assert.deepEqual(
      answers.map(({ id, error }) => [id, error?.code] as const).sort(([a], [b]) => (a ?? 0) - (b ?? 0)),
      [
        [null, -32700],
        [null, -32700],
        [7, -32601],
        [8, -32601],
        [9, -32602],
        [10, undefined],
      ],
    );
  });
});

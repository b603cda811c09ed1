/**
 * A server of the Model Context Protocol over standard input and output: one JSON-RPC message a line
 * (modelcontextprotocol.io/specification, 2025-06-18: lifecycle, tools, ping, cancellation). It offers the three tools,
 * reads config files of the folder that it was started in, and changes nothing.
 */
import readline from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { runTool, type ToolHost } from '../agents/run';
import { isToolName, TOOLS } from '../agents/tools';

const VERSIONS = ['2025-06-18', '2025-03-26', '2024-11-05'];
/** Longer lines are no request of ours. */
const LONGEST_LINE = 1_000_000;

/** JSON-RPC 2.0, section 5.1. */
const ERRORS = { parse: -32700, request: -32600, method: -32601, params: -32602, internal: -32603 } as const;

interface Request {
  readonly id?: string | number | null;
  readonly method?: unknown;
  readonly params?: unknown;
}

class RpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

/** Serves until the input ends. `hostOf` gives the tools' host for one call, which a signal can end. */
export async function serveMcp(
  input: Readable,
  output: Writable,
  version: string,
  hostOf: (signal: AbortSignal) => ToolHost,
): Promise<void> {
  const running = new Map<string | number, AbortController>();
  const write = (message: object): void => void output.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const answers = new Set<Promise<void>>();
  for await (const line of readline.createInterface({ input, crlfDelay: Infinity })) {
    if (line.trim() === '') continue;
    const request = parse(line);
    if (request === null) {
      write({ id: null, error: { code: ERRORS.parse, message: 'This is not one JSON object on one line.' } });
      continue;
    }
    if (request.method === 'notifications/cancelled') running.get(cancelledId(request.params))?.abort();
    const { id } = request;
    if (id === undefined || id === null) continue;
    const controller = new AbortController();
    running.set(id, controller);
    const answered = respond(request, version, hostOf(controller.signal))
      .then(message => !controller.signal.aborted && write({ id, ...message }))
      .then(() => void running.delete(id));
    answers.add(answered);
    void answered.finally(() => answers.delete(answered));
  }
  await Promise.all(answers);
}

function parse(line: string): Request | null {
  if (line.length > LONGEST_LINE) return null;
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

function cancelledId(params: unknown): string | number {
  const id: unknown = typeof params === 'object' && params !== null && 'requestId' in params ? params.requestId : '';
  return typeof id === 'string' || typeof id === 'number' ? id : '';
}

async function respond(request: Request, version: string, host: ToolHost): Promise<object> {
  try {
    return { result: await resultOf(request, version, host) };
  } catch (error) {
    const code = error instanceof RpcError ? error.code : ERRORS.internal;
    return { error: { code, message: error instanceof Error ? error.message : String(error) } };
  }
}

async function resultOf({ method, params }: Request, version: string, host: ToolHost): Promise<object> {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: agreed(params),
        capabilities: { tools: {} },
        serverInfo: { name: 'meshlens', title: 'MeshLens', version },
        instructions:
          'Predicts memory, step time and the best parallel layout of distributed training runs from their config files.',
      };
    case 'ping':
      return {};
    case 'tools/list':
      return { tools: Object.entries(TOOLS).map(([name, tool]) => ({ name, ...tool, annotations: READ_ONLY })) };
    case 'tools/call':
      return callTool(params, host);
    default:
      throw new RpcError(ERRORS.method, `There is no method “${String(method)}”.`);
  }
}

const READ_ONLY = { readOnlyHint: true, openWorldHint: false };

function agreed(params: unknown): string {
  const asked: unknown =
    typeof params === 'object' && params !== null && 'protocolVersion' in params ? params.protocolVersion : undefined;
  return VERSIONS.find(version => version === asked) ?? VERSIONS[0];
}

async function callTool(params: unknown, host: ToolHost): Promise<object> {
  if (typeof params !== 'object' || params === null || !('name' in params) || typeof params.name !== 'string')
    throw new RpcError(ERRORS.params, 'A call names a tool.');
  if (!isToolName(params.name))
    throw new RpcError(ERRORS.params, `There is no tool “${params.name}”: ${Object.keys(TOOLS).join(', ')}.`);
  const { text, isError } = await runTool(params.name, 'arguments' in params ? params.arguments : {}, host);
  return { content: [{ type: 'text', text }], isError };
}

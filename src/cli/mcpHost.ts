/** What the MCP server's tools stand on: config files of the working folder, read as the command line reads them. */
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { ToolError, type ToolArguments } from '../agents/arguments';
import type { ToolHost } from '../agents/run';
import { estimateDocument } from '../documents/build';
import { searchDocument } from '../documents/searchDocument';
import { estimate } from '../engine/estimate/estimate';
import { statedFactors } from '../engine/search/footprint';
import { alternatives } from '../engine/search/alternatives';
import { DEFAULT_OPTIONS } from '../engine/search/result';
import { search } from '../engine/search/search';
import { type Inputs, loadInputs } from './inputs';
import { UsageError } from './usage';

/** Milliseconds of a search between two looks at the signal. */
const SLICE = 20;

export function mcpHost(folder: string, signal: AbortSignal): ToolHost {
  const load = (args: ToolArguments): Inputs => loadTool(folder, args);
  return {
    estimate: async args => {
      const { setup, problems, files } = load(args);
      return {
        document: estimateDocument(estimate(setup, problems)),
        kinds: files.map(({ reading }) => reading?.kind ?? null),
      };
    },
    search: async args => {
      const { setup, problems, costs } = load(args);
      const started = performance.now();
      const goal = { ...DEFAULT_OPTIONS.goal, price: costs.perGpuHour };
      const steps = search(setup, { ...DEFAULT_OPTIONS, fixed: args.fixed, top: args.top, goal });
      const result = await inSlices(steps, signal);
      return searchDocument(result, problems, (performance.now() - started) / 1000, { factors: statedFactors(costs) });
    },
    alternatives: async (args, key) => alternatives(load(args).setup, key),
  };
}

async function inSlices<T>(steps: Generator<unknown, T>, signal: AbortSignal): Promise<T> {
  let sliceEnd = performance.now() + SLICE;
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value;
    if (performance.now() < sliceEnd) continue;
    await setImmediate();
    if (signal.aborted) throw new ToolError('Cancelled.');
    sliceEnd = performance.now() + SLICE;
  }
}

function loadTool(folder: string, { files, values }: ToolArguments): Inputs {
  const set = values.map(([key, value]) => `${key}=${value}`);
  try {
    return loadInputs(
      files.map(file => insideOf(folder, file)),
      { json: true, write: false, text: {}, set, fix: [], log: [], run: [] },
    );
  } catch (error) {
    if (error instanceof UsageError) throw new ToolError(error.message);
    throw error;
  }
}

/** The path of a file in the folder, where links lead too; others are not opened. */
function insideOf(folder: string, file: string): string {
  const wanted = path.resolve(folder, file);
  let real: string;
  try {
    real = realpathSync(wanted);
  } catch {
    throw new ToolError(`There is no file ${file} in ${folder}. Paths count from there.`);
  }
  const relative = path.relative(realpathSync(folder), real);
  if (relative.startsWith('..') || path.isAbsolute(relative))
    throw new ToolError(`${file} lies outside of ${folder}, the folder that this server may read.`);
  return path.relative(process.cwd(), wanted) || wanted;
}

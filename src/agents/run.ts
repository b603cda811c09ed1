/** Runs a tool on whatever host: the host reads files and asks the engine, the answers are the same. */
import type { EstimateDocument, SearchDocument } from '../documents/types';
import type { PlanKey } from '../engine/plan/keys';
import type { Alternative } from '../engine/search/alternatives';
import { inLanguage } from '../words/language';
import { parseArguments, ToolError, type ToolArguments } from './arguments';
import { estimateAnswer, explainAnswer, searchAnswer } from './text';
import type { ToolName } from './tools';

/** What a host does for the tools. Files that cannot be read are a ToolError. */
export interface ToolHost {
  estimate(
    args: ToolArguments,
  ): Promise<{ readonly document: EstimateDocument; readonly kinds: readonly (string | null)[] }>;
  search(args: ToolArguments): Promise<SearchDocument>;
  alternatives(args: ToolArguments, key: PlanKey): Promise<readonly Alternative[]>;
}

export interface ToolResult {
  readonly text: string;
  readonly isError: boolean;
}

export async function runTool(name: ToolName, raw: unknown, host: ToolHost): Promise<ToolResult> {
  try {
    return { text: await answer(name, parseArguments(raw), host), isError: false };
  } catch (error) {
    if (error instanceof ToolError) return { text: error.message, isError: true };
    throw error;
  }
}

async function answer(name: ToolName, args: ToolArguments, host: ToolHost): Promise<string> {
  switch (name) {
    case 'estimate_training_config':
      return inEnglish(estimateAnswer, await estimateOf(args, host));
    case 'search_parallel_strategies': {
      await estimateOf(args, host);
      return inEnglish(searchAnswer, await host.search(args), args.top);
    }
    case 'explain_estimate': {
      const document = await estimateOf(args, host);
      const rows = args.key === null ? [] : await host.alternatives(args, args.key);
      return inEnglish(explainAnswer, document, args.key, rows);
    }
  }
}

/** Agents are answered in English, whatever the editor speaks. */
const inEnglish = <Given extends unknown[]>(say: (...given: Given) => string, ...given: Given): string =>
  inLanguage('en', () => say(...given));

/** Files of no kind say nothing: the agent has named the wrong ones. */
async function estimateOf(args: ToolArguments, host: ToolHost): Promise<EstimateDocument> {
  const { document, kinds } = await host.estimate(args);
  if (kinds.some(kind => kind !== null)) return document;
  throw new ToolError(
    `None of ${args.files.join(', ')} is a config that MeshLens reads. Name the training config or launch script of the run, and the model’s config.json.`,
  );
}

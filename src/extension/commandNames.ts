import type { ToolName } from '../agents/tools';

/** Commands of the palette, of lenses and of the dashboard; the product has an answer for each. */
export const COMMANDS = [
  'openDashboard',
  'chooseCluster',
  'chooseFiles',
  'askValues',
  'search',
  'prove',
  'saveReport',
  'exercise',
  'lecture',
  'benchmark',
  'writeClusterScript',
  'runClusterScript',
  'importMeasurements',
  'forgetMeasurements',
  'calibrate',
  'undoCalibration',
  'compareRun',
  'applyPlan',
  'exportTo',
  'writeProposal',
  'discardProposal',
  'hide',
  'hideProblem',
  'openSample',
  'refreshSetups',
  'savePlan',
  'deletePlan',
] as const;
export type CommandName = (typeof COMMANDS)[number];

/** Tools for language models, whose answers are in src/agents. */
export const TOOL_NAMES = [
  'estimate_training_config',
  'search_parallel_strategies',
  'explain_estimate',
] as const satisfies readonly ToolName[];

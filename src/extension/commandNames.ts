/** Commands of the palette, of lenses and of the dashboard; the product has an answer for each. */
export const COMMANDS = [
  'openDashboard',
  'chooseCluster',
  'chooseFiles',
  'askValues',
  'search',
  'prove',
  'exercise',
  'lecture',
  'benchmark',
  'applyPlan',
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

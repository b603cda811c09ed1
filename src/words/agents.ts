/** What the tools say to an agent in the editor, in English alone: agents and the command line read it. */
export const TOOL_WORDS = {
  error: 'The call cannot be answered:',
  outside: (name: string): string => `${name} is not in the workspace. Name a file by its path in the workspace.`,
  missing: (name: string): string => `There is no file ${name} in the workspace, or it cannot be read.`,
} as const;

/** Words of what commands ask and tell: questions, progress, messages. */
import { SLOVAK } from './commands.sk';
import { formatNumber } from './format';
import { plural, translated } from './language';

const ENGLISH = {
  lensTooltip: 'MeshLens: open the dashboard. “MeshLens: Hide…” in the command palette takes this line away.',
  lensModel: 'Choose the model’s file…',
  lensModelTooltip: 'MeshLens: which config.json or recipe states the model?',
  lensCluster: 'Choose the cluster…',
  lensClusterTooltip: 'MeshLens: which accelerators does this run use?',
  lensValues: (keys: string): string => `Set ${keys}…`,
  lensValuesTooltip: 'MeshLens: values that no file states',

  filesTitle: (file: string): string => `MeshLens: which files make one setup with ${file}?`,
  filesAutomatic: 'By the files themselves',
  filesAutomaticWhat: 'What they name and what lies beside them',
  valuePrompt: 'No file states it. The answer is remembered for this file.',
  valueInvalid: (key: string, value: string): string => `${key} cannot be “${value}”.`,
  exerciseTitle: 'MeshLens: which exercise?',
  lectureTitle: 'MeshLens: the Lecture',
  reportCopied: 'MeshLens: the report is in the clipboard.',

  benchTitle: 'MeshLens: measuring collectives on this machine’s CPU',
  benchProgress: (op: string, number: number, all: number): string => `${op} (${number} of ${all})`,
  benchFailed: (why: string): string => `MeshLens: the benchmark failed: ${why}`,
  benchShow: 'Show in the Dashboard',
  benchCopy: 'Copy as JSON',
  benchDone: (threads: number, rate: number): string =>
    `MeshLens: all-reduce among ${threads} ${plural(threads, 'thread', 'threads')} reaches ${formatNumber(rate)} GB/s of bus bandwidth on this machine’s CPU.`,
  benchBusy: 'The machine was busy, so this is too low.',
  benchNoGpu: 'It says nothing of a GPU.',

  engineRestarted: (why: string): string => `MeshLens: ${why} It was started again.`,
  engineStopped: (why: string): string => `The engine stopped: ${why}`,
  engineEnded: 'The engine stopped unexpectedly.',
  engineSilent: 'The engine no longer answered.',
};

export const COMMAND_WORDS = translated(ENGLISH, SLOVAK);

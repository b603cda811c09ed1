/** Words of the commands that take measurements in: scripts, imports, calibration. */
import { SLOVAK } from './measurements.sk';
import { plural, translated } from './language';

const ENGLISH = {
  scriptWritten: (file: string, line: string): string =>
    `MeshLens: ${file} measures this cluster in about four minutes. Start it there: ${line}`,
  runHere: 'Run It Here',
  copyTorchrun: 'Copy for torchrun',
  copySlurm: 'Copy for Slurm',
  copied: 'MeshLens: the launch line is in the clipboard.',
  taskName: (file: string): string => `measure by ${file}`,
  cannotRun: (why: string): string => `MeshLens: the script is not run here. ${why}`,
  noScript: 'MeshLens: write the benchmark script of this config first.',
  scriptFailed: (code: string): string =>
    `MeshLens: the benchmark ended with code ${code}; its terminal says why. It needs python3 with PyTorch.`,
  fromTitle: (config: string): string => `MeshLens: where are the measurements for ${config}?`,
  fromFile: 'A file…',
  fromFileDetail: 'nccl-tests, OSU, PyTorch profiler, nvidia-smi, logs of trainers, results of the benchmark script',
  fromClipboard: 'The clipboard',
  fromClipboardDetail: 'Text copied from a terminal or a page',
  fromEditor: (name: string): string => `The editor: ${name}`,
  pasted: (time: string): string => `pasted ${time}`,
  noText: 'MeshLens: there is no text in it.',
  tooLarge: (file: string): string => `MeshLens: ${file} is larger than 50 MB; cut it to the part that was measured.`,
  unreadable: (file: string): string => `MeshLens: ${file} cannot be read.`,
  noFormat: (file: string): string =>
    `MeshLens: ${file} is no measurement that is known: nccl-tests, rccl-tests, OSU, mamf-finder, PyTorch profiler and memory summary, nvidia-smi, logs of Megatron-LM, NeMo, torchtitan, nanotron, DeepSpeed, LLaMA-Factory, axolotl.`,
  broken: (file: string, line: number, message: string): string => `MeshLens: ${file}, line ${line}: ${message}`,
  showLine: 'Show the Line',
  imported: (name: string, format: string, records: number, config: string): string =>
    `MeshLens: ${name} (${format}) is kept for ${config}: ${records} ${plural(records, 'record', 'records')}.`,
  importedBroken: (lines: number): string =>
    `${lines} ${plural(lines, 'line was', 'lines were')} not understood and left out; the Problems view names them.`,
  calibrate: 'Calibrate…',
  compare: 'Why Is It Slower?',
  show: 'Show in the Dashboard',
  nothingKept: 'MeshLens: no measurements are kept for this config. Import some first.',
  importNow: 'Import…',
  gone: (file: string): string => `MeshLens: ${file} is gone; what was measured in it is left out.`,
  noFolder: 'MeshLens: a hardware file belongs to a folder. Open the folder of this config first.',
  nothingMoved:
    'MeshLens: these measurements move no constant. Choose the cluster; collectives of three sizes, or a log whose config states the whole step, say the most.',
  calibrationTitle: (file: string): string => `${file}: what was measured`,
  calibrationQuestion: (files: readonly string[], before: string, after: string): string =>
    `Write ${files.join(' and ')}? The step is then predicted at ${after} instead of ${before}. Commit both; “Undo the Calibration” takes them back.`,
  unknownStep: 'nothing',
  cannotUndo: (file: string): string => `MeshLens: ${file} has changed since the calibration; nothing was taken back.`,
  noCalibration: 'MeshLens: there is no calibration to take back.',
  undone: (files: readonly string[]): string => `MeshLens: taken back: ${files.join(', ')}.`,
  forgotten: (count: number): string =>
    `MeshLens: ${count} ${plural(count, 'measurement is', 'measurements are')} forgotten.`,
};

export const MEASUREMENT_WORDS = translated(ENGLISH, SLOVAK);

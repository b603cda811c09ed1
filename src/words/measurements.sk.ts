/** Slovak words of the commands that take measurements in. */
import { plural } from './language';

export const SLOVAK = {
  scriptWritten: (file: string, line: string): string =>
    `MeshLens: ${file} zmeria tento klaster asi za štyri minúty. Spustite ho tam: ${line}`,
  runHere: 'Spustiť tu',
  copyTorchrun: 'Kopírovať pre torchrun',
  copySlurm: 'Kopírovať pre Slurm',
  copied: 'MeshLens: príkaz na spustenie je v schránke.',
  taskName: (file: string): string => `meranie skriptom ${file}`,
  cannotRun: (why: string): string => `MeshLens: skript sa tu nespustí. ${why}`,
  noScript: 'MeshLens: najprv zapíšte merací skript tejto konfigurácie.',
  scriptFailed: (code: string): string =>
    `MeshLens: meranie skončilo s kódom ${code}; dôvod je v jeho termináli. Potrebuje python3 s knižnicou PyTorch.`,
  fromTitle: (config: string): string => `MeshLens: kde sú merania pre ${config}?`,
  fromFile: 'Súbor…',
  fromFileDetail: 'nccl-tests, OSU, profiler PyTorchu, nvidia-smi, záznamy trénovania, výsledky meracieho skriptu',
  fromClipboard: 'Schránka',
  fromClipboardDetail: 'Text skopírovaný z terminálu alebo stránky',
  fromEditor: (name: string): string => `Editor: ${name}`,
  pasted: (time: string): string => `vložené ${time}`,
  noText: 'MeshLens: nie je v tom žiadny text.',
  tooLarge: (file: string): string => `MeshLens: ${file} má viac než 50 MB; ponechajte iba nameranú časť.`,
  unreadable: (file: string): string => `MeshLens: ${file} sa nedá prečítať.`,
  noFormat: (file: string): string =>
    `MeshLens: ${file} nie je známe meranie: nccl-tests, rccl-tests, OSU, mamf-finder, profiler a súhrn pamäte PyTorchu, nvidia-smi, záznamy z Megatron-LM, NeMo, torchtitan, nanotron, DeepSpeed, LLaMA-Factory, axolotl.`,
  broken: (file: string, line: number, message: string): string => `MeshLens: ${file}, riadok ${line}: ${message}`,
  showLine: 'Ukázať riadok',
  imported: (name: string, format: string, records: number, config: string): string =>
    `MeshLens: ${name} (${format}) je uložené pre ${config}: ${records} ${plural(records, 'záznam', 'záznamy', 'záznamu', 'záznamov')}.`,
  importedBroken: (lines: number): string =>
    `${lines} ${plural(lines, 'riadok je nezrozumiteľný a vynechaný', 'riadky sú nezrozumiteľné a vynechané', 'riadka je nezrozumiteľných a vynechaných', 'riadkov je nezrozumiteľných a vynechaných')}; vymenúva ich zobrazenie Problémy.`,
  calibrate: 'Kalibrovať…',
  compare: 'Prečo je pomalší?',
  show: 'Ukázať v prehľade',
  nothingKept: 'MeshLens: pre túto konfiguráciu nie sú uložené žiadne merania. Najprv nejaké importujte.',
  importNow: 'Importovať…',
  gone: (file: string): string => `MeshLens: ${file} už neexistuje; čo v ňom bolo namerané, je vynechané.`,
  noFolder: 'MeshLens: súbor o hardvéri patrí do priečinka. Najprv otvorte priečinok tejto konfigurácie.',
  nothingMoved:
    'MeshLens: tieto merania neposúvajú žiadnu konštantu. Zvoľte klaster; najviac povedia kolektívne operácie troch veľkostí alebo záznam, ktorého konfigurácia určuje celý krok.',
  calibrationTitle: (file: string): string => `${file}: čo bolo namerané`,
  calibrationQuestion: (files: readonly string[], before: string, after: string): string =>
    `Zapísať ${files.join(' a ')}? Predpoveď kroku bude ${after} namiesto ${before}. Uložte oba do repozitára; „Vrátiť kalibráciu“ ich vezme späť.`,
  unknownStep: 'nič',
  cannotUndo: (file: string): string => `MeshLens: ${file} sa od kalibrácie zmenil; nič sa nevrátilo.`,
  noCalibration: 'MeshLens: nie je čo vrátiť.',
  undone: (files: readonly string[]): string => `MeshLens: vrátené: ${files.join(', ')}.`,
  forgotten: (count: number): string =>
    `MeshLens: ${count} ${plural(count, 'meranie je zabudnuté', 'merania sú zabudnuté', 'merania je zabudnutého', 'meraní je zabudnutých')}.`,
};

/** Slovak words of what commands ask and tell. */
import { formatNumber } from './format';
import { plural } from './language';

export const SLOVAK = {
  lensTooltip: 'MeshLens: otvorí prehľad. Tento riadok skryje „MeshLens: Skryť…“ v palete príkazov.',
  lensModel: 'Vybrať súbor modelu…',
  lensModelTooltip: 'MeshLens: ktorý config.json alebo recept uvádza model?',
  lensCluster: 'Vybrať klaster…',
  lensClusterTooltip: 'MeshLens: ktoré akcelerátory tento beh používa?',
  lensValues: (keys: string): string => `Zadať: ${keys}…`,
  lensValuesTooltip: 'MeshLens: hodnoty, ktoré neuvádza žiadny súbor',

  filesTitle: (file: string): string => `MeshLens: ktoré súbory tvoria jednu zostavu s ${file}?`,
  filesAutomatic: 'Podľa samotných súborov',
  filesAutomaticWhat: 'Čo uvádzajú a čo leží vedľa nich',
  valuePrompt: 'Neuvádza to žiadny súbor. Odpoveď sa pre tento súbor zapamätá.',
  valueInvalid: (key: string, value: string): string => `${key} nemôže byť „${value}“.`,
  exerciseTitle: 'MeshLens: ktoré cvičenie?',
  lectureTitle: 'MeshLens: prednáška',
  reportCopied: 'MeshLens: správa je v schránke.',

  benchTitle: 'MeshLens: merajú sa kolektívy na procesore tohto stroja',
  benchProgress: (op: string, number: number, all: number): string => `${op} (${number} z ${all})`,
  benchFailed: (why: string): string => `MeshLens: meranie zlyhalo: ${why}`,
  benchShow: 'Ukázať v prehľade',
  benchCopy: 'Kopírovať ako JSON',
  benchDone: (threads: number, rate: number): string =>
    `MeshLens: all-reduce medzi ${threads} ${plural(threads, 'vláknom', 'vláknami', 'vlákna', 'vláknami')} dosahuje na procesore tohto stroja priepustnosť zbernice ${formatNumber(rate)} GB/s.`,
  benchBusy: 'Stroj bol zaneprázdnený, takže je to primálo.',
  benchNoGpu: 'O GPU to nehovorí nič.',

  engineRestarted: (why: string): string => `MeshLens: ${why} Jadro sa spustilo znova.`,
  engineStopped: (why: string): string => `Výpočtové jadro sa zastavilo: ${why}`,
  engineEnded: 'Výpočtové jadro sa nečakane zastavilo.',
  engineSilent: 'Výpočtové jadro prestalo odpovedať.',
};

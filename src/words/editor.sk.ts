/** Slovak words of the editor's surfaces. */
import { formatInteger } from './format';
import { plural } from './language';

export const SLOVAK = {
  hideTitle: 'MeshLens: čo sa má skryť?',
  hideFile: (file: string): string => `Všetko v súbore ${file}`,
  hideKind: (kind: string): string => `Všetko v súboroch ${kind}`,
  hideLens: 'Riadok nad konfiguráciami',
  hideDiagnostics: 'Značky pri problémoch',
  hideHover: 'Vysvetlenia pod ukazovateľom',
  hideStatusBar: 'Položka v stavovom riadku',
  ignore: (code: string): string => `Ignorovať „${code}“ na tomto riadku`,
  hideProblem: (code: string): string => `Skryť „${code}“ v tomto pracovnom priestore`,
  cannotRun: (code: string): string => `nedá sa spustiť: ${code}`,
  outOfMemory: 'pamäť nestačí',
  fits: 'zmestí sa',
  fitsClosely: 'zmestí sa, ale tesne',
  unknown: 'zatiaľ nie je známe',
  noLanguageModel: 'nie je to jazykový model',
  modelUnknown: 'model nie je známy: vyberte jeho súbor',
  clusterUnknown: 'GPU nie sú známe: vyberte klaster',
  valuesUnknown: 'dávka alebo sekvencia nie sú známe: zadajte ich',
  tooMuch: 'priveľa',
  notLegal: 'Neprípustné',
  step: 'krok',
  tokens: 'tokeny/s/GPU',
  memory: 'pamäť',
  part: 'časť',
  parameters: 'parametre',
  share: 'podiel',
  layers: (count: number): string =>
    `${formatInteger(count)} ${plural(count, 'vrstva', 'vrstvy', 'vrstvy', 'vrstiev')}`,
  embedding: 'embedding',
  head: 'hlava',
  all: 'spolu',
  active: 'aktívne pre token',
  doesNotFit: 'nezmestí sa',
  asNow: 'ako teraz',
  moreFiles: (count: number): string =>
    `${formatInteger(count)} ${plural(
      count,
      'ďalší súbor, ktorý môže byť konfiguráciou',
      'ďalšie súbory, ktoré môžu byť konfiguráciami',
      'ďalšieho súboru, ktorý môže byť konfiguráciou',
      'ďalších súborov, ktoré môžu byť konfiguráciami',
    )}`,
  noConfig: 'MeshLens: najprv otvorte konfiguráciu tréningu, spúšťací skript alebo config.json modelu.',
  aStep: (time: string): string => `${time} na krok`,
  aGpu: (bytes: string): string => `${bytes} na GPU`,
  noMachine: 'VS Code tu beží v prehliadači: niet stroja, ktorého by sa dalo spýtať alebo ktorý by sa dal zmerať.',
  untrusted: 'Tento pracovný priestor nie je dôveryhodný: konfigurácie sa čítajú a odhadujú, ale nič sa nespúšťa.',
  'origin-file': 'uvedené tu',
  'origin-derived': 'vyplýva z iných hodnôt',
  'origin-default': 'predvolená hodnota frameworku',
  'origin-zoo': 'známe podľa názvu modelu',
  'origin-user': 'vaša hodnota',
};

export const SLOVAK_PROPOSAL = {
  noFile: 'MeshLens: do žiadneho súboru tejto zostavy sa nedá zapisovať. Otvorte konfiguráciu tréningu vedľa modelu.',
  nothingToWrite: 'súbor už tento plán obsahuje.',
  title: (file: string): string => `${file}: navrhovaný plán`,
  changed: 'MeshLens: súbor sa od zobrazenia plánu zmenil. Použite plán znova.',
  notWritten: (files: readonly string[]): string =>
    `MeshLens: ${files.join(', ')} sa nepodarilo zapísať. Nič sa nezmenilo.`,
  notSaved: (file: string, why: string): string => `MeshLens: ${file} sa nepodarilo uložiť: ${why}`,
  question: (files: readonly string[]): string => `Zapísať tento plán do ${files.join(', ')}? Dá sa to vrátiť.`,
  write: 'Zapísať',
  discard: 'Zahodiť',
};

export const SLOVAK_PLAN = {
  nameTitle: 'MeshLens: názov pre tento plán',
  nothing: 'MeshLens: aktuálna konfigurácia nemá úplný plán, ktorý by sa dal uložiť.',
};

export const SLOVAK_PROOF_TEXT = {
  title: 'MeshLens: text, na ktorom sa má dôkaz učiť',
  empty: 'MeshLens: v tomto súbore nie je text na učenie.',
};

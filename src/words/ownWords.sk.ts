/** Slovak words of own measurements in reports. */
export const SLOVAK = {
  heading: 'Vlastné merania',
  profile: (file: string): string => `Čo posúva ${file}`,
  constant: 'konštanta',
  shipped: 'dodaná',
  calibrated: 'kalibrovaná',
  ownRun: (name: string, measured: string, before: string, after: string): string =>
    `${name}: namerané ${measured}, predpoveď ${before} pred kalibráciou a ${after} po nej.`,
  run: (name: string): string => `Beh ${name} vedľa predpovede`,
  part: 'časť',
  logged: 'zaznamenané',
  predicted: 'predpoveď',
  step: 'krok',
  memory: 'alokovaná pamäť',
  history: 'Tento stroj v čase (all-reduce medzi vláknami)',
  date: 'dátum',
  machine: 'stroj',
  ranks: 'ranky',
  reduce: 'all-reduce',
  message: 'správa',
  unknown: 'neznáma',
};

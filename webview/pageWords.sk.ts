/** Slovak words of the navigation and of what stands on every page. */
export const PAGE_SLOVAK = {
  pagesLabel: 'Stránky prehľadu',
  'page-overview': 'Súhrn',
  'page-memory': 'Pamäť',
  'page-time': 'Čas',
  'page-pipeline': 'Pipeline',
  'page-mesh': 'Mriežka',
  'page-roofline': 'Roofline',
  'page-collectives': 'Kolektívy',
  'page-search': 'Hľadanie',
  'page-evidence': 'Podklady',

  saveReport: 'Uložiť správu…',
  chart: 'Graf',
  saveChart: 'Uložiť ako {format}: {chart}',
  'source-planned': 'Z plánu',
  'source-estimated': 'Odhadnuté',
  'source-measured': 'Namerané',
  'source-published': 'Zverejnené',
  'source-simulated': 'Simulované',

  costCard: 'Cena miliardy tokenov',
  hours: '{hours} GPU-h',
  costHours: 'GPU-hodín; ich cena nie je uvedená.',
  costText: 'pri {price} {unit} za GPU-hodinu',
  setPrice: 'Uviesť cenu…',
  hoursFormula: '10⁹ tokenov ÷ tokeny/s na GPU ÷ 3 600 s',
  hoursValues: '10⁹ ÷ {rate} ÷ 3 600',
  costFormula: '10⁹ tokenov ÷ tokeny/s na GPU ÷ 3 600 s × cena GPU-hodiny',
  costValues: '10⁹ ÷ {rate} ÷ 3 600 × {price}',
  costKind: 'Vyplýva z času kroku pri behu, ktorý sa nikdy nezastaví; cena je vaša.',

  firstHeading: 'Najprv zmeňte toto',
  firstLooking: 'Prezerajú sa jednotlivé zmeny…',
  firstNothing:
    'Žiadna jednotlivá zmena, ktorú {framework} vie vyjadriť, tento plán nezrýchli o viac ako 1 %. Viaceré naraz možno áno: hľadajte.',
  firstCannotFit:
    'So žiadnou jednotlivou zmenou, ktorú {framework} vie vyjadriť, sa tento plán nezmestí. S viacerými naraz možno áno: hľadajte.',
  firstError: 'Tento plán sa nedá spustiť: {message}',
  firstUnknown: 'Najprv uveďte, čo nižšie ešte nie je známe.',
  firstTry: 'Vyskúšať tu',
  firstTryLabel: 'Vyskúšať tu: {changes}',
  firstSearch: 'Prehľadať všetky rozloženia',
  firstSource:
    'Odhadnuté: každá jednotlivá zmena rozmeru paralelizmu, delenia, prepočítavania a rozvrhu sa vypočítala nanovo.',
};

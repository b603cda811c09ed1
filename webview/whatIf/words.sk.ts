/** Slovak words of the panel in which a plan is tried out. */
export const WHAT_IF_SLOVAK = {
  whatIf: 'Čo ak…',
  whatIfHint:
    'Vyskúšajte iné rozmery paralelizmu; nič sa nezapisuje. tp, cp a pp sa o GPU delia s dp; dp mení ich počet.',
  whatIfLoading: 'Načítava sa výpočtové jadro…',
  whatIfSummary: 'Čo ak: {changes}',
  whatIfReset: 'Späť k súboru',
  whatIfApply: 'Použiť…',
  whatIfApplyLabel: 'Použiť… to, čo sa skúša',
  whatIfForeign: 'Nedá sa použiť: {framework} nevie vyjadriť {keys}.',
  whatIfGpus: 'GPU',
  whatIfWas: 'v súbore {value}',
  whatIfSlider: '{key}: {value}',
  whatIfUnknown: 'Hodnoty, ktoré nie sú známe, sa nedajú skúšať, kým nie sú uvedené.',
  whatIfProblems: 'Tento plán sa takto nedá spustiť:',
  deltaSame: 'ako v súbore',
  deltaMore: 'o {percent} viac ako {value} v súbore',
  deltaLess: 'o {percent} menej ako {value} v súbore',
  deltaNew: 'plán v súbore nemá žiadne',
};

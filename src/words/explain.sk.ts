/** Why a layout beats the present one, in Slovak. */
import type { TimePart } from '../engine/estimate/output';

export const SLOVAK_PARTS: Readonly<Record<TimePart, string>> = {
  forward: 'dopredný výpočet',
  backward: 'spätný výpočet',
  recompute: 'prepočítavanie',
  launch: 'spúšťanie kernelov',
  tpExposed: 'komunikácia tenzorového paralelizmu',
  cpExposed: 'komunikácia kontextového paralelizmu',
  epExposed: 'komunikácia paralelizmu expertov',
  ppExposed: 'správy pipeline',
  dpExposed: 'komunikácia dátového paralelizmu',
  bubble: 'bublina pipeline',
  optimizer: 'optimalizátor',
  gradNorm: 'norma gradientu',
  host: 'réžia hostiteľa',
  straggler: 'oneskorené ranky',
};

export const SLOVAK = {
  first: (step: string, memory: string): string => `Krok ${step} pri ${memory} na GPU.`,
  needs: (peak: string, capacity: string): string => `Potrebuje ${peak} z ${capacity} na GPU.`,
  memory: (before: string, after: string): string => `${before} → ${after} na GPU`,
  fits: (memory: string, capacity: string): string => `Zmestí sa: ${memory}, kým súčasný plán presahuje ${capacity}.`,
  asFast: (memory: string): string => `Rovnako rýchle ako súčasný plán; pamäť ${memory}.`,
  faster: (gain: string, because: string, memory: string): string => `O ${gain} rýchlejšie${because}; pamäť ${memory}.`,
  slower: (gain: string, because: string, memory: string): string => `O ${gain} pomalšie${because}; pamäť ${memory}.`,
  more: (step: string, gain: string): string => ` Jeho krok by trval ${step}, o ${gain} viac tokenov za sekundu.`,
  fewer: (step: string, gain: string): string => ` Jeho krok by trval ${step}, o ${gain} menej tokenov za sekundu.`,
  samePlan: (key: string, other: string): string =>
    `Rovnaké ako rozloženie, ktoré je už započítané: ${key} nič nemení, keď ${other}.`,
  shardSize: (size: string, ranks: string): string =>
    `Skupiny po ${size} nedelia počet rankov, ktoré si delia stavy: ${ranks}.`,
  triedLate: (schedule: string): string =>
    `${schedule} sa počíta dlho, preto sa s ním skúšajú len najlepšie rozloženia. Ak má skúsiť všetky, určte rozvrh.`,
  alreadyCounted: 'už započítané',
  slowToCompute: 'dlhý výpočet',
  layout: (keys: string): string =>
    `Iné rozloženie (${keys}): checkpoint súčasného sa dá obnoviť až po novom rozdelení, alebo ak ho framework ukladá v podobe, ktorú prečíta každé rozloženie.`,
  batch: (before: string, after: string): string =>
    `Globálna dávka sa mení z ${before} na ${after} sekvencií: rýchlosť učenia a jej rozbeh treba upraviť.`,
  precision: (before: string, after: string): string =>
    `Čísla sa menia z ${before} na ${after}: overte, že strata klesá rovnako.`,
  unset: 'nenastavené',
  doesNotFit: 'nezmestí sa. ',
  close: (upper: string, capacity: string): string =>
    `Zmestí sa, ale tesne: môže zabrať až ${upper} z ${capacity} na GPU.`,
};

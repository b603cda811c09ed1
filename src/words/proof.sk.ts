/** A proof in Slovak. */
import type { Mismatch } from '../engine/trainer/prove';
import { formatInteger } from './format';
import { plural } from './language';

export const SLOVAK = {
  refused: 'Tento plán sa nespustil: dôvod je nižšie.',
  proved: (steps: number, ranks: number): string =>
    `Dokázané: toto rozloženie nášho programu sa po ${formatInteger(steps)} ${plural(steps, 'kroku', 'krokoch', 'kroku', 'krokoch')} na ${formatInteger(ranks)} ${plural(ranks, 'simulovanom ranku', 'simulovaných rankoch', 'simulovaného ranku', 'simulovaných rankoch')} rovná sériovému behu.`,
  parts: (first: string): string =>
    `Nedokázané: toto rozloženie nášho programu sa rozchádza so sériovým behom alebo so svojou predpoveďou. ${first}`,
  loss: (found: string, allowed: string): string =>
    `Strata: od sériového behu najviac ${found}; dovolené je ${allowed}.`,
  gradient: (found: string, allowed: string): string =>
    `Gradienty: od sériového behu najviac ${found} najväčšej hodnoty svojho tenzora; dovolené je ${allowed}.`,
  weight: (found: string, allowed: string): string =>
    `Váhy po kroku: od sériového behu najviac ${found}; dovolené je ${allowed}.`,
  replica: 'Kópie váhy na rôznych rankoch majú rovnaké bity.',
  silent: 'Žiadny rank nič neposiela, ako predpovedané.',
  traffic: (ranks: number): string =>
    `Prenos: bajty, ktoré každý z ${formatInteger(ranks)} rankov posiela na každej osi, sú predpovedané presne na bajt.`,
  memory:
    'Pamäť: živé bajty váh, gradientov, optimalizátora a aktivácií v špičke každého ranku sú predpovedané presne na bajt.',
  bubble: (found: string, predicted: string): string =>
    `Bublina: ${found} virtuálneho času rankov, predpovedané ${predicted}.`,
  notProved: [
    'Kód vášho frameworku: bežal náš vlastný program s rovnakým rozložením.',
    'Vaše šírky a s nimi vaše čísla: dvojník má malé šírky a krátku sekvenciu a počíta s dvojitou presnosťou.',
    'Podrobnosti vrstiev vášho modelu: vrstvy dvojníka sú vrstvy dekodéra s normami, zoskupenou pozornosťou a časťou feed-forward alebo expertmi.',
    'Váš hardvér: ranky sa simulovali v jednom vlákne a bublina je pri rovnako dlhých prechodoch bez času komunikácie.',
  ],
  whole: (ranks: number): string =>
    `Zachovali sa všetky rozmery plánu: ${formatInteger(ranks)} ${plural(ranks, 'rank', 'ranky', 'ranku', 'rankov')}.`,
  fewer: (ranks: number, twin: number, changes: string): string =>
    `Ranky plánu: ${formatInteger(ranks)}, v dvojníkovi ${formatInteger(twin)}: ${changes}.`,
  kept: (degrees: string): string => `Bez zmeny zostali: ${degrees}.`,
  batchUnknown: (count: number): string =>
    `Dávka nie je známa: dvojník má ${formatInteger(count)} ${plural(count, 'micro-batch', 'micro-batche', 'micro-batchu', 'micro-batchov')} na pipeline.`,
  sizes: (changes: string): string => `Veľkosti dvojníka: ${changes}.`,
  microBatches: (asked: number, run: number): string =>
    `Micro-batche pipeline ${formatInteger(asked)} → ${formatInteger(run)}: bublina je tu bublinou dvojníka, nie vášho behu.`,
  ofTensor: (name: string): string => `(${name})`,
  atElement: (index: number): string => `v prvku ${formatInteger(index)}`,
  onRank: (rank: number): string => `na ranku ${formatInteger(rank)}`,
  mismatch: (step: number, what: string, value: string, expected: string): string =>
    `V kroku ${formatInteger(step)} je ${what} ${value}, očakáva sa ${expected}.`,
};

export const SLOVAK_KEYS = {
  dp: 'ranky dátového paralelizmu (dp)',
  tp: 'ranky tenzorového paralelizmu (tp)',
  cp: 'ranky kontextového paralelizmu (cp)',
  pp: 'stupne pipeline (pp)',
  vpp: 'bloky na stupeň (vpp)',
  ep: 'ranky paralelizmu expertov (ep)',
  shardSize: 'ranky, ktoré si delia kópiu (shardSize)',
  microBatch: 'micro-batch (microBatch)',
  globalBatch: 'globálna dávka (globalBatch)',
  seqLen: 'sekvencia (seqLen)',
};

export const SLOVAK_WHAT: Readonly<Record<Mismatch['what'], string>> = {
  loss: 'strata',
  gradient: 'gradient',
  weight: 'váha',
  replica: 'kópia váhy',
  traffic: 'prenos',
  memory: 'pamäť',
  bubble: 'bublina',
};

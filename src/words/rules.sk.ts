/** Rules of thumb in Slovak. */
import type { PlanRule } from '../engine/estimate/planRules';
import { formatBytes, formatInteger, formatNumber } from './format';

export const SLOVAK: Readonly<Record<PlanRule['code'], (rule: PlanRule) => string>> = {
  'data-parallel': ({ left, right, holds }) =>
    `Dátový paralelizmus sa skryje pod výpočet od ${formatInteger(right)} tokenov na GPU; tento beh ich má ${formatInteger(left)}: ${holds ? 'dosť' : 'málo'}.`,
  'tensor-parallel': ({ left, right, holds }) =>
    `Tenzorový paralelizmus na rýchlom spoji sa skryje až po tp ${formatNumber(left, 2)}; tento beh má ${formatInteger(right)}: ${holds ? 'v medziach' : 'za nimi'}.`,
  'across-nodes': ({ left, right, holds }) =>
    `Medzi uzlami sa dátový paralelizmus skryje pod výpočet od ${formatInteger(right)} tokenov na uzol; tento beh ich má ${formatInteger(left)}: ${holds ? 'dosť' : 'málo'}.`,
  buckets: ({ left, right, holds }) =>
    `Buckety gradientov sa najlepšie skryjú pri ${formatBytes(right)}; tento beh má ${formatBytes(left)}: ${holds ? 'blízko' : left < right ? 'mnoho malých volaní' : 'posledný zostáva viditeľný'}.`,
};

/** How the parts of memory and of a step come about, in Slovak. */
import type { TimePart } from '../engine/estimate/output';

export const SLOVAK_MEMORY = {
  weights: 'parametre, ktoré rank drží × bajty každého; ZeRO-3 a HSDP z nich nechajú diel',
  gradients: 'parametre s gradientmi × bajty každého; ZeRO-2, ZeRO-3 a HSDP z nich nechajú diel',
  optimizer: 'parametre × bajty momentov a kópie fp32; každý druh delenia z nich nechá diel',
  activations: 'čo uchováva jeden micro-batch × rozpracované micro-batche + čo potrebuje práve počítaná vrstva',
  buffers: 'jednotky pozbierané vopred + buckety redukcie + logity a strata tam, kde je špička',
  overhead: 'rezerva alokátora, podiel z tenzorov + kontext zariadenia + pamäte komunikátorov',
};

export const SLOVAK_TIME: Readonly<Record<TimePart, string>> = {
  forward: 'micro-batche × dopredné sekundy operátorov stupňa, každý podľa pomalšieho z jeho FLOP a bajtov',
  backward: 'micro-batche × spätné sekundy operátorov stupňa, pre vstupy a pre váhy',
  recompute: 'micro-batche × dopredné sekundy, ktoré sa pred spätným prechodom vykonajú znova',
  launch: 'micro-batche × čo pridá spúšťanie z hostiteľa tam, kde naň zariadenie čaká',
  tpExposed: 'micro-batche × kolektívy vrstvy, ktoré nič neskryje',
  cpExposed: 'micro-batche × výmena kľúčov a hodnôt, ktorú pozornosť neskryje',
  epExposed: 'micro-batche × all-to-all k expertom a späť, ktoré nič neskryje',
  ppExposed: 'micro-batche × správy susedným stupňom a od nich',
  dpExposed: 'zbieranie rozdelených váh a redukcia gradientov, ktoré výpočet neskryje',
  bubble: 'celkový čas rozvrhu − micro-batche × pracovné sekundy najvyťaženejšieho stupňa',
  optimizer: 'bajty stavov, ktorými úprava hýbe ÷ priepustnosť pamäte',
  gradNorm: 'bajty gradientov ÷ priepustnosť pamäte',
  host: 'micro-batche × čo na každom strávi hostiteľ, a slučka okolo nich',
  straggler: 'podiel za každé zdvojnásobenie uzlov × zvyšok kroku',
};

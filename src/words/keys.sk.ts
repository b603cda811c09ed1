/** Slovak words of the keys of a plan. */
import type { PlanKey } from '../engine/plan/keys';

export const SLOVAK_KEY_NAMES = {
  'plan.microBatch': 'veľkosť micro-batchu',
  'plan.globalBatch': 'veľkosť globálnej dávky',
  'plan.seqLen': 'dĺžka tréningovej sekvencie',
  'plan.dp': 'veľkosť dátového paralelizmu',
  'plan.schedule': 'rozvrh pipeline',
  'model.layers': 'počet vrstiev',
  'model.hidden': 'skrytý rozmer',
  'model.ffn': 'šírka vrstvy feed-forward',
  'model.heads': 'počet hláv pozornosti',
  'model.kvHeads': 'počet hláv kľúčov a hodnôt',
  'model.headDim': 'veľkosť hlavy pozornosti',
  'model.vocab': 'veľkosť slovníka',
  'model.tied': 'zdieľanie embeddingu a hlavy',
  'model.gatedMlp': 'brána vrstvy feed-forward',
};

export const SLOVAK: Readonly<Record<PlanKey, { readonly title: string; readonly meaning: string }>> = {
  dp: {
    title: 'dátový paralelizmus (dp)',
    meaning: 'Kópie modelu, každá so svojím podielom dávky; gradienty sa cez ne raz za krok sčítajú.',
  },
  tp: {
    title: 'tenzorový paralelizmus (tp)',
    meaning:
      'GPU, ktoré si delia každú maticu. Váhy a aktivácie sa s ním zmenšujú, ale každá vrstva čaká v každom smere na dve výmeny: držte ho na rýchlych spojoch uzla.',
  },
  sp: {
    title: 'sekvenčný paralelizmus (sp)',
    meaning:
      'Skupina tenzorového paralelizmu delí pozdĺž sekvencie aj to, čo leží medzi maticami: menej aktivácií pri rovnakom prenose.',
  },
  cp: {
    title: 'kontextový paralelizmus (cp)',
    meaning: 'GPU, ktoré si delia sekvenciu; pozornosť si medzi nimi vymieňa kľúče a hodnoty.',
  },
  cpKind: {
    title: 'druh kontextového paralelizmu',
    meaning:
      'Ring posúva kľúče a hodnoty po kruhu; all-to-all vymieňa hlavy za tokeny; all-gather kľúče a hodnoty pozbiera.',
  },
  pp: {
    title: 'paralelizmus pipeline (pp)',
    meaning:
      'Stupne z vrstiev, jeden za druhým. Málo prenosu, ale stupne nečinne čakajú, kým sa pipeline plní a vyprázdňuje.',
  },
  vpp: {
    title: 'virtuálne stupne (vpp)',
    meaning: 'Bloky vrstiev, ktoré stupeň drží: bublina sa toľkokrát zmenší, prenos medzi stupňami toľkokrát vzrastie.',
  },
  ep: {
    title: 'paralelizmus expertov (ep)',
    meaning:
      'GPU, ktoré si rozdelia expertov; tokeny cestujú k svojim expertom a späť. Delí dp·cp·tp/etp a svoje GPU berie odtiaľ.',
  },
  etp: { title: 'tenzorový paralelizmus expertov (etp)', meaning: 'GPU, ktoré si delia matice každého experta.' },
  microBatch: {
    title: 'micro-batch',
    meaning: 'Sekvencie jedného dopredného prechodu. Väčšie lepšie vyťažia GPU a držia viac aktivácií.',
  },
  globalBatch: {
    title: 'globálna dávka',
    meaning: 'Sekvencie jedného kroku na všetkých GPU. Patrí k nej rýchlosť učenia.',
  },
  seqLen: { title: 'dĺžka sekvencie', meaning: 'Tokeny jednej tréningovej sekvencie.' },
  sharding: {
    title: 'delenie stavov',
    meaning:
      'Čo si ranky dátového paralelizmu rozdelia: optimalizátor (zero1), aj gradienty (zero2), aj váhy (zero3, hsdp v skupinách).',
  },
  shardSize: {
    title: 'skupina delenia',
    meaning: 'GPU, medzi ktoré sa stavy rozdelia; skupiny držia kópie jedna druhej.',
  },
  dtype: { title: 'presnosť', meaning: 'Číselný formát maticových súčinov.' },
  gradDtype: { title: 'presnosť gradientov', meaning: 'Číselný formát, v ktorom sa gradienty držia a sčítajú.' },
  optimizer: { title: 'optimalizátor', meaning: 'Čo upravuje váhy; Adam drží dve hodnoty na parameter.' },
  recompute: {
    title: 'prepočítavanie',
    meaning:
      'Aktivácie, ktoré spätný prechod počíta nanovo, namiesto aby sa držali: žiadne, časti vrstvy, celé vrstvy.',
  },
  recomputeOps: { title: 'prepočítavané časti', meaning: 'Časti vrstvy, ktoré sa počítajú nanovo.' },
  recomputeLayers: { title: 'prepočítavané vrstvy', meaning: 'Vrstvy stupňa, ktoré sa počítajú nanovo.' },
  attention: { title: 'kernel pozornosti', meaning: 'Flash attention nikdy nezapisuje maticu skóre.' },
  offload: { title: 'offload', meaning: 'Stavy, ktoré žijú mimo GPU a cestujú cez jeho slot.' },
  offloadDevice: { title: 'miesto pre offload', meaning: 'Pamäť hostiteľa alebo jeho disky NVMe.' },
  bucketBytes: { title: 'bucket', meaning: 'Gradienty, ktoré sa sčítajú naraz, kým spätný prechod pokračuje.' },
  compiled: { title: 'kompilácia', meaning: 'torch.compile spája operátory obmedzené priepustnosťou pamäte.' },
  fp8Recipe: { title: 'recept FP8', meaning: 'Ako jemne sa škálujú čísla FP8.' },
  expertImbalance: { title: 'nerovnováha expertov', meaning: 'Tokeny najvyťaženejšieho GPU voči priemeru.' },
  adapterRank: { title: 'rank adaptérov', meaning: 'Šírka matíc nízkej hodnosti, ktoré trénuje LoRA.' },
  tpOverlap: {
    title: 'prekrytie tenzorového paralelizmu',
    meaning: 'Výmeny bežia popri maticových súčinoch, kus po kuse.',
  },
  stageLayers: { title: 'vrstvy každého stupňa', meaning: 'Ako sú vrstvy rozdelené na stupne.' },
  order: { title: 'poradie osí', meaning: 'Ktorá os leží najhlbšie, na susedných GPU.' },
  adapter: {
    title: 'adaptér',
    meaning: 'LoRA trénuje malé matice popri zmrazených váhach; QLoRA ich drží v 4 bitoch.',
  },
  stack: { title: 'softvérový stack', meaning: 'Framework, ktorého kernely a zvyky sa predpokladajú.' },
  kernels: { title: 'kernely', meaning: 'Kernely, ktoré z rozloženia nevidno.' },
  schedule: { title: 'rozvrh pipeline', meaning: 'Poradie, v akom stupne vykonávajú dopredné a spätné prechody.' },
};

/** What spoils a measurement, in Slovak. */
import { type Sentence, text } from './args';

export const SLOVAK = {
  'reduce-scatter-output': ({ ranks }) =>
    `Táto priepustnosť reduce-scatter počíta bajty výstupu: je ${ranks === undefined ? 'toľkokrát nižšia, koľko je rankov' : `${text(ranks)}-krát nižšia`}. nccl-tests počítajú vstup.`,
  'duration-zero': () =>
    'Vypíše sa trvanie 0: stratí sa v zaokrúhlení alebo v jednotke; čas prezradí priepustnosť vedľa neho.',
  'gib-as-gb': () => 'Bajty sa delia 1024³ a nazývajú GB: údaj je v GiB, 7,4 % pod GB.',
  'no-warm-up': ({ name }) => `${text(name)} sa meria bez rozohriatia: prvé volanie zriaďuje spojenia a kernely.`,
  'single-sample': ({ name }) =>
    `${text(name)} sa meria raz: jedna vzorka nepovie nič o rozptyle. Vezmite medián z desiatich alebo viacerých.`,
  'sync-without-device': () =>
    'torch.cuda.synchronize() bez torch.cuda.set_device(rank) čaká na každom ranku na GPU 0, nie na vlastné GPU ranku.',
  'no-sync': ({ name }) => `${text(name)} sa meria bez čakania na GPU: zmeria sa len jeho spustenie.`,
  'reseeded-shards': ({ name }) =>
    `${text(name)} nastavuje generátor pri každom volaní na konštantu: všetky vrstvy a všetky diely dostanú rovnaké váhy a nie sú výrezmi jedného modelu.`,
  'shard-scale': ({ name }) =>
    `Tieto váhy sú škálované veľkosťou dielu (${text(name)}): sú väčšie o odmocninu z počtu dielov a nie sú výrezmi sériového modelu. Škálujte ich celou veľkosťou.`,
  'range-skips-first': ({ name }) => `range(${text(name)}, 0, −1) sa končí pri 1: na vrstvu 0 sa nedostane.`,
} satisfies Readonly<Record<string, Sentence>>;

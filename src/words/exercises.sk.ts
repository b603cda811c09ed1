/** The exercises in Slovak. */
import type { ExerciseName } from '../engine/exercises/exercises';
import type { FindingCode } from '../engine/exercises/grade';
import { int, type Sentence, text, time } from './args';
import { formatNumber } from './format';
import { plural } from './language';

export const SLOVAK_TITLES: Readonly<Record<ExerciseName, string>> = {
  'tensor-backward': 'Tenzorový paralelizmus: spätný prechod',
  'pipeline-backward': 'Paralelizmus pipeline: spätný prechod',
  'alternate-ring': 'All-reduce, ktorý posiela dokola celé pamäte',
  'bucket-size': 'Najlepšia veľkosť bucketu gradientov',
};

export const SLOVAK_NOTES = {
  language: [
    'Jeden príkaz na riadok: názov = operácia(argument, …). Nič sa tu nespúšťa ako kód: príkazy sa vykonajú',
    'na simulovanej mriežke. Uložte a znova spustite „MeshLens: Cvičenie“, aby sa riešenie ohodnotilo.',
  ],
  passed: 'Správne.',
  otherCalls: 'Ranky nevolajú to isté.',
};

const OPERATIONS = [
  'matmul(a, b)  transpose(a)  add(a, b)  divide(a, number)',
  'gelu_backward(dy, z): dy krát sklon gelu v z',
];

export const SLOVAK_TASKS: Readonly<Record<ExerciseName, readonly string[]>> = {
  'tensor-backward': [
    'Každý zo 4 rankov drží w, svoje stĺpce váh vrstvy. Dopredu vypočítal',
    'z = matmul(x, w) a y = all_gather(gelu(z)) cez stĺpce všetkých rankov.',
    'Z daných x, w, z a dy (všetkých stĺpcov, na každom ranku) nastavte',
    '  dw, gradient w daného ranku, a dx, gradient x, celý na každom ranku.',
    'Operácie:',
    ...OPERATIONS.map(line => `  ${line}`),
    '  own_columns(a): stĺpce ranku z a     all_gather(a): stĺpce všetkých rankov',
    '  all_reduce_sum(a)  all_reduce_average(a)',
  ],
  'pipeline-backward': [
    'Každý z 3 rankov drží vrstvu y = gelu(matmul(x, w)); strata je priemer y² na poslednom ranku,',
    'cez všetky 4 micro-batche. Dopredné prechody sú hotové. Tieto príkazy bežia raz za micro-batch s jeho',
    'x, z = matmul(x, w) a y, a s w. gradient je na začiatku nula a zachováva sa z jedného micro-batchu',
    'do ďalšieho: na konci to musí byť gradient w daného ranku.',
    'Pred príkazom môže stáť  first:  last:  not first:  not last:  pre ranky, ktoré ho vykonajú.',
    'Operácie:',
    ...OPERATIONS.map(line => `  ${line}`),
    '  loss_gradient(y): priemeru len cez tento micro-batch; micro_batches je číslo',
    '  receive(next)  receive(previous)  send(next, a)  send(previous, a)',
  ],
  'alternate-ring': [
    'Každý zo 4 rankov má pamäť own; jeho sum je najprv own. Napíšte all-reduce, v ktorom idú dokola celé',
    'pamäte: na konci musí sum každého ranku obsahovať pamäť každého ranku raz.',
    'Každý riadok je jeden krok, ktorý všetky ranky spravia naraz: send(čo, kam, potom)',
    '  čo: own, received (čo prišlo v predchádzajúcom kroku) alebo sum',
    '  kam: next alebo previous',
    '  potom: add alebo replace, čo príjemca spraví so svojím sum a tým, čo prišlo',
  ],
  'bucket-size': [
    'Dátový paralelizmus redukuje 8 GB gradientov cez sieť so 100 GB/s, po bucketoch. All-reduce bucketu beží',
    'popri spätnom prechode, ktorý trvá tak dlho ako všetky spolu; každé volanie stojí 50 µs, ktoré nič neskryje.',
    'Koľko bajtov má mať bucket, aby bol krok dlhší ako spätný prechod o čo najmenej?',
    'Napíšte napríklad: bucket_bytes = 1e6',
  ],
};

export const SLOVAK: Readonly<Record<FindingCode, Sentence>> = {
  syntax: ({ text: line }) => `„${text(line)}“ nie je príkaz: názov = operácia(argument, …).`,
  'too-long': ({ limit }) =>
    `Riešenie má najviac ${int(limit)} ${plural(int(limit), 'riadok', 'riadky', 'riadka', 'riadkov')}.`,
  'unknown-operation': ({ operation, known }) => `Operácia ${text(operation)} tu nie je. Sú tu: ${text(known)}.`,
  'unknown-name': ({ name }) => `${text(name)} na tomto mieste nemá hodnotu.`,
  arguments: ({ operation, expected }) =>
    operation === 'bucket_bytes'
      ? 'bucket_bytes musí byť kladné číslo.'
      : `${text(operation)} berie ${int(expected)} ${plural(int(expected), 'argument', 'argumenty', 'argumentu', 'argumentov')} iného druhu ako tieto.`,
  shapes: ({ operation, left, right }) => `${text(operation)} nemôže spojiť ${text(left)} a ${text(right)}.`,
  'missing-result': ({ name }) => `${text(name)} sa nikde nenastaví.`,
  'no-neighbour': ({ rank, direction, operation }) =>
    `Rank ${int(rank)} nemá suseda (${text(direction)}), s ktorým by vykonal ${text(operation)}: pred príkazom chýba podmienka alebo treba iný smer.`,
  deadlock: ({ kind, from, to }) => inDeadlock(text(kind))?.({ from, to }) ?? SLOVAK_NOTES.otherCalls,
  differs: ({ name, rank, found, expected, difference }) =>
    difference === null
      ? `${text(name)} ranku ${int(rank)} je ${text(found)}, očakáva sa ${text(expected)}.`
      : `${text(name)} ranku ${int(rank)} sa líši o ${formatNumber(Number(difference), 2)} svojej najväčšej hodnoty.`,
  'activation-skipped': ({ name }) =>
    `${text(name)} patrí vrstve bez gelu: dy musí prejsť cez gelu_backward, skôr než sa stretne s x alebo w.`,
  'input-gradient-partial': ({ rank, ranks }) =>
    `dx ranku ${int(rank)} je len časť z jeho vlastných stĺpcov: x napája stĺpce všetkých ${int(ranks)} rankov, preto treba časti sčítať.`,
  'input-gradient-averaged': ({ ranks }) =>
    `dx je ${int(ranks)}-krát primalé: ranky držia rôzne stĺpce, nie rôzne dáta, preto sa ich časti sčítajú, nie priemerujú.`,
  'weight-gradient-reduced': () =>
    'dw je súčet cez ranky z gradientov, ktoré patria rôznym stĺpcom: každý rank si necháva svoj a nič sa neredukuje.',
  'last-micro-batch-only': ({ microBatches }) =>
    `gradient obsahuje len posledný z ${int(microBatches)} micro-batchov: každý treba pripočítať k tomu, čo nechali predchádzajúce.`,
  'not-averaged': ({ microBatches }) =>
    `gradient je ${int(microBatches)}-krát priveľký: loss_gradient je z priemeru jedného micro-batchu, strata je priemer cez všetky.`,
  'earlier-stage': ({ stage, right }) =>
    `Rank ${int(right)} je správny a rank ${int(stage)} nie: čo rank ${int(right)} posiela späť, nie je gradient jeho vstupu.`,
  'contribution-missing': ({ from, steps, needed }) =>
    `Pamäť ranku ${int(from)} sa k ranku 0 nikdy nedostane: kroky ${int(steps)}, potrebné ${int(needed)}.`,
  'contribution-repeated': ({ from, count, missing }) =>
    `sum ranku 0 obsahuje pamäť ranku ${int(from)} ${int(count)}-krát${Number(missing) >= 0 ? ` a pamäť ranku ${int(missing)} vôbec` : ''}: ďalej treba poslať to, čo prišlo.`,
  'own-again': ({ count }) =>
    `Pamäte prešli celý kruh: každý rank pripočítal svoju vlastnú ${int(count)}-krát. O krok menej.`,
  'sum-forwarded': ({ from, count }) =>
    `Ďalej ide sum, ktorý už obsahuje skoršie príspevky príjemcu: pamäť ranku ${int(from)} sa započíta ${int(count)}-krát.`,
  'sum-replaced': () => 'Čo príde, nahradí sum, a vlastná pamäť ranku sa stratí.',
  'too-much-traffic': ({ buffers, needed }) =>
    `sum je správny, ale každý rank posiela pamäte ${int(buffers)}-krát, kým stačí ${int(needed)}-krát.`,
  'count-not-bytes': ({ count }) => `${int(count)} je asi počet bucketov, ktoré majú byť; otázka je na bajty jedného.`,
  megabytes: ({ megabytes }) => `${int(megabytes)} by bolo správne v megabajtoch; otázka je na bajty.`,
  'one-bucket': ({ exposedSeconds, least }) =>
    `Všetky gradienty v jednom buckete: nezostalo nič, čo by ho skrylo, odkrytých je ${time(exposedSeconds)}, kým stačí ${time(least)}.`,
  'bucket-small': ({ calls, exposedSeconds, least }) =>
    `Primalé: ${int(calls)} volaní stojí viac, ako skryje, odkrytých je ${time(exposedSeconds)}, kým stačí ${time(least)}.`,
  'bucket-large': ({ calls, exposedSeconds, least }) =>
    `Priveľké: posledný z ${int(calls)} bucketov je odkrytý celý, ${time(exposedSeconds)}, kým stačí ${time(least)}.`,
};

export const SLOVAK_DEADLOCKS = {
  'unmatched-send': ({ from, to }) =>
    `Rank ${int(from)} posiela ranku ${int(to)}, ktorý to nikdy neprijme: oba čakajú donekonečna.`,
  'unmatched-receive': ({ from, to }) =>
    `Rank ${int(to)} čaká na správu od ranku ${int(from)}, ktorá sa nikdy nepošle.`,
  'missing-rank': ({ from, to }) => `Rank ${int(from)} čaká v kolektíve, do ktorého sa rank ${int(to)} nikdy nezapojí.`,
} satisfies Readonly<Record<string, Sentence>>;

function inDeadlock(kind: string): Sentence | undefined {
  const sentences: Readonly<Record<string, Sentence>> = SLOVAK_DEADLOCKS;
  return sentences[kind];
}

/** Slovak sentences of problems. */
import type { ProblemCode } from '../engine/problem';
import { bytes, int, type Sentence, text } from './args';
import { expectedText } from './expected';
import { keyName } from './keys';
import { plural } from './language';

export const SLOVAK_ABSENT = {
  unknown: (name: string): string => `Nie je známe: ${name}; neuvádza to žiadny súbor.`,
  pitfall: (what: string): string => `${what} kazí meranie.`,
  notModelled: (what: string): string => `${what} sa nemodeluje.`,
};

export const SLOVAK_NOT_MODELLED = {
  'model-type': ({ name }) =>
    name === ''
      ? 'Súbor neuvádza model_type: počíta sa ako dekodér podobný Llame, čo nemusí byť správne.'
      : `Typ modelu „${text(name)}“ nie je v tabuľke architektúr: počíta sa ako dekodér podobný Llame, čo nemusí byť správne.`,
  'model-option': ({ name }) =>
    `${text(name)} robí model iného druhu: počíta sa ako jeden zásobník vrstiev dekodéra, čo nemusí byť správne.`,
  'remote-code': ({ name }) =>
    `Trieda „${text(name)}“ nie je súčasťou transformers: jej parametre sa počítajú z veľkostí a môžu sa líšiť.`,
  'text-only': ({ name }) => `Z „${text(name)}“ sa počíta len textový model.`,
  'layer-parts': ({ name }) =>
    `Vlastné časti vrstiev (${text(name)}) sa počítajú ako parametre; ich čas a aktivácie sa nemodelujú.`,
  beside: ({ name }) => `Popri dekodéri (${text(name)}): parametre sa počítajú, čas a aktivácie sa nemodelujú.`,
  diffusion: ({ name }) => `${text(name)} nie je jazykový model: jeho čas a pamäť sa nemodelujú.`,
  hpz: ({ name }) => `Druhá kópia váh v uzle (${text(name)}) sa nemodeluje.`,
  'pipeline-layout': ({ name }) => `${text(name)}: vrstvy každého stupňa sa považujú za rovnaké.`,
  'multi-token-prediction': ({ name }) => `Vrstvy predikcie viacerých tokenov (${text(name)}) sa nepočítajú.`,
  'several-configs': ({ name, count }) =>
    `Súbor má ${int(count)} ${plural(int(count), 'konfiguráciu', 'konfigurácie', 'konfigurácie', 'konfigurácií')}; táto je ${text(name)}.`,
  'script-size': () => 'Skript je priveľký na to, aby sa čítal až do konca.',
  word: ({ key, name }) => `${text(key)}: „${text(name)}“ sa nemodeluje; berie sa obvyklá hodnota.`,
  optimizer: ({ name }) => `Optimalizátor ${text(name)} sa nemodeluje: berie sa AdamW.`,
  finetuning: ({ name }) => `Ladenie pomocou ${text(name)} sa nemodeluje: predpokladá sa tréning všetkých váh.`,
  cpu: ({ name }) => `Tréning na CPU (${text(name)}) sa nemodeluje: odhad je pre akcelerátory.`,
} satisfies Readonly<Record<string, Sentence>>;

export const SLOVAK_UNKNOWN = {
  environment: ({ key, name }) => `${text(key)} pochádza z ${text(name)}, premennej prostredia.`,
  argument: ({ key, name }) => `${text(key)} pochádza z ${text(name)}, argumentu skriptu.`,
  command: ({ key, name }) => `${text(key)} pochádza z výstupu ${text(name)}, ktorý sa nespúšťa.`,
  branch: ({ key, name }) => `${text(key)} závisí od ${text(name)}.`,
  loop: ({ key, name }) => `${text(key)} nadobúda v cykle cez ${text(name)} viac hodnôt.`,
  expression: ({ key, name }) => `${text(key)} je výraz, ktorý sa nevyhodnocuje: ${text(name)}.`,
  size: ({ key }) => `${text(key)} je pridlhé na čítanie.`,
  tokenizer: () => 'Slovník určuje tokenizer a ten nie je v žiadnej tabuľke.',
  file: ({ key, name }) => `${text(key)} je v inom súbore: ${text(name)}.`,
  absent: ({ key }) => `Chýba ${keyName(text(key))}: nedáva to súbor ani jeho predvolené hodnoty.`,
  choices: ({ key }) => `${text(key)} je zoznam možností na ladenie, preto tu nie je známe.`,
  zoo: ({ name }) => `Veľkosti ${text(name)} tu nie sú známe: otvorte jeho config.json vedľa tohto súboru.`,
  flavor: ({ name }) => `Veľkosti variantu ${text(name)} tu nie sú známe.`,
  auto: ({ key }) => `${text(key)} je „auto“: dopĺňa to trainer, preto tu nie je známe.`,
  'cut-off': ({ key }) => `${text(key)} sa končí uprostred riadka, ktorý sa vynecháva.`,
  missing: ({ key, name }) => `${text(key)} závisí od ${text(name)}, čo tento súbor nenastavuje.`,
} satisfies Readonly<Record<string, Sentence>>;

export const SLOVAK_PROBLEMS: Readonly<
  Record<Exclude<ProblemCode, 'value-unknown' | 'pitfall' | 'not-modelled'>, Sentence>
> = {
  syntax: ({ format, reason }) => `Toto nie je platný ${text(format)}: ${text(reason)}.`,
  'too-deep': ({ limit }) => `Súbor je vnorený hlbšie ako ${int(limit)} úrovní a nečíta sa.`,
  'too-large': ({ length, limit }) => `Súbor má ${int(length)} znakov; súbory nad ${int(limit)} sa nečítajú.`,
  'duplicate-key': ({ key, framework }) =>
    framework === undefined
      ? `${text(key)} je zapísané dvakrát; platí posledné.`
      : `${text(key)} je zapísané dvakrát, čo ${text(framework)} odmieta.`,
  'value-invalid': ({ key, expected, value }) =>
    `${text(key)} musí byť ${expectedText(text(expected))}, nie ${text(value)}.`,
  'missing-key': ({ key, value }) =>
    `${text(key)} chýba; tu sa predpokladá ${text(value)}, samotný framework bez toho skončí.`,
  'environment-default': ({ name, value }) =>
    `${text(name)} je premenná prostredia; berie sa jej predvolená hodnota ${text(value)}.`,
  'cluster-unknown': ({ what }) =>
    what === 'gpus'
      ? 'Počet GPU nie je známy, preto niet času kroku.'
      : 'Akcelerátor nie je známy, preto niet času kroku ani kapacity, do ktorej by sa bolo treba zmestiť.',
  'world-size': ({ dp, tp, cp, pp, product, gpus }) =>
    dp === null
      ? `tp ${int(tp)} · cp ${int(cp)} · pp ${int(pp)} = ${int(product)} nedelí ${int(gpus)} GPU.`
      : `dp ${int(dp)} · tp ${int(tp)} · cp ${int(cp)} · pp ${int(pp)} = ${int(product)}, ale klaster má ${int(gpus)} GPU.`,
  'heads-tp': ({ heads, tp }) => `Počet hláv pozornosti ${int(heads)} sa nedá rozdeliť na tp ${int(tp)}.`,
  'heads-cp': ({ heads, tp, cp }) =>
    `Počet hláv pozornosti ${int(heads)} sa nedá rozdeliť na tp ${int(tp)} · cp ${int(cp)}, čo vyžaduje kontextový paralelizmus all-to-all.`,
  'kv-heads-tp': ({ kvHeads, tp, framework }) =>
    framework === 'any'
      ? `Počet hláv kv ${int(kvHeads)} sa nedá rozdeliť na tp ${int(tp)} a ani ho nedelí.`
      : `Počet hláv kv ${int(kvHeads)} sa nedá rozdeliť na tp ${int(tp)}, čo vyžaduje ${text(framework)}.`,
  'hidden-heads': ({ hidden, heads }) =>
    `Skrytý rozmer ${int(hidden)} sa nedá rozdeliť na ${int(heads)} ${plural(int(heads), 'hlavu', 'hlavy', 'hlavy', 'hláv')}.`,
  'heads-kv-heads': ({ heads, kvHeads }) =>
    `Počet hláv pozornosti ${int(heads)} sa nedá rozdeliť na ${int(kvHeads)} hláv kv.`,
  'hidden-tp': ({ hidden, tp, framework }) =>
    `Skrytý rozmer ${int(hidden)} sa nedá rozdeliť na tp ${int(tp)}, čo vyžaduje ${text(framework)}.`,
  'vocab-tp': ({ vocab, tp, framework }) =>
    `Slovník veľkosti ${int(vocab)} sa nedá rozdeliť na tp ${int(tp)}, čo vyžaduje ${text(framework)}.`,
  'layers-pp': ({ layers, pp, stages, sum }) =>
    sum === layers
      ? `Vrstvy (${int(layers)}) sa nedajú rozdeliť na pp ${int(pp)} (bloky: ${int(stages)}).`
      : `Stupne majú spolu ${int(sum)} ${plural(int(sum), 'vrstvu', 'vrstvy', 'vrstvy', 'vrstiev')} (časti: ${int(stages)}), ale model ich má ${int(layers)} na pp ${int(pp)}.`,
  'layers-vpp': ({ layers, pp, vpp }) =>
    `Vrstvy (${int(layers)}) sa nedajú rozdeliť na bloky pp ${int(pp)} · vpp ${int(vpp)}.`,
  'sequence-cp': ({ seqLen, cp, tp, divisor }) =>
    tp === undefined
      ? `Sekvencia dĺžky ${int(seqLen)} nie je deliteľná číslom ${int(divisor)}, čo vyžaduje cp ${int(cp)}.`
      : `Sekvencia dĺžky ${int(seqLen)} nie je deliteľná číslom ${int(divisor)}, čo vyžadujú tp ${int(tp)} a cp ${int(cp)}.`,
  'sequence-sp': ({ seqLen, tp, cp }) =>
    `Sekvenčný paralelizmus potrebuje sekvenciu deliteľnú tp ${int(tp)} · cp ${int(cp)}; ${int(seqLen)} nie je.`,
  'experts-ep': ({ experts, ep }) => `Experti (${int(experts)}) sa nedajú rozdeliť na ep ${int(ep)}.`,
  'expert-ranks': ({ ranks, ep, etp }) =>
    `dp·cp·tp = ${int(ranks)} rankov nie je deliteľných ep ${int(ep)} · etp ${int(etp)}.`,
  'batch-identity': ({ globalBatch, microBatch, dp, steps, product }) =>
    steps !== undefined
      ? `Globálna dávka ${int(globalBatch)} nie je micro-batch ${int(microBatch)} · akumulácia ${int(steps)} · dp ${int(dp)} = ${int(product)}.`
      : `Globálna dávka ${int(globalBatch)} nie je násobkom micro-batchu ${int(microBatch)} · dp ${int(dp)}.`,
  'not-divisible': ({ key, value, divisor, framework }) =>
    `${text(key)} ${int(value)} nie je deliteľné číslom ${int(divisor)}, čo vyžaduje ${text(framework)}.`,
  'options-incompatible': ({ key, other, framework }) =>
    `${text(framework)} nedovoľuje ${text(key)} spolu s ${text(other)}.`,
  'option-ignored': ({ key, because, framework, missing }) =>
    missing === true
      ? `${text(framework)} ignoruje ${text(key)} bez ${text(because)}.`
      : `${text(framework)} ignoruje ${text(key)}; dôvod: ${text(because)}.`,
  'option-deprecated': ({ key, instead, framework }) =>
    `${text(key)} je v ${text(framework)} zastarané; nahrádza ho ${text(instead)}.`,
  'schedule-shape': ({ schedule, rule, stages, microBatches, virtual, required }) =>
    `Rozvrh ${text(schedule)} nepripúšťa túto zostavu: stupne ${int(stages)}, micro-batche ${int(microBatches)}, bloky na stupeň ${int(virtual)} (pravidlo ${text(rule)}${required === undefined ? '' : `, potrebné ${int(required)}`}).`,
  'dtype-device': ({ dtype, gpu }) => `${text(gpu)} nemá jednotky, ktoré násobia v ${text(dtype)}.`,
  'out-of-memory': ({ peakBytes, lowerBytes, upperBytes, capacityBytes, stage }) =>
    `Pamäť nestačí: stupeň ${int(stage)} potrebuje ${bytes(peakBytes)} na GPU (${bytes(lowerBytes)} až ${bytes(upperBytes)}) a GPU má ${bytes(capacityBytes)}.`,
  'memory-uncertain': ({ peakBytes, upperBytes, capacityBytes, stage }) =>
    `Tesne pod hranicou: stupeň ${int(stage)} potrebuje ${bytes(peakBytes)} na GPU a môže potrebovať ${bytes(upperBytes)} z ${bytes(capacityBytes)}.`,
  contradiction: ({ key, value, other, file, line }) =>
    `${text(key)} je tu ${text(value)} a v ${text(file)}:${int(line)} ${text(other)}; platí hodnota tohto súboru.`,
  'not-expressible': ({ framework, key, value }) => `${text(framework)} nevie vyjadriť ${text(key)} = ${text(value)}.`,
};

/** Assumptions in Slovak. */
import { bytes, percent, type Sentence, text } from './args';

export const SLOVAK = {
  defaults: args => `Tieto kľúče neuvádza žiadny súbor, preto majú predvolené hodnoty: ${text(args.keys)}.`,
  'causal-flash': () => 'Pozornosť beží ako zlúčený kauzálny kernel, ktorý maskovanú polovicu preskočí.',
  allocator: args =>
    `Okrem tenzorov drží GPU ${percent(args.slack)} rezervy alokátora a ${bytes(args.bytes)} kontextu, kernelov a komunikačných pamätí.`,
  capacity: args => `Kapacita ${text(args.gpu)} je tá, ktorú hlási ovládač: ${bytes(args.bytes)}.`,
  'constants-fitted': args => `Účinnosti architektúry ${text(args.architecture)} sú prispôsobené zverejneným behom.`,
  'constants-assumed': args =>
    `Účinnosti architektúry ${text(args.architecture)} sa neopierajú o žiadny zverejnený beh: sú predpokladané.`,
  'network-default': args => `Sieť je obvyklá pre toto zariadenie: ${bytes(args.bytesPerSecond)}/s na GPU a smer.`,
  'own-measurements': () => 'Konštanty vášho vlastného profilu hardvéru majú prednosť pred zverejnenými.',
  'stack-assumed': args =>
    `Pre tento softvérový stack (${text(args.stack)}) nebol dostupný zverejnený beh: berie sa ako priemerný.`,
} satisfies Readonly<Record<string, Sentence>>;

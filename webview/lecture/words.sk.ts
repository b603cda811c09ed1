/** Slovak words of the page that replays the lecture. */
export const SLOVAK = {
  title: 'Prednáška krok za krokom',
  source:
    'Stanford CS336, jar 2025, prednáška 8: jej kolektívy a tri ukážky, so spätnými prechodmi, ktoré necháva ako cvičenia. Čísla sú z behu na simulovanej mriežke, s váhami, ktoré sú výrezmi jednej sériovej siete.',
  demo: 'Ukážka',
  previous: 'Späť',
  next: 'Ďalej',
  play: 'Prehrať',
  pause: 'Pozastaviť',
  noPlay: 'Pri obmedzenom pohybe sa nič neprehráva samo: použite Ďalej.',
  keys: 'Klávesy: ← a → o krok, Home a End na kraje, P prehrá a pozastaví.',
  place: 'Krok {step} z {steps}',
  running: 'Ukážka beží…',
  failed: 'Ukážka sa prerušila: {message}',
  rank: 'Rank',
  ranksTable: 'Čo má každý rank v tomto kroku',
  printed: 'Čo tu prednáška vypisuje',
  printedNothing: 'Prednáška tu nevypisuje nič.',

  'demo-collectives': 'Kolektívy',
  'demo-data-parallel': 'Dátový paralelizmus',
  'demo-tensor-parallel': 'Tenzorový paralelizmus',
  'demo-pipeline-parallel': 'Paralelizmus pipeline',

  'column-held': 'Drží',
  'column-sends': 'Posiela časti → ranku',
  'column-rows': 'Riadky',
  'column-columns': 'Stĺpce',
  'column-layers': 'Vrstvy',
  'column-weights': 'Váhy, prvá hodnota každej',
  'column-loss': 'Strata',
  'column-own': 'Vlastné',
  'column-whole': 'Po výmene',
  'column-sent': 'Posiela',
  'column-received': 'Prijíma',
  'column-gradients': 'Gradienty, prvá hodnota každého',

  'scene-start': '{op} začína. Každý rank drží, čo mu dá prednáška; bodka je to, čo nedrží.',
  'scene-step':
    '{op}, krok {step} z {steps} po kruhu: každý rank posiela časti ďalšiemu, ktorý ich pripočíta alebo prevezme.',
  'scene-end': '{op} sa skončil po {steps} {steps:kroku|krokoch|kroku|krokoch} po kruhu.',
  'scene-dp-slice':
    'Dávka, riadky: {rows} po {columns} číslach, sa rozdelí: každý z {ranks} rankov vezme {local} {local:riadok|riadky|riadka|riadkov}.',
  'scene-dp-weights': 'Každý rank má rovnaké vrstvy ({layers}), v každej {columns} × {columns} váh.',
  'scene-dp-loss': 'Každý rank spustí dopredný prechod na svojich riadkoch a má vlastnú stratu. Straty sa líšia.',
  'scene-dp-gradient':
    'Vrstva {layer}: gradienty rôznych riadkov sa líšia; all-reduce ich spriemeruje. To je jediný rozdiel oproti jednému zariadeniu.',
  'scene-dp-end':
    'Každý rank spraví krok vlastným optimalizátorom. S rovnakými gradientmi majú všetky opäť rovnaké váhy.',
  'scene-tp-slice':
    'Vrstvy sa rozdelia podľa stĺpcov: každý z {ranks} rankov počíta {local} z {columns}. Všetky majú celú dávku, riadky: {rows}.',
  'scene-tp-weights': 'Každý rank drží {columns} × {local} váh každej vrstvy.',
  'scene-tp-gather': 'Vrstva {layer} dopredu: každý rank vypočíta svoje stĺpce a all-gather ich spojí do celku.',
  'scene-tp-reduce':
    'Vrstva {layer} dozadu: každý rank má časť gradientu vstupu, ktorú spôsobujú jeho stĺpce, a all-reduce časti sčíta.',
  'scene-tp-gradients': 'Každý rank má gradienty svojich stĺpcov a žiadny z nich neposiela.',
  'scene-pp-slice':
    'Vrstvy sa rozdelia do hĺbky: každý z {ranks} rankov má {local}. Dávka sa rozdelí na {microBatches} {microBatches:micro-batch|micro-batche|micro-batchu|micro-batchov}, riadky v každom: {size}.',
  'scene-pp-forward': 'Micro-batch {microBatch} dopredu: prvý rank pošle svoje aktivácie ďalej.',
  'scene-pp-backward': 'Micro-batch {microBatch} dozadu: posledný rank pošle späť gradient svojho vstupu.',
  'scene-pp-end':
    'Všetky micro-batche sú hotové: strata je {loss}, v sériovom behu {serialLoss}; gradienty sa od neho líšia najviac o {difference} najväčšej hodnoty tenzora.',
};

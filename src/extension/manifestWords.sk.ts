/** Slovak words of the manifest, of its settings and of its tools. */

export const MANIFEST_SLOVAK = {
  description:
    'Meranie a poradca pre paralelný tréning: zmestí sa to, ako rýchlo to pôjde a čo zmeniť, priamo v otvorenom konfiguračnom súbore.',
  untrusted:
    'Konfigurácie sa čítajú, odhadujú a prehľadávajú ako všade. Kým pracovný priestor nie je dôveryhodný, tohto stroja sa nič nepýta (nvidia-smi) a nič na ňom nemeria.',
  'command.openDashboard': 'Otvoriť prehľad',
  'command.chooseCluster': 'Vybrať klaster',
  'command.chooseFiles': 'Vybrať súbory tejto zostavy',
  'command.askValues': 'Zadať chýbajúce hodnoty',
  'command.search': 'Hľadať lepšie rozloženie',
  'command.saveReport': 'Uložiť správu o tomto pláne',
  'command.prove': 'Dokázať tento plán',
  'command.exercise': 'Cvičenie',
  'command.lecture': 'Prehrať prednášku',
  'command.benchmark': 'Zmerať tento stroj',
  'command.writeClusterScript': 'Zapísať merací skript pre tento klaster',
  'command.runClusterScript': 'Spustiť merací skript tu',
  'command.importMeasurements': 'Importovať merania…',
  'command.calibrate': 'Kalibrovať podľa meraní…',
  'command.undoCalibration': 'Vrátiť kalibráciu',
  'command.compareRun': 'Prečo je môj beh pomalší?',
  'command.forgetMeasurements': 'Zabudnúť merania tejto konfigurácie',
  'command.writeProposal': 'Zapísať navrhovaný plán',
  'command.discardProposal': 'Zahodiť navrhovaný plán',
  'command.exportTo': 'Vyviezť do iného frameworku…',
  'command.hide': 'Skryť…',
  'command.openSample': 'Otvoriť ukážku',
  'command.savePlan': 'Uložiť súčasný plán',
  'command.deletePlan': 'Odstrániť uložený plán',
  'command.refreshSetups': 'Znova pohľadať konfigurácie',
  'view.setups': 'Zostavy',
  'view.plans': 'Uložené plány',
  'welcome.setups':
    'V tomto pracovnom priestore nie je konfigurácia tréningu.\n[Otvoriť ukážku](command:meshlens.openSample)',
  'welcome.plans':
    'Tu sa uchovávajú plány, ktoré uložíte z konfigurácie alebo z výsledkov hľadania.\n[Uložiť súčasný plán](command:meshlens.savePlan)',
  'walkthrough.title': 'Začíname s MeshLens',
  'walkthrough.description': 'Od konfigurácie k lepšiemu paralelnému rozloženiu.',
  'walkthrough.sample.title': 'Otvorte konfiguráciu',
  'walkthrough.sample.description':
    'Otvorte config.json modelu a konfiguráciu tréningu, alebo ukážku: Llama-3.1-8B na 16 GPU.\n[Otvoriť ukážku](command:meshlens.openSample)',
  'walkthrough.sample.image': 'Konfigurácia tréningu v editore',
  'walkthrough.cluster.title': 'Povedzte, na čom to beží',
  'walkthrough.cluster.description':
    'Vyberte stroje. Riadok nad konfiguráciou potom povie, či sa beh zmestí a ako rýchlo pôjde.\n[Vybrať klaster](command:meshlens.chooseCluster)',
  'walkthrough.cluster.image': 'Riadok nad konfiguráciou: parametre, pamäť, priepustnosť',
  'walkthrough.cluster.svg': 'media/walkthrough/lens_sk.svg',
  'walkthrough.dashboard.title': 'Pozrite, kam ide čas',
  'walkthrough.dashboard.description':
    'Každé číslo v prehľade sa dá otvoriť: jeho časti, vzorec, podklady.\n[Otvoriť prehľad](command:meshlens.openDashboard)',
  'walkthrough.dashboard.image': 'Prehľad: pamäť podľa častí a stupňov, krok podľa častí',
  'walkthrough.dashboard.svg': 'media/walkthrough/dashboard_sk.svg',
  'walkthrough.search.title': 'Nájdite a zapíšte lepšie rozloženie',
  'walkthrough.search.description':
    'Všetky rozloženia, ktoré váš framework vie vyjadriť, za sekundu. Najlepšie sa zapíše do súboru, keď si pozriete rozdiel.\n[Hľadať lepšie rozloženie](command:meshlens.search)',
  'walkthrough.search.image': 'Návrhy s ich prínosom a rozdiel v súbore',
  'walkthrough.search.svg': 'media/walkthrough/search_sk.svg',
  schema: './schemas/meshlens-file.sk.schema.json',
  'tool.estimate_training_config': 'Odhadnúť konfiguráciu tréningu',
  'tool.search_parallel_strategies': 'Hľadať lepšie paralelné rozloženie',
  'tool.explain_estimate': 'Vysvetliť odhad',
  'category.cluster': 'Klaster',
  'category.costs': 'Cena a energia',
  'category.editor': 'Editor',
  'setting.cluster.gpu':
    'Akcelerátor behu (`h100-sxm`, `a100-80`, `b200`, …). [Výber klastra](command:meshlens.chooseCluster) ich ukáže s ich pamäťou. Súbor `meshlens.json` v pracovnom priestore ho povie každému, kto tam pracuje.',
  'setting.cluster.nodes': 'Uzly behu. Bez nich určuje počet GPU konfigurácia tréningu.',
  'setting.cluster.gpusPerNode': 'GPU v uzle, ak ich nie je počet obvyklý pre akcelerátor.',
  'setting.cluster.nicBytesPerSecond':
    'Rýchlosť siete jedného GPU v jednom smere, v bajtoch za sekundu (400 Gb/s je 50000000000).',
  'setting.cluster.domainSize': 'GPU v jednej doméne rýchlych spojov, ak to nie je uzol (72 v stojane NVL72).',
  'setting.costs.perGpuHour':
    'Cena jedného GPU za hodinu, v mene `#meshlens.costs.currency#`. Bez nej sa o cene nehovorí.',
  'setting.costs.currency': 'Mena pre `#meshlens.costs.perGpuHour#`, ako sa má vypísať.',
  'setting.costs.wattsPerGpu':
    'Watty, ktoré berie jedno GPU so svojím podielom stroja. Bez nich sa o energii nehovorí.',
  'setting.costs.powerUsage': 'Energia celého strediska voči energii jeho strojov (PUE).',
  'setting.costs.gramsCo2PerKwh':
    'Gramy CO₂ na kilowatthodinu tam, kde klaster stojí. Bez nich sa o emisiách nehovorí.',
  'setting.costs.litresPerKwh': 'Litre vody na kilowatthodinu tam, kde klaster stojí. Bez nich sa o vode nehovorí.',
  'setting.language':
    'Jazyk MeshLens: jazyk VS Code (`auto`), angličtina alebo slovenčina. Platí od najbližšieho spustenia alebo opätovného načítania okna.',
  'setting.codeLens.enabled':
    'Zobraziť riadok nad konfiguráciami, ktoré MeshLens číta: parametre, pamäť, priepustnosť.',
  'setting.hover.enabled': 'Vysvetľovať kľúče rozloženia a modelu tam, kde stojí ukazovateľ.',
  'setting.completion.enabled': 'Ponúkať prípustné hodnoty rozmerov paralelizmu s predpovedaným časom kroku a pamäťou.',
  'setting.statusBar.enabled': 'Hovoriť v stavovom riadku, či sa aktuálna konfigurácia zmestí.',
  'setting.diagnostics.enabled': 'Označiť, čo nemôže fungovať, pri kľúči, ktorý to spôsobuje.',
  'setting.diagnostics.severity': 'Závažnosť problému podľa jeho kódu, `off` ho skryje: `{"option-ignored": "off"}`.',
  'setting.kinds':
    'Druhy konfiguračných súborov, ktorých si MeshLens nevšíma: `{"deepspeed": false}`. Ostatné sú zapnuté.',
  'setting.exclude': 'Súbory, ktorých si MeshLens nevšíma, ako cesty alebo vzory v priečinku (`configs/old/**`).',
};

export const SCHEMA_SLOVAK = {
  hardware: 'Súbor hardvéru podľa cesty od tohto súboru: čo sa na tomto klastri nameralo.',
  files: 'Cesty od tohto súboru; priečinok sa končí znakom /.',
  title: 'MeshLens: čo platí pre konfigurácie tohto priečinka',
  overrides: 'Čo platí len pre niektoré konfigurácie; platí neskoršie.',
};

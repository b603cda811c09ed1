/** Slovak words of the line above a config. */
export const SLOVAK = {
  modelUnknown: 'MeshLens: model nie je známy',
  parameters: (count: string): string => `${count} parametrov`,
  cannotRun: (code: string): string => `nedá sa spustiť: ${code}`,
  tokens: (count: string): string => `${count} tok/s/GPU`,
  bubble: (share: string): string => `bublina ${share}`,
  ofCapacity: (peak: string, capacity: string): string => `${peak} z ${capacity}/GPU`,
  outOfMemory: (figures: string): string => `pamäť nestačí: ${figures}`,
  close: (figures: string): string => `${figures} (tesne)`,
  stale: (text: string): string => `${text} (neaktuálne: text je poškodený)`,
  prove: 'Dokázať tento plán',
  proveTooltip:
    'MeshLens: spustí toto rozloženie na malom dvojníkovi modelu, rank po ranku, a porovná ho so sériovým behom',
};

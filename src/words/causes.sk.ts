/** Slovak words of the causes of a gap. */
export const SLOVAK = {
  time: (seconds: string): string => ` (${seconds} na krok)`,
  'power-cap': (_time: string, evidence: string): string => `Ovládač znižuje takt: ${evidence}.`,
  'data-loading': (time: string, evidence: string): string =>
    `Načítanie dát zaberá čas, na ktorý krok čaká${time}: časovač ${evidence}.`,
  imbalance: (time: string, evidence: string): string =>
    `Ranky sú zaťažené nerovnomerne alebo je niektorý pomalý${time}: najrýchlejší a najpomalší v časovači ${evidence} sa líšia.`,
  'slow-link': (time: string, evidence: string): string =>
    `Gradienty trvajú dlhšie, než by spoje mali potrebovať${time}: časovač ${evidence}.`,
  'slow-collectives': (name: string, measured: string, usual: string): string =>
    `Namerané kolektívy dosahujú ${measured} rýchlosti z katalógu (${name}), kým obvyklé je ${usual}: pozrite topológiu, káble a čo ešte spoje používa.`,
  unsteady: (): string =>
    'Kroky sa medzi sebou veľmi líšia: stroje používa niečo iné, alebo medzi nimi ležia checkpointy a vyhodnotenia.',
};

/**
 * What a message pays on the way. A group has two kinds of link: inside a scale-up domain, and between domains over
 * each rank's network card. Both are full duplex and have one port a rank and direction.
 */

export interface Wire {
  /** Time from the end of a message's last byte at the sender until the receiver may use it. */
  readonly alphaSeconds: number;
  /** One rank, one direction. */
  readonly bytesPerSecond: number;
}

export interface Wires {
  readonly scaleUp: Wire;
  /** Null where all ranks share one domain. */
  readonly scaleOut: Wire | null;
  /** The rate at which a rank talks to a reducing switch of its domain; null without one. */
  readonly toSwitch: Wire | null;
  /** Ranks of the group in each domain, which fill the domains in order. */
  readonly ranksPerDomain: number;
}

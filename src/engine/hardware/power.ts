/**
 * Power limits: data. Under load the clock, and with it the rate of large products, follows the power that a part may
 * draw: two parts of one chip differ by the ratio of their limits to a fitted exponent.
 *
 * Source: datasheets of the vendors; the 500 W H100 from torchtitan's report (arXiv 2410.06511).
 */

/** Watts by accelerator. */
const WATTS: Readonly<Record<string, number>> = {
  'v100-16': 300,
  'v100-32': 300,
  'a100-40': 400,
  'a100-80': 400,
  'a100-pcie-80': 300,
  'a800-80': 400,
  'h100-sxm': 700,
  'h100-pcie': 350,
  'h100-nvl-94': 400,
  'h200-sxm': 700,
  'h800-sxm': 700,
  h20: 400,
  a30: 165,
  'h100-95': 500,
  'h100-96-hbm2e': 500,
  b200: 1000,
  b300: 1100,
  gb200: 1200,
  gb300: 1400,
  l40s: 350,
  'rtx-6000-ada': 300,
  'rtx-4090': 450,
  l4: 72,
  'rtx-a6000': 300,
  a40: 300,
  'rtx-3090': 350,
  a10g: 300,
  'rtx-5090': 575,
  'rtx-pro-6000': 600,
  t4: 70,
};

interface Reference {
  readonly watts: number;
  readonly sms: number;
  readonly flopsPerSecond: number;
}

/**
 * The parts that the constants of an architecture were fitted to, or are assumed for: power limit, multiprocessors,
 * dense 16-bit peak. A GeForce's peak counts half the rate of its multiprocessors, which it therefore nearly reaches.
 */
const REFERENCE: Readonly<Record<string, Reference>> = {
  volta: { watts: 300, sms: 80, flopsPerSecond: 125e12 },
  ampere: { watts: 400, sms: 108, flopsPerSecond: 312e12 },
  hopper: { watts: 700, sms: 132, flopsPerSecond: 989e12 },
  blackwell: { watts: 1000, sms: 148, flopsPerSecond: 2250e12 },
  // L40S, RTX A6000, RTX PRO 6000, Quadro RTX 8000.
  ada: { watts: 350, sms: 142, flopsPerSecond: 362e12 },
  'ampere-ga10x': { watts: 300, sms: 84, flopsPerSecond: 154.8e12 },
  'blackwell-rtx': { watts: 600, sms: 188, flopsPerSecond: 503.8e12 },
  turing: { watts: 260, sms: 72, flopsPerSecond: 130.5e12 },
};

function referenceOf(architecture: string): Reference | null {
  return Object.hasOwn(REFERENCE, architecture) ? REFERENCE[architecture] : null;
}

/** The part's limit over that of its architecture's reference; 1 where it is not known. */
export function powerRatio(id: string, architecture: string): number {
  const watts = Object.hasOwn(WATTS, id) ? WATTS[id] : undefined;
  const reference = referenceOf(architecture);
  return watts === undefined || reference === null ? 1 : watts / reference.watts;
}

/**
 * The 16-bit peak of as many multiprocessors of the reference over the part's own: datasheets state peaks at clocks
 * that follow the power limit (GB200 1.11 times B200, H100 PCIe 0.89 times SXM for each multiprocessor), so that a
 * share of them would count the power twice.
 */
export function clockRatio(architecture: string, sms: number | null, flopsPerSecond: number): number {
  const reference = referenceOf(architecture);
  if (reference === null || sms === null) return 1;
  return ((sms / reference.sms) * reference.flopsPerSecond) / flopsPerSecond;
}

/**
 * Parts whose multiprocessors take more exponentials a second than their architecture's reference, which bind fused
 * attention: Blackwell Ultra has twice Blackwell's (NVIDIA technical blog, "Inside NVIDIA Blackwell Ultra", 2025).
 */
const EXPONENTIALS: Readonly<Record<string, number>> = { b300: 2, gb300: 2 };

export function exponentialRatio(id: string): number {
  return Object.hasOwn(EXPONENTIALS, id) ? EXPONENTIALS[id] : 1;
}

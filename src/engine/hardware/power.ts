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
  'h100-95': 500,
  'h100-96-hbm2e': 500,
  b200: 1000,
  b300: 1100,
  gb200: 1200,
  gb300: 1400,
};

/** Watts of the part that an architecture's constants were fitted to. */
const REFERENCE: Readonly<Record<string, number>> = { volta: 300, ampere: 400, hopper: 700, blackwell: 1000 };

/** The part's limit over that of its architecture's reference; 1 where it is not known. */
export function powerRatio(id: string, architecture: string): number {
  const watts = Object.hasOwn(WATTS, id) ? WATTS[id] : undefined;
  const reference = Object.hasOwn(REFERENCE, architecture) ? REFERENCE[architecture] : undefined;
  return watts === undefined || reference === undefined ? 1 : watts / reference;
}

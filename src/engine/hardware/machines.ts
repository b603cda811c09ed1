/**
 * Machines that people rent or buy, as a cluster's node: data, one entry a machine. What an entry leaves out is the
 * accelerator's usual value. Rates are per GPU and direction, in bytes per second (400 Gb/s is 50e9 B/s).
 */
import type { AcceleratorId } from './accelerators';

export interface Machine {
  readonly name: string;
  readonly gpu: AcceleratorId;
  readonly gpusPerNode: number;
  readonly nicBytesPerSecond: number | null;
  readonly domainSize: number;
  /** Where the network's rate was read. */
  readonly source: string;
}

const EC2 = 'AWS, Amazon EC2 accelerated computing instance types';
const GCP = 'Google Cloud, GPU machine types: network bandwidths';
const AZURE = 'Microsoft Azure, ND-series virtual machine sizes';

export const MACHINES: readonly Machine[] = [
  machine('DGX A100 80GB', 'a100-80', 8, 2.5e10, 'NVIDIA DGX A100 datasheet: 8 × 200 Gb/s'),
  machine('DGX H100', 'h100-sxm', 8, 5e10, 'NVIDIA DGX H100 datasheet: 8 × 400 Gb/s'),
  machine('DGX H200', 'h200-sxm', 8, 5e10, 'NVIDIA DGX H200 datasheet: 8 × 400 Gb/s'),
  machine('DGX B200', 'b200', 8, 5e10, 'NVIDIA DGX B200 datasheet: 8 × 400 Gb/s'),
  machine('GB200 NVL72', 'gb200', 4, 5e10, 'NVIDIA GB200 NVL72: 4 × 400 Gb/s a tray', 72),
  machine('AWS p4d.24xlarge', 'a100-40', 8, 6.25e9, `${EC2}: 400 Gb/s`),
  machine('AWS p4de.24xlarge', 'a100-80', 8, 6.25e9, `${EC2}: 400 Gb/s`),
  machine('AWS p5.48xlarge', 'h100-sxm', 8, 5e10, `${EC2}: 3200 Gb/s`),
  machine('AWS p5e/p5en.48xlarge', 'h200-sxm', 8, 5e10, `${EC2}: 3200 Gb/s`),
  machine('AWS p6-b200.48xlarge', 'b200', 8, 5e10, `${EC2}: 3200 Gb/s`),
  machine('Google Cloud a3-highgpu-8g', 'h100-sxm', 8, 1.25e10, `${GCP}: 4 × 200 Gb/s`),
  machine('Google Cloud a3-megagpu-8g', 'h100-sxm', 8, 2.5e10, `${GCP}: 8 × 200 Gb/s`),
  machine('Google Cloud a3-ultragpu-8g', 'h200-sxm', 8, 5e10, `${GCP}: 8 × 400 Gb/s`),
  machine('Azure ND96asr_v4', 'a100-40', 8, 2.5e10, `${AZURE}: 8 × 200 Gb/s`),
  machine('Azure ND96amsr_A100_v4', 'a100-80', 8, 2.5e10, `${AZURE}: 8 × 200 Gb/s`),
  machine('Azure ND96isr_H100_v5', 'h100-sxm', 8, 5e10, `${AZURE}: 8 × 400 Gb/s`),
  machine('Azure ND96isr_H200_v5', 'h200-sxm', 8, 5e10, `${AZURE}: 8 × 400 Gb/s`),
  machine('Azure ND96isr_MI300X_v5', 'mi300x', 8, 5e10, `${AZURE}: 8 × 400 Gb/s`),
  machine('8 × MI300X', 'mi300x', 8, 5e10, 'the usual network of an MI300X platform: 8 × 400 Gb/s'),
  machine('8 × L40S (AWS g6e.48xlarge)', 'l40s', 8, 6.25e9, `${EC2}: 400 Gb/s`, 1),
  machine('8 × RTX 4090 in one box', 'rtx-4090', 8, null, 'no network of its own', 1),
  machine('RTX 4090 workstation', 'rtx-4090', 1, null, 'one card', 1),
];

function machine(
  name: string,
  gpu: AcceleratorId,
  gpusPerNode: number,
  nicBytesPerSecond: number | null,
  source: string,
  domainSize = gpusPerNode,
): Machine {
  return { name, gpu, gpusPerNode, nicBytesPerSecond, domainSize, source };
}

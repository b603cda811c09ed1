/** Assumptions and evidence in words. */
import type { Assumption } from '../engine/estimate/estimate';
import type { Args } from '../engine/problem';
import { formatBytes, formatPercent } from './format';

const value = (args: Args, key: string): string => String(args[key] ?? 'unknown');
const number = (args: Args, key: string): number => Number(args[key] ?? 0);

const SENTENCES: Readonly<Record<string, (args: Args) => string>> = {
  defaults: args => `No file states these keys, so they take their defaults: ${value(args, 'keys')}.`,
  'causal-flash': () => 'Attention runs as a fused causal kernel that skips the masked half.',
  allocator: args =>
    `Beyond its tensors a GPU holds ${formatPercent(number(args, 'slack'))} of allocator slack and ${formatBytes(number(args, 'bytes'))} of context, kernels and communication buffers.`,
  capacity: args =>
    `The capacity of ${value(args, 'gpu')} is what its driver reports: ${formatBytes(number(args, 'bytes'))}.`,
  'constants-fitted': args =>
    `Efficiencies of the ${value(args, 'architecture')} architecture are fitted to published runs.`,
  'constants-assumed': args =>
    `No published run of the ${value(args, 'architecture')} architecture stands behind its efficiencies: they are assumed.`,
  'network-default': args =>
    `The network is the usual one of this device: ${formatBytes(number(args, 'bytesPerSecond'))}/s a GPU and direction.`,
  'own-measurements': () => 'Constants of your own hardware profile stand over the published ones.',
  'stack-assumed': args =>
    `No published run of this software stack (${value(args, 'stack')}) was available: it is taken as an average one.`,
};

export function assumptionMessage({ code, args }: Assumption): string {
  return SENTENCES[code]?.(args) ?? code;
}

/** Assumptions and evidence in words. */
import type { Assumption } from '../engine/estimate/estimate';
import { bytes, percent, type Sentence, text } from './args';
import { SLOVAK } from './assumptions.sk';
import { translated } from './language';

const ENGLISH = {
  defaults: args => `No file states these keys, so they take their defaults: ${text(args.keys)}.`,
  'causal-flash': () => 'Attention runs as a fused causal kernel that skips the masked half.',
  allocator: args =>
    `Beyond its tensors a GPU holds ${percent(args.slack)} of allocator slack and ${bytes(args.bytes)} of context, kernels and communication buffers.`,
  capacity: args => `The capacity of ${text(args.gpu)} is what its driver reports: ${bytes(args.bytes)}.`,
  'constants-fitted': args =>
    `Efficiencies of the ${text(args.architecture)} architecture are fitted to published runs.`,
  'constants-assumed': args =>
    `No published run of the ${text(args.architecture)} architecture stands behind its efficiencies: they are assumed.`,
  'network-default': args =>
    `The network is the usual one of this device: ${bytes(args.bytesPerSecond)}/s a GPU and direction.`,
  'own-measurements': () => 'Constants of your own hardware profile stand over the published ones.',
  'stack-assumed': args =>
    `No published run of this software stack (${text(args.stack)}) was available: it is taken as an average one.`,
} satisfies Readonly<Record<string, Sentence>>;

const SENTENCES: Readonly<Record<string, Sentence>> = translated(ENGLISH, SLOVAK);

export function assumptionMessage({ code, args }: Assumption): string {
  return SENTENCES[code]?.(args) ?? code;
}

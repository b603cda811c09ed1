/** How the parts of memory and of a step come about, in words. */
import type { TimePart } from '../engine/estimate/output';
import type { StageMemory } from '../engine/estimate/memory';
import { SLOVAK_MEMORY, SLOVAK_TIME } from './formulas.sk';
import { translated } from './language';

export type MemoryPart = Exclude<keyof StageMemory, 'stage' | 'total' | 'offloaded'>;

const ENGLISH_MEMORY: Readonly<Record<MemoryPart, string>> = {
  weights: 'parameters that the rank holds × bytes of each; ZeRO-3 and HSDP leave a shard of them',
  gradients: 'parameters with gradients × bytes of each; ZeRO-2, ZeRO-3 and HSDP leave a shard of them',
  optimizer: 'parameters × bytes of moments and fp32 master copy; every kind of sharding leaves a shard of them',
  activations: 'what one micro-batch keeps × micro-batches in flight + what the layer at hand needs',
  buffers: 'units gathered ahead + buckets of the reduction + logits and loss where the peak is there',
  overhead: 'slack of the allocator, a share of the tensors + context of the device + buffers of the communicators',
};

const ENGLISH_TIME: Readonly<Record<TimePart, string>> = {
  forward: 'micro-batches × forward seconds of the stage’s operators, each the slower of its FLOPs and its bytes',
  backward: 'micro-batches × backward seconds of the stage’s operators, for inputs and for weights',
  recompute: 'micro-batches × forward seconds that are run again before the backward pass',
  launch: 'micro-batches × what the host’s launches add where the device waits for them',
  tpExposed: 'micro-batches × collectives of a layer that nothing hides',
  cpExposed: 'micro-batches × exchange of keys and values that the attention does not hide',
  epExposed: 'micro-batches × all-to-all to the experts and back that nothing hides',
  ppExposed: 'micro-batches × messages to and from the neighbouring stages',
  dpExposed: 'gathers of sharded weights and reduction of gradients that the computation does not hide',
  bubble: 'makespan of the schedule − micro-batches × busy seconds of the busiest stage',
  optimizer: 'bytes of states that the update moves ÷ bandwidth of the memory',
  gradNorm: 'bytes of gradients ÷ bandwidth of the memory',
  host: 'micro-batches × what the host spends on each, and the loop around them',
  straggler: 'share for each doubling of the nodes × the rest of the step',
};

export const MEMORY_FORMULAS = translated(ENGLISH_MEMORY, SLOVAK_MEMORY);
export const TIME_FORMULAS = translated(ENGLISH_TIME, SLOVAK_TIME);

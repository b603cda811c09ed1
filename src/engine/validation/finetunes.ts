/** Published peaks of fine-tuning: each a model of the zoo, a plan and what was measured. */
import { readHfConfig } from '../configs/hf/read';
import { parseJson } from '../configs/json';
import { memoryEstimate, type MemoryEstimate } from '../estimate/memoryEstimate';
import { prepare } from '../estimate/prepare';
import { zooEntry } from '../model/zoo';
import { completeSetup } from '../plan/complete';
import { isReady } from '../plan/ready';
import { invariant } from '../problem';
import { override } from '../setup/override';
import { setupModel } from '../setup/setup';

export interface Finetune {
  readonly name: string;
  /** An id of the zoo. */
  readonly model: string;
  /** `key=value,…` over the zoo's sizes. */
  readonly sizes: string;
  readonly gpu: string;
  readonly plan: string;
  readonly kind: 'allocated' | 'reserved' | 'device';
  readonly gib: number;
  readonly source: string;
}

/** The memory of a zoo model under `key=value,…`, on one device unless that says otherwise. */
export function memoryOfModel(model: string, text: string, gpu: string): MemoryEstimate {
  const { root } = parseJson('', JSON.stringify(zooEntry(model)));
  let setup = root === null ? null : readHfConfig('', root, []).setup;
  invariant(setup !== null, `no model ${model}`);
  for (const pair of `gpu=${gpu},gpus=1,${text}`.split(',').filter(part => part !== '')) {
    const [key, value] = pair.split('=');
    const next = override(setup, key, value);
    invariant(!('code' in next), `not a setting: ${pair}`);
    setup = next;
  }
  setup = completeSetup(setup);
  const built = setupModel(setup);
  invariant(built !== null && isReady(setup.plan), `not a plan: ${text}`);
  return memoryEstimate(prepare(built, setup.cluster), setup.plan, setup.cluster.capacityBytes);
}

/** (predicted − measured) / measured of the peak, by like kind. */
export function finetuneError({ model, sizes, plan, gpu, kind, gib }: Finetune): number {
  const memory = memoryOfModel(model, `${sizes},${plan}`, gpu);
  const bytes = { allocated: memory.allocatedBytes, reserved: memory.reservedBytes, device: memory.peakBytes }[kind];
  return bytes / 2 ** 30 / gib - 1;
}

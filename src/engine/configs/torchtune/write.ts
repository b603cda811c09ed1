/** A plan as changes of torchtune's YAML. A shard degree of -1 stays: it fills the world whatever the other degrees are. */
import { accumulationChange, placeChanges, setPlace, type Writing } from '../placeChanges';
import type { Change } from '../treeEdits';
import { nodeAt, plainValue } from '../tree';
import * as keys from './keys';

const ACCUMULATION = { key: 'accumulation', at: ['gradient_accumulation_steps'], absent: 1 };

export function writeTorchtune(writing: Writing): Change[] {
  const { plan } = writing;
  const rotation = (plan.cp ?? 1) > 1 ? [keys.ROTATION] : [];
  const places = [...keys.BATCH, ...keys.DEGREES, ...keys.CHOICES, ...rotation, keys.RANK];
  return [
    ...placeChanges(writing, places),
    ...accumulationChange(writing, ACCUMULATION),
    ...recompute(writing),
    ...dataParallel(writing),
    ...tensorPlan(writing),
  ];
}

function recompute({ root, plan, changed }: Writing): Change[] {
  const mode = plainValue(nodeAt(root, 'ac_mode'));
  if (!changed.has('recompute')) return [];
  if (plan.recompute === 'selective') {
    return [
      { path: [keys.CHECKPOINTING], value: false },
      { path: ['ac_mode'], value: 'selective' },
      ...(nodeAt(root, 'ac_option') === null ? [{ path: ['ac_option'], value: 2 }] : []),
    ];
  }
  const off: Change[] = mode === undefined || mode === null ? [] : [{ path: ['ac_mode'], value: null }];
  return [...off, ...setPlace(root, keys.RECOMPUTE, plan.recompute)];
}

function dataParallel({ root, plan, changed }: Writing): Change[] {
  const { dp, cp, sharding, shardSize } = plan;
  const watched = ['dp', 'cp', 'sharding', 'shardSize'] as const;
  if (!watched.some(key => changed.has(key)) || dp === null) return [];
  const replicas = sharding === 'hsdp' && shardSize !== null ? Math.max(1, (dp * (cp ?? 1)) / shardSize) : 1;
  const changes = setPlace(root, { key: 'dp', at: [keys.REPLICATE], absent: 1 }, replicas);
  const stated = plainValue(nodeAt(root, keys.SHARD));
  if (typeof stated === 'number' && stated > 0) changes.push({ path: [keys.SHARD], value: dp / replicas });
  if (!changed.has('sharding') || (sharding !== 'zero2' && sharding !== 'zero3')) return changes;
  return [...changes, ...setPlace(root, keys.RESHARD, sharding)];
}

/** torchtune stops where tensor parallelism has no plan. */
function tensorPlan({ root, plan, changed }: Writing): Change[] {
  if (!changed.has('tp') || (plan.tp ?? 1) === 1 || nodeAt(root, 'tensor_parallel_plan') !== null) return [];
  const component = String(plainValue(nodeAt(root, 'model', '_component_')));
  const name = component.includes('llama4') ? 'llama4.decoder_only_tp_plan' : 'llama3.base_llama_tp_plan';
  return [{ path: ['tensor_parallel_plan', '_component_'], value: `torchtune.models.${name}` }];
}

/** A plan as changes of axolotl's YAML. dp is written where the file states its shards; else it fills the world. */
import { accumulationChange, placeChanges, setPlace, type Writing } from '../placeChanges';
import { presentPath } from '../places';
import type { Change } from '../treeEdits';
import { nodeAt } from '../tree';
import { BATCH, CHOICES, DEGREES, REPLICATE, RESHARD, SHARD, STRATEGY } from './keys';

const ACCUMULATION = { key: 'accumulation', at: ['gradient_accumulation_steps'], absent: 1 };
const RANK = { key: 'adapterRank', at: ['lora_r'] };

export function writeAxolotl(writing: Writing): Change[] {
  return [
    ...placeChanges(writing, [...BATCH, ...DEGREES, ...CHOICES, RANK]),
    ...accumulationChange(writing, ACCUMULATION),
    ...shards(writing),
  ];
}

function shards({ root, plan, changed }: Writing): Change[] {
  const { dp, cp, ep, sharding, shardSize } = plan;
  const keys = ['dp', 'ep', 'cp', 'sharding', 'shardSize'] as const;
  if (!keys.some(key => changed.has(key)) || dp === null) return [];
  const replicasOfShards = sharding === 'hsdp' && shardSize !== null ? (dp * (cp ?? 1)) / shardSize : 1;
  // Expert ranks hold the dense weights once more.
  const replicas = Math.max(1, replicasOfShards / (ep ?? 1));
  const perReplica = dp / (replicas * (ep ?? 1));
  const changes: Change[] = [];
  const states = nodeAt(root, SHARD) !== null;
  if (states && Number.isInteger(perReplica)) changes.push({ path: [SHARD], value: perReplica });
  if ((nodeAt(root, REPLICATE) !== null || replicas > 1) && Number.isInteger(replicas))
    changes.push({ path: [REPLICATE], value: replicas });
  if (changed.has('sharding') && (sharding === 'zero2' || sharding === 'zero3')) {
    const at =
      presentPath(root, { at: RESHARD }) === undefined && presentPath(root, { at: STRATEGY }) !== undefined
        ? STRATEGY
        : RESHARD;
    const words = at === STRATEGY ? { FULL_SHARD: 'zero3', SHARD_GRAD_OP: 'zero2' } : { true: 'zero3', false: 'zero2' };
    changes.push(...setPlace(root, { key: 'sharding', at, words: words, absent: 'zero3' }, sharding));
  }
  return changes;
}

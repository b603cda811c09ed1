/**
 * ColossalAI's Python configs: a module with `parallel` and constants in capitals. BATCH_SIZE is a data-parallel rank's,
 * in NUM_MICRO_BATCHES parts where there is a pipeline; GLOBAL_BATCH_SIZE all ranks'. A `zero` section shards weights,
 * gradients and states (colossalai/legacy/zero). Sizes stand in the models' own code, as far as no constant says them.
 */
import { problem } from '../../problem';
import type { FileReading } from '../../setup/setup';
import type { TextFile } from '../beside';
import { type Place, readPlaces } from '../places';
import { globalsTree } from '../python/globals';
import { ConfigReader, valueFix } from '../reader';
import { nodeAt, plainValue } from '../tree';

export const NAMES = [
  'parallel',
  'fp16',
  'zero',
  'model',
  'gradient_accumulation',
  'BATCH_SIZE',
  'GLOBAL_BATCH_SIZE',
  'NUM_MICRO_BATCHES',
  'SEQ_LEN',
  'SEQ_LENGTH',
  'HIDDEN_SIZE',
  'DEPTH',
  'NUM_ATTENTION_HEADS',
  'NUM_HEADS',
  'VOCAB_SIZE',
  'CHECKPOINT',
];

export const PLACES: readonly Place[] = [
  { key: 'pp', at: ['parallel.pipeline.size', 'parallel.pipeline'], absent: 1 },
  { key: 'vpp', at: ['model.num_chunks'] },
  { key: 'seqLen', at: ['SEQ_LEN', 'SEQ_LENGTH'] },
  { key: 'globalBatch', at: ['GLOBAL_BATCH_SIZE'] },
  {
    key: 'recompute',
    at: ['model.checkpoint', 'CHECKPOINT'],
    words: { true: 'full', false: 'none' },
    absent: 'none',
  },
  { key: 'model.hidden', at: ['HIDDEN_SIZE'] },
  { key: 'model.layers', at: ['DEPTH'] },
  { key: 'model.heads', at: ['NUM_ATTENTION_HEADS', 'NUM_HEADS'] },
  { key: 'model.vocab', at: ['VOCAB_SIZE'] },
];

export const TENSOR: Place = { key: 'tp', at: ['parallel.tensor.size', 'parallel.tensor'], absent: 1 };

export function readColossalAi(file: string, text: string, beside: readonly TextFile[]): FileReading | null {
  if (!text.includes('colossalai') || !/^parallel *= *dict\(/m.test(text)) return null;
  const { root, problems, includes } = globalsTree(file, text, NAMES, beside);
  const has = (...path: string[]) => nodeAt(root, ...path) !== null;
  if (!has('parallel', 'tensor') && !has('parallel', 'pipeline')) return null;
  const reader = new ConfigReader(file, 'colossalai', root, problems);
  const { builder } = reader;
  builder.setPlan('stack', 'colossalai', 'derived');
  readPlaces(reader, PLACES);
  readTensor(reader);
  builder.setPlan(
    'dtype',
    has('fp16') ? 'fp16' : 'fp32',
    has('fp16') ? 'file' : 'default',
    nodeAt(root, 'fp16')?.source ?? null,
  );
  const zero = nodeAt(root, 'zero');
  builder.setPlan(
    'sharding',
    zero === null ? 'none' : 'zero3',
    zero === null ? 'default' : 'file',
    zero?.source ?? null,
  );
  const placement = plainValue(nodeAt(root, 'zero', 'model_config', 'tensor_placement_policy'));
  if (placement === 'cpu') {
    builder.setPlan('offload', 'optimizer+params', 'file', nodeAt(root, 'zero', 'model_config')?.source ?? null);
    builder.setPlan('offloadDevice', 'cpu', 'derived');
  }
  readBatch(reader);
  return { ...reader.finish(), includes };
}

/** 1d splits as Megatron does; `sequence` is ring attention; the other modes deal weights over a grid or a cube. */
function readTensor(reader: ConfigReader): void {
  const { builder, root } = reader;
  const mode = plainValue(nodeAt(root, 'parallel', 'tensor', 'mode'));
  if (mode === 'sequence') {
    readPlaces(reader, [{ ...TENSOR, key: 'cp' }]);
    builder.setPlan('cpKind', 'ring', 'derived');
    return;
  }
  readPlaces(reader, [TENSOR]);
  if (typeof mode !== 'string' || mode.toLowerCase() === '1d' || (builder.plan.tp ?? 1) === 1) return;
  const source = nodeAt(root, 'parallel', 'tensor', 'mode')?.source ?? null;
  reader.problems.push(problem('not-modelled', { what: 'tensor-mode', name: `tensor mode ${mode}` }, { source }));
}

function readBatch(reader: ConfigReader): void {
  const { builder } = reader;
  const rank = reader.integer(['BATCH_SIZE'], 1, 2 ** 32);
  if (rank === null) return;
  const parts = (builder.plan.pp ?? 1) > 1 ? reader.integer(['NUM_MICRO_BATCHES'], 1, 2 ** 32) : null;
  const count = parts?.value ?? 1;
  if (rank.value % count !== 0) {
    const args = { key: 'BATCH_SIZE', value: rank.value, divisor: count, framework: 'ColossalAI' };
    const fix = valueFix(rank.source, 'BATCH_SIZE', String(Math.ceil(rank.value / count) * count));
    reader.problems.push(problem('not-divisible', args, { source: rank.source, fix }));
    return;
  }
  builder.setPlan('microBatch', rank.value / count, parts === null ? 'file' : 'derived', rank.source);
  const steps = reader.integer(['gradient_accumulation'], 1, 2 ** 20);
  builder.state('accumulation', count * (steps?.value ?? 1), parts?.source ?? steps?.source ?? null);
}

/**
 * InternEvo's configs: a Python module with `model`, `data` and `parallel`. World = dp·tp·pp; a step takes micro_num
 * times micro_bsz sequences a rank; ZeRO-1 goes over all of dp unless its size says less
 * (internlm/core/context/parallel_context.py:426-540). The mode `isp` splits the sequence instead of the weights.
 */
import { LLAMA_TRAITS } from '../../model/traits';
import { problem } from '../../problem';
import type { FileReading } from '../../setup/setup';
import type { TextFile } from '../beside';
import { readPlaces } from '../places';
import { globalsTree } from '../python/globals';
import { ConfigReader, valueFix } from '../reader';
import { nodeAt, plainValue } from '../tree';
import * as keys from './keys';

const REPOSITORY = 'InternLM/InternEvo@c628a8c8';

/** Feed-forward widths are rounded up to a multiple of this (internlm/model/modules/mlp.py). */
const MULTIPLE = 256;

export function readInternEvo(file: string, text: string, beside: readonly TextFile[]): FileReading | null {
  if (!/^parallel *= *dict\(|^model *= *dict\(/m.test(text)) return null;
  const { root, problems, includes } = globalsTree(file, text, keys.NAMES, beside);
  const has = (...path: string[]) => nodeAt(root, ...path) !== null;
  const ours = has('parallel', 'zero1') || has('parallel', 'weight') || has('data', 'micro_bsz');
  const isModel = has('model', 'mlp_ratio') && has('model', 'num_attention_heads') && has('model_type');
  if (!ours && !isModel) return null;
  const reader = new ConfigReader(file, 'internevo', root, problems);
  readModel(reader);
  if (has('parallel')) readParallel(reader);
  if (has('data')) readPlaces(reader, keys.BATCH);
  checkAccumulation(reader);
  return { ...reader.finish(), includes };
}

function readModel(reader: ConfigReader): void {
  const { builder, root } = reader;
  if (nodeAt(root, 'model') === null) return;
  readPlaces(reader, keys.SIZES);
  const type = reader.text(['model_type'])?.value ?? 'INTERNLM';
  const name = reader.text(['JOB_NAME']);
  builder.setModel('name', name?.value ?? type, 'file', name?.source ?? null);
  const { hidden, heads, kvHeads, experts } = builder.sizes;
  if (kvHeads === null) builder.setModel('kvHeads', heads, 'derived');
  if (hidden !== null && heads !== null && hidden % heads === 0) builder.setModel('headDim', hidden / heads, 'derived');
  const ratio = reader.number(['model', 'mlp_ratio'], 0);
  if (hidden !== null && (ratio !== null || nodeAt(root, 'model', 'mlp_ratio') === null)) {
    const width = Math.ceil(Math.trunc(hidden * (ratio?.value ?? 4)) / MULTIPLE) * MULTIPLE;
    builder.setModel('ffn', width, ratio === null ? 'default' : 'derived', ratio?.source ?? null);
  }
  builder.setModel('tied', false, 'derived');
  builder.setModel('gatedMlp', true, 'derived');
  if (experts !== null && experts > 1) {
    const chosen = reader.integer(['moe', 'top_k'], 1, 1000);
    builder.setModel('topK', chosen?.value ?? 1, chosen === null ? 'default' : 'file', chosen?.source ?? null);
    builder.setModel('expertFfn', builder.sizes.ffn, 'derived');
  } else builder.setModel('experts', null, 'derived');
  // InternLM's attention always has biases, its successors' unless they say no_bias.
  const plain = plainValue(nodeAt(root, 'model', 'no_bias')) === true && !/^INTERNLM$/.test(type);
  builder.traits = { ...LLAMA_TRAITS, family: 'internlm', qkvBias: !plain, outBias: !plain };
  if (plainValue(nodeAt(root, 'model', 'norm_type')) === 'layernorm')
    builder.traits = { ...builder.traits, norm: 'layer' };
  readCheckpointing(reader);
  readPlaces(reader, keys.CHOICES);
}

/** true, false, or the share of a stage's layers. */
function readCheckpointing(reader: ConfigReader): void {
  const { builder, root } = reader;
  const node = nodeAt(root, 'model', 'checkpoint');
  const value = plainValue(node);
  const share = typeof value === 'boolean' ? Number(value) : value;
  const source = node?.source ?? null;
  if (typeof share === 'number' && share > 0 && share < 1) {
    builder.setPlan('recompute', 'full', 'derived', source);
    const args = { what: 'checkpoint-share', name: `model.checkpoint = ${share}` };
    reader.problems.push(problem('not-modelled', args, { source }));
    return;
  }
  builder.setPlan('recompute', share === 1 ? 'full' : 'none', node === null ? 'default' : 'file', source);
}

function readParallel(reader: ConfigReader): void {
  const { builder } = reader;
  builder.setPlan('stack', 'internevo', 'derived');
  readPlaces(reader, [keys.PIPELINE, keys.CHUNKS]);
  readTensor(reader);
  readSharding(reader);
  checkTogether(reader);
  // Experts are dealt to as many ranks of dp as there are, which the world decides.
  if ((builder.sizes.experts ?? 1) > 1) builder.unknown.add('plan.ep');
}

function readTensor(reader: ConfigReader): void {
  const { builder, root } = reader;
  const mode = reader.text(['parallel', 'tensor', 'mode']);
  const kind = mode?.value ?? 'mtp';
  if (!['mtp', 'msp', 'fsp', 'isp'].includes(kind)) {
    const args = { key: 'parallel.tensor.mode', expected: 'mtp | msp | fsp | isp', value: kind.slice(0, 40) };
    reader.problems.push(problem('value-invalid', args, { source: mode?.source ?? null }));
  }
  if (kind === 'isp') {
    readPlaces(reader, [{ ...keys.TENSOR, key: 'cp' }]);
    builder.setPlan('tp', 1, 'derived', mode?.source ?? null);
    builder.setPlan('sp', false, 'derived');
    builder.setPlan('cpKind', 'all-to-all', 'derived', mode?.source ?? null);
    return;
  }
  readPlaces(reader, [keys.TENSOR]);
  const old = plainValue(nodeAt(root, 'parallel', 'sequence_parallel')) === true;
  if (kind === 'mtp' && !old) builder.setPlan('sp', false, 'file', mode?.source ?? null);
  else builder.setPlan('sp', (builder.plan.tp ?? 1) > 1, 'derived', mode?.source ?? null);
}

/** ZeRO-1 over the ranks that its size says, FSDP, or weights over a group of their own. */
function readSharding(reader: ConfigReader): void {
  const { builder, root } = reader;
  const path =
    nodeAt(root, 'parallel', 'zero1')?.kind === 'map' ? ['parallel', 'zero1', 'size'] : ['parallel', 'zero1'];
  const size = reader.integer(path, -(2 ** 20), 2 ** 20);
  const source = size?.source ?? null;
  const weights = reader.integer(['parallel', 'weight', 'size'], 1, 2 ** 20);
  if (plainValue(nodeAt(root, 'parallel', 'zero1', 'fsdp')) === true)
    builder.setPlan('sharding', 'zero3', 'file', nodeAt(root, 'parallel', 'zero1', 'fsdp')?.source ?? null);
  else if (weights !== null && weights.value > 1) {
    builder.setPlan('sharding', 'hsdp', 'file', weights.source);
    builder.setPlan('shardSize', weights.value, 'file', weights.source);
  } else builder.setPlan('sharding', size?.value === 1 ? 'none' : 'zero1', size === null ? 'default' : 'file', source);
  if (size === null || size.value <= 1) return;
  const args = { what: 'zero1-group', name: `zero1.size = ${size.value}` };
  reader.problems.push(problem('not-modelled', args, { source }));
}

/** What InternEvo refuses (launch.py:84-89, 383-392, 444-455). */
function checkTogether(reader: ConfigReader): void {
  const { root, builder, problems } = reader;
  const value = (...path: string[]) => plainValue(nodeAt(root, ...path));
  /** `mend`: the literal to change, and to what. */
  const refuse = (key: string, other: string, line: number, path: readonly string[], mend: string, at = path) => {
    const args = { key, other, framework: 'InternEvo' };
    const place = nodeAt(root, ...at);
    const fix = place?.kind === 'scalar' ? valueFix(place.source, at.join('.'), mend) : null;
    const rule = `${REPOSITORY} internlm/initialize/launch.py:${line}`;
    problems.push(problem('options-incompatible', args, { source: nodeAt(root, ...path)?.source ?? null, fix, rule }));
  };
  const sharded = ['parallel', 'zero1', 'fsdp'];
  const fsdp = value(...sharded) === true;
  const mode = value('parallel', 'tensor', 'mode') ?? 'mtp';
  if (fsdp && (builder.plan.pp ?? 1) > 1) refuse('zero1.fsdp', 'pipeline > 1', 107, sharded, 'False');
  if (fsdp && mode === 'isp') refuse('zero1.fsdp', 'mode isp', 363, sharded, 'False');
  if (fsdp && (builder.sizes.experts ?? 1) > 1) refuse('zero1.fsdp', 'experts', 438, sharded, 'False');
  const weights = value('parallel', 'weight', 'size');
  if (typeof weights === 'number' && weights > 1 && mode !== 'isp') {
    const other = `mode ${typeof mode === 'string' ? mode : ''}`;
    refuse(`weight.size = ${weights}`, other, 384, ['parallel', 'weight', 'size'], '1');
  }
  const overlap = ['parallel', 'pipeline', 'interleaved_overlap'];
  if ((builder.plan.vpp ?? 1) > 1 && value(...overlap) !== true)
    refuse('num_chunks > 1', 'interleaved_overlap = False', 389, ['model', 'num_chunks'], 'True', overlap);
}

/** Without a pipeline both counts of a step's forwards must agree (launch.py:121-129). */
function checkAccumulation(reader: ConfigReader): void {
  const { root, builder, problems } = reader;
  const [steps, stated] = ['micro_num', 'gradient_accumulation'].map(key => plainValue(nodeAt(root, 'data', key)));
  if (typeof stated !== 'number' || (builder.plan.pp ?? 1) > 1 || stated === (steps ?? 1)) return;
  const args = {
    key: `gradient_accumulation = ${stated}`,
    other: `micro_num = ${typeof steps === 'number' ? steps : 1}`,
    framework: 'InternEvo',
  };
  const source = nodeAt(root, 'data', 'gradient_accumulation')?.source ?? null;
  const fix = valueFix(source, 'gradient_accumulation', String(typeof steps === 'number' ? steps : 1));
  problems.push(
    problem('options-incompatible', args, { source, fix, rule: `${REPOSITORY} internlm/initialize/launch.py:140` }),
  );
}

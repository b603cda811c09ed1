/**
 * The vocabulary as Megatron stores it: the tokenizer's, padded to a multiple of
 * --make-vocab-size-divisible-by (128) · tp (megatron/core/tokenizers/utils/build_tokenizer.py).
 */
import { SIZE_LIMITS } from '../../model/sizes';
import { problem, type SourceRange } from '../../problem';
import type { SetupBuilder } from '../../setup/setup';
import { zooVocabulary } from '../zooModel';
import type { MegatronArgs } from './args';
import { TOKENIZERS } from './flags';

export function readVocabulary(args: MegatronArgs, builder: SetupBuilder): void {
  for (const flag of ['padded-vocab-size', 'pad-vocab-size-to']) {
    const padded = args.integer(flag, 1, SIZE_LIMITS.vocab);
    if (padded === null) continue;
    builder.setModel('vocab', padded.value, 'file', padded.source);
    return;
  }
  const written = args.integer('vocab-size', 1, SIZE_LIMITS.vocab);
  if (args.has('vocab-size') && written === null) return;
  const tokenizer = written === null ? tokenizerVocabulary(args) : null;
  const size = written?.value ?? tokenizer?.size ?? null;
  if (size === null) return;
  const padded = paddedVocabulary(args, size);
  const origin = padded !== size ? 'derived' : written === null ? 'zoo' : 'file';
  builder.setModel('vocab', padded, origin, written?.source ?? tokenizer?.source ?? null);
}

/** The size that Megatron allocates for a vocabulary; where tp is unknown, the least that it can be. */
function paddedVocabulary(args: MegatronArgs, size: number): number {
  const divisor = args.integer('make-vocab-size-divisible-by')?.value ?? 128;
  const tp = args.integer('tensor-model-parallel-size')?.value ?? 1;
  const multiple = divisor * tp;
  return Math.ceil(size / multiple) * multiple;
}

/** The size of a tokenizer that the table knows, by type, hub id or the name of GPT-2's file; files are not read. */
function tokenizerVocabulary(args: MegatronArgs): { size: number; source: SourceRange } | null {
  const type = args.text('tokenizer-type');
  const model = args.text('tokenizer-model') ?? args.text('tokenizer-name-or-path');
  for (const named of [type, model]) {
    const size = named === null ? undefined : TOKENIZERS[named.value.toLowerCase()];
    if (named !== null && size !== undefined && Object.hasOwn(TOKENIZERS, named.value.toLowerCase())) {
      return { size, source: named.source };
    }
  }
  const published = model === null ? null : zooVocabulary(model.value);
  if (model !== null && published !== null) return { size: published, source: model.source };
  const file = args.text('vocab-file');
  if (file?.value.endsWith('gpt2-vocab.json') === true) {
    return { size: TOKENIZERS.gpt2bpetokenizer, source: file.source };
  }
  const source = model?.source ?? type?.source ?? args.place('vocab-file');
  if (source !== null && args.has('num-layers')) {
    args.problems.push(problem('value-unknown', { key: 'model.vocab', reason: 'tokenizer', name: null }, { source }));
  }
  return null;
}

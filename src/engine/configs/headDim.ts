/** The width of a head where a file states only the whole: headDim = hidden/heads. */
import { problem } from '../problem';
import type { ConfigReader } from './reader';

/** Sets the width of a head, or reports a hidden size that does not divide into its heads. */
export function deriveHeadDim({ builder, problems }: ConfigReader): void {
  const { hidden, heads } = builder.sizes;
  if (hidden === null || heads === null) return;
  if (hidden % heads === 0) return builder.setModel('headDim', hidden / heads, 'derived');
  const source = builder.fields.get('model.heads')?.source ?? null;
  problems.push(problem('hidden-heads', { hidden, heads }, { source }));
}

/** Layers by chunk where the ends carry the embedding and the head. */

/**
 * As even as can be, with what does not divide taken from the last chunk first, then from the first: they carry the
 * head and the embedding (Llama 3: 126 layers on 16 stages, arXiv 2407.21783, section 3.3.2). Where it divides, the
 * last chunk gives one layer to the second.
 */
export function balancedChunks(layers: number, chunks: number): number[] {
  const most = Math.ceil(layers / chunks);
  const result = new Array<number>(chunks).fill(most);
  let spare = most * chunks - layers;
  if (spare === 0 && chunks > 2 && most > 1) {
    result[chunks - 1] -= 1;
    result[1] += 1;
  }
  for (const chunk of lightest(chunks)) {
    if (spare === 0) break;
    result[chunk] -= 1;
    spare -= 1;
  }
  return result;
}

/** The last, the first, then from the end. */
function lightest(chunks: number): number[] {
  const inner = Array.from({ length: Math.max(0, chunks - 2) }, (_, i) => chunks - 2 - i);
  return chunks === 1 ? [0] : [chunks - 1, 0, ...inner];
}

const balancedMemo = new Map<string, number[] | null>();

/** null where there are fewer layers than chunks, or no chunk would differ. */
export function balancedFor(layers: number, chunks: number): number[] | null {
  const key = `${layers}|${chunks}`;
  let known = balancedMemo.get(key);
  if (known === undefined) {
    const split = layers < chunks ? null : balancedChunks(layers, chunks);
    known = split === null || split.every(count => count === split[0]) ? null : split;
    balancedMemo.set(key, known);
  }
  return known;
}

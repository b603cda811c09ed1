/**
 * The text of --pipeline-model-parallel-layout: `E` embedding, `t` a layer, `m` a prediction layer, `L` the loss, `|`
 * between chunks, `x*3` and `(…)*3` repeat (megatron/core/transformer/pipeline_parallel_layer_layout.py).
 */

/** Longer layouts are no pipeline. */
const LONGEST = 20_000;

/** Layers of each chunk in the order of the model, or null where the text is no layout. */
export function layoutLayers(layout: string): number[] | null {
  const expanded = expand(layout.replaceAll(/[\s,"']/g, ''));
  if (expanded === null || !/^[EtmL|]+$/.test(expanded)) return null;
  return expanded.split('|').map(chunk => [...chunk].filter(part => part === 't').length);
}

/** The layout without repetitions. */
function expand(layout: string): string | null {
  let text = layout;
  for (let round = 0; round < 50; round++) {
    const found = /\(([^()]*)\)(?:\*(\d+))?|([^()*])\*(\d+)/.exec(text);
    if (found === null) return text;
    const [whole, group, times, single, repeats] = found;
    const count = Number(times ?? repeats ?? 1);
    const unit = group ?? single ?? '';
    if (unit.length * count > LONGEST) return null;
    text = text.slice(0, found.index) + unit.repeat(count) + text.slice(found.index + whole.length);
  }
  return null;
}

/** Layers spread over chunks as evenly as they go: what is taken where a layout is not known. */
export function evenLayers(layers: number, chunks: number): number[] {
  const each = Math.floor(layers / chunks);
  const more = layers % chunks;
  return Array.from({ length: chunks }, (_, index) => each + Number(index < more));
}

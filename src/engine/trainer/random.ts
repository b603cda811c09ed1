/**
 * Random numbers by place, not by turn: the value of an element depends on the seed, the tensor's name and the element's
 * index in the whole tensor. So a rank makes its slice of a weight without the rest, and every layout starts alike.
 */

/** FNV-1a over the characters of a name. */
export function hashName(name: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** The finaliser of MurmurHash3 (Appleby), which spreads every bit of its input over all bits. */
function mix(x: number): number {
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return (x ^ (x >>> 16)) >>> 0;
}

/** Uniform in (0, 1). */
export function uniform(seed: number, stream: number, index: number): number {
  const a = mix(mix(seed ^ 0x9e3779b9) ^ mix(stream) ^ Math.imul(index + 1, 0x9e3779b1));
  const b = mix(a ^ Math.imul(index ^ stream, 0x27d4eb2f));
  return ((a >>> 5) * 67108864 + (b >>> 6) + 0.5) / 9007199254740992;
}

/** Standard normal (Box and Muller 1958). */
export function normal(seed: number, stream: number, index: number): number {
  const radius = Math.sqrt(-2 * Math.log(uniform(seed, stream, 2 * index)));
  return radius * Math.cos(2 * Math.PI * uniform(seed, stream, 2 * index + 1));
}

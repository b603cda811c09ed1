/** Memory of the engine's worker thread. */
import type { ResourceLimits } from 'node:worker_threads';

export const ENGINE_MEMORY: ResourceLimits = {
  /** Well above what the largest search needs, and below what takes the host's process down with the thread. */
  maxOldGenerationSizeMb: 2048,
  /** A config's syntax tree dies young: in V8's usual 48 MB half of a reader's time goes to copying what is still in use. */
  maxYoungGenerationSizeMb: 192,
};

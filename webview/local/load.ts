/** Loads the engine of the page once; until then, and where it cannot be loaded, there is none. */
import type * as engineModule from './engine';

export type LocalEngine = typeof engineModule;

let engine: LocalEngine | null = null;

export function localEngine(): LocalEngine | null {
  return engine;
}

/** `loaded` is called when it has become there. */
export function loadEngine(loaded: () => void): void {
  import('./engine').then(
    module => {
      engine = module;
      loaded();
    },
    (error: unknown) => console.error('MeshLens: the page has no engine', error),
  );
}

/** Looks for the best single change once a snapshot, after the page is drawn. */
import type { WhatIfDocument } from '../../src/documents/types';
import type { DashboardState } from '../../src/protocol/dashboard';
import { localEngine } from './load';

export class FirstChange {
  private of: DashboardState['setup'];
  private found: WhatIfDocument | null | undefined;

  constructor(private readonly changed: () => void) {}

  /** undefined: not looked for yet. */
  known(snapshot: DashboardState | null): WhatIfDocument | null | undefined {
    return snapshot !== null && snapshot.setup === this.of ? this.found : undefined;
  }

  look(snapshot: DashboardState | null): void {
    const engine = localEngine();
    const setup = snapshot?.setup;
    if (engine === null || setup === undefined || setup === this.of) return;
    this.of = setup;
    this.found = undefined;
    setTimeout(() => {
      if (this.of !== setup) return;
      this.found = engine.firstChange(setup);
      this.changed();
    });
  }
}

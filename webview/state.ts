/** The page's own state: the newest snapshot, and what the user has opened. */
import type { DashboardState } from '../src/protocol/dashboard';

export interface Host {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

/** What survives when VS Code throws the page away and makes it anew; the snapshot comes again from the host. */
interface Kept {
  readonly open: readonly string[];
  readonly scroll: number;
  /** The document of this dashboard, which the extension needs to restore the panel. */
  readonly uri: string | null;
}

export class PageState {
  /** Ids of disclosures, tables and boxes that the user has opened or ticked. */
  readonly open: Set<string>;
  snapshot: DashboardState | null = null;
  /** Where the page was scrolled to before it was thrown away; used once. */
  restoredScroll: number;

  constructor(private readonly host: Host) {
    const kept = readKept(host.getState());
    this.open = new Set(kept.open);
    this.restoredScroll = kept.scroll;
  }

  /** Takes a snapshot unless a newer one is shown already. */
  accept(next: DashboardState): boolean {
    if (this.snapshot !== null && next.version < this.snapshot.version) return false;
    this.snapshot = next;
    return true;
  }

  toggle(id: string, open = !this.open.has(id)): void {
    if (open) this.open.add(id);
    else this.open.delete(id);
  }

  save(scroll: number): void {
    const kept: Kept = { open: [...this.open], scroll, uri: this.snapshot?.uri ?? null };
    this.host.setState(kept);
  }
}

/** State of an older version of the page may have any shape. */
function readKept(value: unknown): Pick<Kept, 'open' | 'scroll'> {
  const { open, scroll } = (value ?? {}) as Partial<Record<keyof Kept, unknown>>;
  return {
    open: Array.isArray(open) ? open.filter(id => typeof id === 'string') : [],
    scroll: typeof scroll === 'number' ? scroll : 0,
  };
}
